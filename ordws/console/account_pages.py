"""A member's own account: passkeys, password and code, sessions."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import auth_helpers, credential_enrolment, credentials, passkeys, passwords
from ordws.console.access import ALL_ROLES, current_member, needs_no_declaration, valid_until
from ordws.console.application import account_site
from ordws.errors import BadInput
from ordws.frame.application import allow

pages: Final = Blueprint("account", __name__)
FRESH_SIGN_IN_SECONDS: Final = 15 * 60
"""Credentials can be changed so many seconds after signing in: a browser left open must not give an account away."""
_STALE_TEXT: Final = "you signed in a while ago"


@pages.get("/account")
@needs_no_declaration
@allow(*ALL_ROLES)
def page() -> str:
    return render_template(
        "account.html",
        passkeys=credentials.list_passkeys(auth_helpers.accounts(), current_member().name),
        is_fresh=_is_fresh(),
        has_password=credentials.has_password(auth_helpers.accounts(), current_member().name),
        declared_until=auth_helpers.iso_date(valid_until(current_member())),
        day=auth_helpers.iso_date,
    )


@pages.post("/api/account/challenge")
@needs_no_declaration
@allow(*ALL_ROLES)
def challenge() -> Response:
    _require_fresh_sign_in()
    accounts, name = auth_helpers.accounts(), current_member().name
    options = passkeys.registration_options(
        auth_helpers.site(),
        auth_helpers.challenges().issue(_purpose(), auth_helpers.now()),
        name,
        credentials.find_user_handle(accounts, name),
        exclude=[passkey.id for passkey in credentials.list_passkeys(accounts, name)],
    )
    return Response(options, content_type="application/json")


@pages.post("/api/account")
@needs_no_declaration
@allow(*ALL_ROLES)
def add_passkey() -> AnyResponse:
    _require_fresh_sign_in()
    passkey = credential_enrolment.read_passkey(_purpose(), auth_helpers.read_json())
    if passkey is None:
        return credential_enrolment.refuse_passkey()
    credentials.add_credential(auth_helpers.accounts(), current_member().name, passkey, auth_helpers.now())
    return auth_helpers.redirect_to("/account")


@pages.post("/account/passkeys/name")
@needs_no_declaration
@allow(*ALL_ROLES)
def name_passkey() -> AnyResponse:
    credentials.rename_passkey(
        auth_helpers.accounts(), current_member().name, request.form.get("id", ""), request.form.get("label", "")
    )
    return redirect("/account", 303)


@pages.post("/account/passkeys/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_passkey() -> AnyResponse:
    _require_fresh_sign_in()
    credentials.remove_passkey(auth_helpers.accounts(), current_member().name, request.form.get("id", ""))
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
    credential = credential_enrolment.read_password(current_member().name)
    if isinstance(credential, str):
        return _password(fault=credential)
    credentials.add_credential(auth_helpers.accounts(), current_member().name, credential, auth_helpers.now())
    return _end_other_sessions()


@pages.post("/account/password/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_password() -> AnyResponse:
    _require_fresh_sign_in()
    credentials.remove_password(auth_helpers.accounts(), current_member().name)
    return _end_other_sessions()


@pages.post("/account/sessions")
@needs_no_declaration
@allow(*ALL_ROLES)
def end_others() -> AnyResponse:
    return _end_other_sessions()


def _end_other_sessions() -> AnyResponse:
    """Sign the member out everywhere else: whoever signed in by the old credentials must not stay signed in."""
    cookie = request.cookies.get(account_site().cookie, "")
    auth_helpers.accounts().end_sessions(current_member().name, except_cookie=cookie)
    return redirect("/account", 303)


def _password(fault: str = "") -> AnyResponse:
    enrolment = credential_enrolment.ensure_totp_enrolment(current_member().name)
    page = render_template(
        "password.html", fault=fault, secret=passwords.format_secret(enrolment.secret), shortest=passwords.MIN_LENGTH
    )
    return credential_enrolment.totp_page_response(page, enrolment, 422 if fault else 200)


def _is_fresh() -> bool:
    return auth_helpers.now() < int(g.session.since) + FRESH_SIGN_IN_SECONDS


def _require_fresh_sign_in() -> None:
    if not _is_fresh():
        raise BadInput(_STALE_TEXT, hint="sign out and in again to change how you sign in")


def _purpose() -> str:
    return f"add {current_member().name}"
