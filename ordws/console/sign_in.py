"""The first page: sign in by passkey, or by password and code; sign out; the yearly declaration."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import account, declared, door, joining, members, passkeys, passwords
from ordws.console.access import EVERYBODY, VOTERS, allow, me, needs_no_declaration

pages: Final = Blueprint("sign_in", __name__)
for each in (joining, account, members):
    pages.register_blueprint(each.pages)


@pages.record_once
def _build(state: BlueprintSetupState) -> None:
    state.app.extensions["door"] = door.Door()


@pages.get("/")
@allow()
def page() -> AnyResponse | str:
    if g.session is not None:
        return redirect(door.home(g.session.member), 303)
    return _page()


@pages.post("/sign-in")
@allow()
def by_password() -> AnyResponse | tuple[str, int]:
    door.hear()
    form = request.form
    name, password, code = (form.get(field, "") for field in ("name", "password", "code"))
    if (member := passwords.let_in(door.accounts(), name, password, code, door.now())) is None:
        door.count_refusal()
        return _page(name, is_refused=True), 403
    return door.welcome(member)


@pages.post("/api/sign-in/challenge")
@allow()
def challenge() -> Response:
    asked = passkeys.ask_for_any(door.site(), door.door().challenges.issue(passkeys.SIGN_IN, door.now()))
    return Response(asked, content_type="application/json")


@pages.post("/api/sign-in")
@allow()
def by_passkey() -> AnyResponse:
    answer = door.read_json()
    if (member := passkeys.let_in(door.accounts(), door.site(), door.door().challenges, answer, door.now())) is None:
        return door.turn_away("bad-passkey", "This passkey lets nobody in here.")
    return door.welcome(member)


@pages.post("/sign-out")
@needs_no_declaration
@allow(*EVERYBODY)
def sign_out() -> AnyResponse:
    return door.farewell()


@pages.get("/declaration")
@needs_no_declaration
@allow(*VOTERS)
def declaration() -> str:
    return _declaration()


@pages.post("/declaration")
@needs_no_declaration
@allow(*VOTERS)
def declare() -> AnyResponse | tuple[str, int]:
    if request.form.get("declared") != "yes":
        return _declaration("To vote here, say that all of it is so."), 422
    door.accounts().declare(me().name, door.now())
    return redirect(door.home(me()), 303)


def _page(name: str = "", *, is_refused: bool = False) -> str:
    is_first = not door.accounts().listed()
    return render_template("sign_in.html", name=name, is_refused=is_refused, is_first=is_first)


def _declaration(fault: str = "") -> str:
    until = door.day(declared.until(me())) if declared.is_declared(me(), door.now()) else None
    return render_template("declaration.html", sentences=declared.TEXT, until=until, fault=fault)
