"""The pages of an invitation: a new member makes a passkey, or a password with a code, and is signed in."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import auth_helpers, credential_enrolment, credentials, invitations, passkeys, passwords
from ordws.console.invitations import Invitation
from ordws.frame import turns
from ordws.frame.application import allow
from ordws.frame.tokens import digest

pages: Final = Blueprint("invitation", __name__)
_INVALID_LINK_TEXT: Final = "This link was used, has expired or is wrong. Ask a keeper for a new one."


@pages.get("/invitation/<token>")
@allow()
def page(token: str) -> AnyResponse:
    turns.count_attempt("link")
    invitation = invitations.find(auth_helpers.accounts(), token, auth_helpers.now())
    return _refuse() if invitation is None else _page(token, invitation)


@pages.post("/invitation/<token>")
@allow()
def by_password(token: str) -> AnyResponse:
    turns.count_attempt("link")
    invitation = invitations.find(auth_helpers.accounts(), token, auth_helpers.now())
    if invitation is None:
        return _refuse()
    credential = credential_enrolment.read_password(invitation.name)
    return _page(token, invitation, credential) if isinstance(credential, str) else _accept(token, credential)


@pages.post("/api/invitation/challenge")
@allow()
def challenge() -> AnyResponse:
    turns.count_attempt("link")
    token = str(auth_helpers.read_json().get("token"))
    invitation = invitations.find(auth_helpers.accounts(), token, auth_helpers.now())
    if invitation is None:
        return _refuse()
    issued = auth_helpers.challenges().issue(_purpose(token), auth_helpers.now())
    options = passkeys.registration_options(auth_helpers.site(), issued, invitation.name, invitation.handle, ())
    return Response(options, content_type="application/json")


@pages.post("/api/invitation")
@allow()
def by_passkey() -> AnyResponse:
    turns.count_attempt("link")
    body = auth_helpers.read_json()
    token = str(body.get("token"))
    passkey = credential_enrolment.read_passkey(_purpose(token), body)
    return credential_enrolment.refuse_passkey() if passkey is None else _accept(token, passkey)


@pages.get("/enrolment.svg")
@allow()
def picture() -> AnyResponse:
    """Draw the secret that this browser sets up, for an app to scan; no other browser's request shows it."""
    enrolment = credential_enrolment.current_totp_enrolment()
    if enrolment is None:
        abort(404)
    return Response(passwords.qr_code_svg(enrolment.secret, enrolment.name), content_type="image/svg+xml")


def _accept(token: str, credential: credentials.Credential) -> AnyResponse:
    name = invitations.accept(auth_helpers.accounts(), token, credential, auth_helpers.now())
    return _refuse() if name is None else auth_helpers.sign_in(name)


def _page(token: str, invitation: Invitation, fault: str = "") -> AnyResponse:
    enrolment = credential_enrolment.ensure_totp_enrolment(invitation.name)
    page = render_template(
        "invitation.html",
        token=token,
        invitation=invitation,
        fault=fault,
        secret=passwords.format_secret(enrolment.secret),
        shortest=passwords.MIN_LENGTH,
    )
    return credential_enrolment.totp_page_response(page, enrolment, 422 if fault else 200)


def _refuse() -> AnyResponse:
    return auth_helpers.record_and_deny("bad-link", _INVALID_LINK_TEXT, 410)


def _purpose(token: str) -> str:
    """Return the purpose that binds a challenge to its link: an answer for one invitation opens no other."""
    return f"join {digest(token)}"
