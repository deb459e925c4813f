"""A member's own account: passkeys, password and code, sessions."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import codes, declared, door, new_ways, passkeys, passwords, ways
from ordws.console.access import ALL_ROLES, COOKIE, allow, current_member, needs_no_declaration
from ordws.errors import BadInput

pages: Final = Blueprint("account", __name__)
FRESH_SIGN_IN_SECONDS: Final = 15 * 60
"""How long after signing in the ways in can be changed: a browser left open must not give an account away."""
_STALE_TEXT: Final = "you signed in a while ago"


@pages.get("/account")
@needs_no_declaration
@allow(*ALL_ROLES)
def page() -> str:
    return render_template(
        "account.html",
        passkeys=ways.list_passkeys(door.accounts(), current_member().name),
        is_fresh=_is_fresh(),
        has_password=ways.has_password(door.accounts(), current_member().name),
        declared_until=door.iso_date(declared.valid_until(current_member())),
        day=door.iso_date,
    )


@pages.post("/api/account/challenge")
@needs_no_declaration
@allow(*ALL_ROLES)
def challenge() -> Response:
    _require_fresh_sign_in()
    known = [each.id for each in ways.list_passkeys(door.accounts(), current_member().name)]
    issued = door.auth_state().challenges.issue(_purpose(), door.now())
    asked = passkeys.registration_options(
        door.site(), issued, current_member().name, ways.find_user_handle(door.accounts(), current_member().name), known
    )
    return Response(asked, content_type="application/json")


@pages.post("/api/account")
@needs_no_declaration
@allow(*ALL_ROLES)
def add_passkey() -> AnyResponse:
    _require_fresh_sign_in()
    way = new_ways.read_passkey(_purpose(), door.read_json())
    if way is None:
        return new_ways.refuse_passkey()
    ways.add_credential(door.accounts(), current_member().name, way, door.now())
    return door.redirect_to("/account")


@pages.post("/account/passkeys/name")
@needs_no_declaration
@allow(*ALL_ROLES)
def name_passkey() -> AnyResponse:
    ways.rename_passkey(
        door.accounts(), current_member().name, request.form.get("id", ""), request.form.get("label", "")
    )
    return redirect("/account", 303)


@pages.post("/account/passkeys/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_passkey() -> AnyResponse:
    _require_fresh_sign_in()
    ways.remove_passkey(door.accounts(), current_member().name, request.form.get("id", ""))
    return _end_other_sessions()


@pages.get("/account/password")
@needs_no_declaration
@allow(*ALL_ROLES)
def password() -> AnyResponse:
    _require_fresh_sign_in()
    return _password()


@pages.post("/account/password")
@needs_no_declaration
@allow(*ALL_ROLES)
def set_password() -> AnyResponse:
    _require_fresh_sign_in()
    way = new_ways.read_password(current_member().name)
    if isinstance(way, str):
        return _password(way)
    ways.add_credential(door.accounts(), current_member().name, way, door.now())
    return _end_other_sessions()


@pages.post("/account/password/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_password() -> AnyResponse:
    _require_fresh_sign_in()
    ways.remove_password(door.accounts(), current_member().name)
    return _end_other_sessions()


@pages.post("/account/sessions")
@needs_no_declaration
@allow(*ALL_ROLES)
def end_others() -> AnyResponse:
    return _end_other_sessions()


def _end_other_sessions() -> AnyResponse:
    """Who came in by what was changed does not stay in."""
    door.accounts().end_sessions(current_member().name, except_cookie=request.cookies.get(COOKIE, ""))
    return redirect("/account", 303)


def _password(fault: str = "") -> AnyResponse:
    enrolment = new_ways.ensure_totp_enrolment(current_member().name)
    page = render_template(
        "password.html", fault=fault, secret=codes.format_secret(enrolment.secret), shortest=passwords.MIN_LENGTH
    )
    return new_ways.totp_page_response(page, enrolment, 422 if fault else 200)


def _is_fresh() -> bool:
    return door.now() < int(g.session.since) + FRESH_SIGN_IN_SECONDS


def _require_fresh_sign_in() -> None:
    if not _is_fresh():
        raise BadInput(_STALE_TEXT, hint="sign out and in again to change how you sign in")


def _purpose() -> str:
    return f"add {current_member().name}"
