"""The pages of one's own account: signing in, an invitation, passkeys and password, the yearly declaration."""

from __future__ import annotations

from typing import Any, Final

from flask import Blueprint, Response, abort, g, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import account_requests, authentication, credentials, members
from ordws.console.access import (
    ALL_ROLES,
    DECLARING,
    current_member,
    has_valid_declaration,
    needs_no_declaration,
    valid_until,
)
from ordws.console.application import account_site, read_body
from ordws.console.credentials import Invitation
from ordws.errors import BadInput
from ordws.frame import application
from ordws.frame.application import allow
from ordws.frame.sessions import digest

pages: Final = Blueprint("sign_in", __name__)
pages.register_blueprint(members.pages)
FRESH_SIGN_IN_SECONDS: Final = 15 * 60
"""Credentials can be changed so many seconds after signing in: a browser left open must not give an account away."""
_STALE_TEXT: Final = "you signed in a while ago"
_INVALID_LINK_TEXT: Final = "This link was used, has expired or is wrong. Ask a keeper for a new one."


@pages.record_once
def _begin_challenges(state: BlueprintSetupState) -> None:
    state.app.extensions["challenges"] = authentication.WebauthnChallenges()


@pages.get("/")
@allow()
def page() -> AnyResponse | str:
    if g.session is not None:
        return redirect(account_requests.home_path(g.session.member), 303)
    return _sign_in_page()


@pages.post("/sign-in")
@allow()
@application.checks_password
def sign_in_by_password() -> AnyResponse | tuple[str, int]:
    name, password, code = (request.form.get(field, "") for field in ("name", "password", "code"))
    name = name[: authentication.MAX_PASSWORD_LENGTH]
    accounts, device = account_requests.accounts(), account_requests.device_token()
    is_known = accounts.is_known_device(name, device)
    application.count_attempt("password", is_known=is_known)
    with application.costly_check(is_known=is_known):
        member = authentication.authenticate_by_password(accounts, name, password, code, account_requests.now(), device)
    if member is None:
        # `authenticate_by_password` has recorded the incident; the page is the same, whatever was wrong.
        return _sign_in_page(name, is_refused=True), 403
    return account_requests.sign_in(member)


@pages.post("/api/sign-in/challenge")
@allow()
def sign_in_challenge() -> Response:
    options = authentication.authentication_options(
        account_requests.site(),
        account_requests.challenges().issue(authentication.SIGN_IN_PURPOSE, account_requests.now()),
    )
    return Response(options, content_type="application/json")


@pages.post("/api/sign-in")
@allow()
def sign_in_by_passkey() -> AnyResponse:
    accounts = account_requests.accounts()
    application.count_attempt("passkey", is_known=bool(accounts.find_device(account_requests.device_token())))
    member = authentication.authenticate_by_passkey(
        accounts,
        account_requests.site(),
        account_requests.challenges(),
        read_body(dict[str, Any]),
        account_requests.now(),
    )
    if member is None:
        return account_requests.deny("bad-passkey", "This passkey is not known here.")
    return account_requests.sign_in(member)


@pages.post("/sign-out")
@needs_no_declaration
@allow(*ALL_ROLES)
def sign_out() -> AnyResponse:
    return account_requests.sign_out()


@pages.get("/declaration")
@needs_no_declaration
@allow(*DECLARING)
def declaration() -> str:
    return _declaration()


@pages.post("/declaration")
@needs_no_declaration
@allow(*DECLARING)
def declare() -> AnyResponse | tuple[str, int]:
    if request.form.get("declared") != "yes":
        return _declaration("To go on you have to declare all of it."), 422
    accounts = account_requests.accounts()
    accounts.record_declaration(current_member().name, account_requests.now(), account_site().statements)
    return redirect(account_requests.home_path(current_member()), 303)


@pages.get("/invitation/<token>")
@allow()
def invitation_page(token: str) -> AnyResponse:
    application.count_attempt("link")
    invitation = credentials.find_invitation(account_requests.accounts(), token, account_requests.now())
    return _refuse_link() if invitation is None else _invitation_page(token, invitation)


@pages.post("/invitation/<token>")
@allow()
def accept_by_password(token: str) -> AnyResponse:
    application.count_attempt("link")
    invitation = credentials.find_invitation(account_requests.accounts(), token, account_requests.now())
    if invitation is None:
        return _refuse_link()
    credential = account_requests.read_password(invitation.name)
    if isinstance(credential, str):
        return _invitation_page(token, invitation, credential)
    return _accept(token, credential)


@pages.post("/api/invitation/challenge")
@allow()
def invitation_challenge() -> AnyResponse:
    application.count_attempt("link")
    token = str(read_body(dict[str, Any]).get("token"))
    invitation = credentials.find_invitation(account_requests.accounts(), token, account_requests.now())
    if invitation is None:
        return _refuse_link()
    issued = account_requests.challenges().issue(_invitation_purpose(token), account_requests.now())
    options = authentication.registration_options(
        account_requests.site(), issued, invitation.name, invitation.handle, ()
    )
    return Response(options, content_type="application/json")


@pages.post("/api/invitation")
@allow()
def accept_by_passkey() -> AnyResponse:
    application.count_attempt("link")
    body = read_body(dict[str, Any])
    token = str(body.get("token"))
    passkey = account_requests.read_passkey(_invitation_purpose(token), body)
    return account_requests.refuse_passkey() if passkey is None else _accept(token, passkey)


