"""Coming in by an invitation: its page, a passkey or a password with a code, and the first session."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import codes, door, invitations, new_ways, passkeys, passwords, ways
from ordws.console.access import allow
from ordws.console.invitations import Invitation
from ordws.console.tokens import digest

pages: Final = Blueprint("joining", __name__)
_INVALID_LINK_TEXT: Final = "This link was used, is too old, or never was one. Ask a keeper for another."


@pages.get("/invitation/<token>")
@allow()
def page(token: str) -> AnyResponse:
    door.throttle()
    invitation = invitations.find(door.accounts(), token, door.now())
    return _refuse() if invitation is None else _page(token, invitation)


@pages.post("/invitation/<token>")
@allow()
def by_password(token: str) -> AnyResponse:
    door.throttle()
    invitation = invitations.find(door.accounts(), token, door.now())
    if invitation is None:
        return _refuse()
    way = new_ways.read_password(invitation.name)
    return _page(token, invitation, way) if isinstance(way, str) else _accept(token, way)


@pages.post("/api/invitation/challenge")
@allow()
def challenge() -> AnyResponse:
    door.throttle()
    token = str(door.read_json().get("token"))
    invitation = invitations.find(door.accounts(), token, door.now())
    if invitation is None:
        return _refuse()
    issued = door.auth_state().challenges.issue(_purpose(token), door.now())
    asked = passkeys.registration_options(door.site(), issued, invitation.name, invitation.handle, ())
    return Response(asked, content_type="application/json")


@pages.post("/api/invitation")
@allow()
def by_passkey() -> AnyResponse:
    door.throttle()
    body = door.read_json()
    token = str(body.get("token"))
    way = new_ways.read_passkey(_purpose(token), body)
    return new_ways.refuse_passkey() if way is None else _accept(token, way)


@pages.get("/enrolment.svg")
@allow()
def picture() -> AnyResponse:
    """The secret that this browser sets up, for an app to read; nobody else's request shows it."""
    enrolment = new_ways.current_totp_enrolment()
    if enrolment is None:
        abort(404)
    return Response(codes.qr_code_svg(enrolment.secret, enrolment.name), content_type="image/svg+xml")


def _accept(token: str, credential: ways.Credential) -> AnyResponse:
    name = invitations.accept(door.accounts(), token, credential, door.now())
    return _refuse() if name is None else door.sign_in(name)


def _page(token: str, invitation: Invitation, fault: str = "") -> AnyResponse:
    enrolment = new_ways.ensure_totp_enrolment(invitation.name)
    page = render_template(
        "invitation.html",
        token=token,
        invitation=invitation,
        fault=fault,
        secret=codes.format_secret(enrolment.secret),
        shortest=passwords.MIN_LENGTH,
    )
    return new_ways.totp_page_response(page, enrolment, 422 if fault else 200)


def _refuse() -> AnyResponse:
    return door.record_and_deny("bad-link", _INVALID_LINK_TEXT, 410)


def _purpose(token: str) -> str:
    """Binds a challenge to its link: an answer to one does not open another."""
    return f"join {digest(token)}"
