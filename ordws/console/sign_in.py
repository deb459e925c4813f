"""The first page: sign in by passkey, or by password and code; sign out; the yearly declaration."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import account, declared, door, joining, members, passkeys, passwords
from ordws.console.access import ALL_ROLES, VOTERS, allow, current_member, needs_no_declaration

pages: Final = Blueprint("sign_in", __name__)
for each in (joining, account, members):
    pages.register_blueprint(each.pages)


@pages.record_once
def _create_auth_state(state: BlueprintSetupState) -> None:
    state.app.extensions["door"] = door.AuthState()


@pages.get("/")
@allow()
def page() -> AnyResponse | str:
    if g.session is not None:
        return redirect(door.home_path(g.session.member), 303)
    return _page()


@pages.post("/sign-in")
@allow()
def by_password() -> AnyResponse | tuple[str, int]:
    door.throttle()
    form = request.form
    name, password, code = (form.get(field, "") for field in ("name", "password", "code"))
    if (member := passwords.authenticate(door.accounts(), name, password, code, door.now())) is None:
        door.count_refusal()
        return _page(name, is_refused=True), 403
    return door.sign_in(member)


@pages.post("/api/sign-in/challenge")
@allow()
def challenge() -> Response:
    asked = passkeys.authentication_options(
        door.site(), door.auth_state().challenges.issue(passkeys.SIGN_IN_PURPOSE, door.now())
    )
    return Response(asked, content_type="application/json")


@pages.post("/api/sign-in")
@allow()
def by_passkey() -> AnyResponse:
    answer = door.read_json()
    if (
        member := passkeys.authenticate(door.accounts(), door.site(), door.auth_state().challenges, answer, door.now())
    ) is None:
        return door.deny("bad-passkey", "This passkey lets nobody in here.")
    return door.sign_in(member)


@pages.post("/sign-out")
@needs_no_declaration
@allow(*ALL_ROLES)
def sign_out() -> AnyResponse:
    return door.sign_out()


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
    door.accounts().record_declaration(current_member().name, door.now())
    return redirect(door.home_path(current_member()), 303)


def _page(name: str = "", *, is_refused: bool = False) -> str:
    is_first = not door.accounts().all_accounts()
    return render_template("sign_in.html", name=name, is_refused=is_refused, is_first=is_first)


def _declaration(fault: str = "") -> str:
    until = (
        door.iso_date(declared.valid_until(current_member()))
        if declared.has_valid_declaration(current_member(), door.now())
        else None
    )
    return render_template("declaration.html", sentences=declared.STATEMENTS, until=until, fault=fault)
