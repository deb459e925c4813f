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
_BAD: Final = "This link was used, is too old, or never was one. Ask a keeper for another."


@pages.get("/invitation/<token>")
@allow()
def page(token: str) -> AnyResponse:
    door.hear()
    invitation = invitations.find(door.accounts(), token, door.now())
    return _refuse() if invitation is None else _page(token, invitation)


@pages.post("/invitation/<token>")
@allow()
def by_password(token: str) -> AnyResponse:
    door.hear()
    invitation = invitations.find(door.accounts(), token, door.now())
    if invitation is None:
        return _refuse()
    way = new_ways.read_password(invitation.name)
    return _page(token, invitation, way) if isinstance(way, str) else _accept(token, way)


@pages.post("/api/invitation/challenge")
@allow()
def challenge() -> AnyResponse:
    door.hear()
    token = str(door.read_json().get("token"))
    invitation = invitations.find(door.accounts(), token, door.now())
    if invitation is None:
        return _refuse()
    issued = door.door().challenges.issue(_purpose(token), door.now())
    asked = passkeys.ask_for_new(door.site(), issued, invitation.name, invitation.handle, ())
    return Response(asked, content_type="application/json")


@pages.post("/api/invitation")
@allow()
def by_passkey() -> AnyResponse:
    door.hear()
    body = door.read_json()
    token = str(body.get("token"))
    way = new_ways.read_passkey(_purpose(token), body)
    return new_ways.refuse_passkey() if way is None else _accept(token, way)


@pages.get("/enrolment.svg")
@allow()
def picture() -> AnyResponse:
    """The secret that this browser sets up, for an app to read; nobody else's request shows it."""
    enrolment = new_ways.enrolment()
    if enrolment is None:
        abort(404)
    return Response(codes.picture(enrolment.secret, enrolment.name), content_type="image/svg+xml")


def _accept(token: str, way: ways.Way) -> AnyResponse:
    name = invitations.accept(door.accounts(), token, way, door.now())
    return _refuse() if name is None else door.welcome(name)


def _page(token: str, invitation: Invitation, fault: str = "") -> AnyResponse:
    enrolment = new_ways.enrolment_of(invitation.name)
    page = render_template(
        "invitation.html",
        token=token,
        invitation=invitation,
        fault=fault,
        secret=codes.grouped(enrolment.secret),
        shortest=passwords.SHORTEST,
    )
    return new_ways.showing(page, enrolment, 422 if fault else 200)


def _refuse() -> AnyResponse:
    return door.refuse("bad-link", _BAD, 410)


def _purpose(token: str) -> str:
    """Binds a challenge to its link: an answer to one does not open another."""
    return f"join {digest(token)}"