@pages.get("/enrolment.svg")
@allow()
def enrolment_picture() -> AnyResponse:
    """Draw the secret that this browser sets up, for an app to scan; no other browser's request shows it."""
    enrolment = account_requests.current_totp_enrolment()
    if enrolment is None:
        abort(404)
    return Response(authentication.qr_code_svg(enrolment.secret, enrolment.name), content_type="image/svg+xml")


@pages.get("/account")
@needs_no_declaration
@allow(*ALL_ROLES)
def account_page() -> str:
    return render_template(
        "account.html",
        passkeys=credentials.list_passkeys(account_requests.accounts(), current_member().name),
        is_fresh=_is_fresh(),
        has_password=credentials.has_password(account_requests.accounts(), current_member().name),
        declared_until=account_requests.iso_date(valid_until(current_member())),
        day=account_requests.iso_date,
    )


@pages.post("/api/account/challenge")
@needs_no_declaration
@allow(*ALL_ROLES)
def passkey_challenge() -> Response:
    _require_fresh_sign_in()
    accounts, name = account_requests.accounts(), current_member().name
    options = authentication.registration_options(
        account_requests.site(),
        account_requests.challenges().issue(_adding_purpose(), account_requests.now()),
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
    passkey = account_requests.read_passkey(_adding_purpose(), read_body(dict[str, Any]))
    if passkey is None:
        return account_requests.refuse_passkey()
    credentials.add_credential(account_requests.accounts(), current_member().name, passkey, account_requests.now())
    return account_requests.redirect_to("/account")


@pages.post("/account/passkeys/name")
@needs_no_declaration
@allow(*ALL_ROLES)
def name_passkey() -> AnyResponse:
    credentials.rename_passkey(
        account_requests.accounts(), current_member().name, request.form.get("id", ""), request.form.get("label", "")
    )
    return redirect("/account", 303)


@pages.post("/account/passkeys/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_passkey() -> AnyResponse:
    _require_fresh_sign_in()
    credentials.remove_passkey(account_requests.accounts(), current_member().name, request.form.get("id", ""))
    return _end_other_sessions()


@pages.get("/account/password")
@needs_no_declaration
@allow(*ALL_ROLES)
def password_page() -> AnyResponse:
    _require_fresh_sign_in()
    return _password_page()


@pages.post("/account/password")
@needs_no_declaration
@allow(*ALL_ROLES)
def set_password() -> AnyResponse:
    _require_fresh_sign_in()
    credential = account_requests.read_password(current_member().name)
    if isinstance(credential, str):
        return _password_page(fault=credential)
    credentials.add_credential(account_requests.accounts(), current_member().name, credential, account_requests.now())
    return _end_other_sessions()


@pages.post("/account/password/remove")
@needs_no_declaration
@allow(*ALL_ROLES)
def remove_password() -> AnyResponse:
    _require_fresh_sign_in()
    credentials.remove_password(account_requests.accounts(), current_member().name)
    return _end_other_sessions()


@pages.post("/account/sessions")
@needs_no_declaration
@allow(*ALL_ROLES)
def end_others() -> AnyResponse:
    return _end_other_sessions()


def _sign_in_page(name: str = "", *, is_refused: bool = False) -> str:
    # Before the first account, the page says by which command a keeper makes it.
    is_first = not account_requests.accounts().all_accounts()
    return render_template("sign_in.html", name=name, is_refused=is_refused, is_first=is_first)


def _declaration(fault: str = "") -> str:
    until = (
        account_requests.iso_date(valid_until(current_member()))
        if has_valid_declaration(current_member(), account_requests.now())
        else None
    )
    return render_template("declaration.html", until=until, fault=fault)


def _accept(token: str, credential: credentials.Credential) -> AnyResponse:
    name = credentials.accept_invitation(account_requests.accounts(), token, credential, account_requests.now())
    return _refuse_link() if name is None else account_requests.sign_in(name)


def _invitation_page(token: str, invitation: Invitation, fault: str = "") -> AnyResponse:
    enrolment = account_requests.ensure_totp_enrolment(invitation.name)
    page = render_template(
        "invitation.html",
        token=token,
        invitation=invitation,
        fault=fault,
        secret=authentication.format_secret(enrolment.secret),
        shortest=authentication.MIN_PASSWORD_LENGTH,
    )
    return account_requests.totp_page_response(page, enrolment, 422 if fault else 200)


def _refuse_link() -> AnyResponse:
    return account_requests.record_and_deny("bad-link", _INVALID_LINK_TEXT, 410)


def _invitation_purpose(token: str) -> str:
    """Return the purpose that binds a challenge to its link: an answer for one invitation opens no other."""
    return f"join {digest(token)}"


def _end_other_sessions() -> AnyResponse:
    """Sign the member out everywhere else: whoever signed in by the old credentials must not stay signed in."""
    cookie = request.cookies.get(account_site().cookie, "")
    account_requests.accounts().end_sessions(current_member().name, except_cookie=cookie)
    return redirect("/account", 303)


def _password_page(fault: str = "") -> AnyResponse:
    enrolment = account_requests.ensure_totp_enrolment(current_member().name)
    page = render_template(
        "password.html",
        fault=fault,
        secret=authentication.format_secret(enrolment.secret),
        shortest=authentication.MIN_PASSWORD_LENGTH,
    )
    return account_requests.totp_page_response(page, enrolment, 422 if fault else 200)


def _is_fresh() -> bool:
    return account_requests.now() < int(g.session.since) + FRESH_SIGN_IN_SECONDS


def _require_fresh_sign_in() -> None:
    if not _is_fresh():
        raise BadInput(_STALE_TEXT, hint="sign out and in again to change how you sign in")


def _adding_purpose() -> str:
    return f"add {current_member().name}"
