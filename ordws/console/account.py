"""A member's own account: passkeys, password and code, sessions."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import codes, declared, door, new_ways, passkeys, passwords, ways
from ordws.console.access import COOKIE, EVERYBODY, allow, me, needs_no_declaration
from ordws.errors import BadInput

pages: Final = Blueprint("account", __name__)
FRESH: Final = 15 * 60
"""How long after signing in the ways in can be changed: a browser left open must not give an account away."""
_STALE: Final = "you signed in a while ago"


@pages.get("/account")
@needs_no_declaration
@allow(*EVERYBODY)
def page() -> str:
    return render_template(
        "account.html",
        passkeys=ways.passkeys(door.accounts(), me().name),
        is_fresh=_is_fresh(),
        has_password=ways.has_password(door.accounts(), me().name),
        declared_until=door.day(declared.until(me())),
        day=door.day,
    )


@pages.post("/api/account/challenge")
@needs_no_declaration
@allow(*EVERYBODY)
def challenge() -> Response:
    _want_fresh()
    known = [each.id for each in ways.passkeys(door.accounts(), me().name)]
    issued = door.door().challenges.issue(_purpose(), door.now())
    asked = passkeys.ask_for_new(door.site(), issued, me().name, ways.handle(door.accounts(), me().name), known)
    return Response(asked, content_type="application/json")


@pages.post("/api/account")
@needs_no_declaration
@allow(*EVERYBODY)
def add_passkey() -> AnyResponse:
    _want_fresh()
    way = new_ways.read_passkey(_purpose(), door.read_json())
    if way is None:
        return new_ways.refuse_passkey()
    ways.add(door.accounts(), me().name, way, door.now())
    return door.go("/account")


@pages.post("/account/passkeys/name")
@needs_no_declaration
@allow(*EVERYBODY)
def name_passkey() -> AnyResponse:
    ways.name_passkey(door.accounts(), me().name, request.form.get("id", ""), request.form.get("label", ""))
    return redirect("/account", 303)


@pages.post("/account/passkeys/remove")
@needs_no_declaration
@allow(*EVERYBODY)
def remove_passkey() -> AnyResponse:
    _want_fresh()
    ways.remove_passkey(door.accounts(), me().name, request.form.get("id", ""))
    return _end_others()


@pages.get("/account/password")
@needs_no_declaration
@allow(*EVERYBODY)
def password() -> AnyResponse:
    _want_fresh()
    return _password()


@pages.post("/account/password")
@needs_no_declaration
@allow(*EVERYBODY)
def set_password() -> AnyResponse:
    _want_fresh()
    way = new_ways.read_password(me().name)
    if isinstance(way, str):
        return _password(way)
    ways.add(door.accounts(), me().name, way, door.now())
    return _end_others()


@pages.post("/account/password/remove")
@needs_no_declaration
@allow(*EVERYBODY)
def remove_password() -> AnyResponse:
    _want_fresh()
    ways.remove_password(door.accounts(), me().name)
    return _end_others()


@pages.post("/account/sessions")
@needs_no_declaration
@allow(*EVERYBODY)
def end_others() -> AnyResponse:
    return _end_others()


def _end_others() -> AnyResponse:
    """Who came in by what was changed does not stay in."""
    door.accounts().end_sessions(me().name, but=request.cookies.get(COOKIE, ""))
    return redirect("/account", 303)


def _password(fault: str = "") -> AnyResponse:
    enrolment = new_ways.enrolment_of(me().name)
    page = render_template(
        "password.html", fault=fault, secret=codes.grouped(enrolment.secret), shortest=passwords.SHORTEST
    )
    return new_ways.showing(page, enrolment, 422 if fault else 200)


def _is_fresh() -> bool:
    return door.now() < int(g.session.since) + FRESH


def _want_fresh() -> None:
    if not _is_fresh():
        raise BadInput(_STALE, hint="sign out and in again to change how you sign in")


def _purpose() -> str:
    return f"add {me().name}"
