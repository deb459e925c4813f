"""The sign-in page: by passkey, or by password and code; signing out; the yearly declaration of disinterest."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, g, redirect, render_template, request
from flask.blueprints import BlueprintSetupState
from werkzeug.wrappers import Response as AnyResponse

from ordws.console import account_pages, auth_helpers, invitation_pages, members, passkeys, passwords
from ordws.console.access import (
    ALL_ROLES,
    DECLARING,
    current_member,
    has_valid_declaration,
    needs_no_declaration,
    valid_until,
)
from ordws.console.application import account_site
from ordws.frame import turns
from ordws.frame.application import allow

pages: Final = Blueprint("sign_in", __name__)
for each in (invitation_pages, account_pages, members):
    pages.register_blueprint(each.pages)


@pages.record_once
def _begin_challenges(state: BlueprintSetupState) -> None:
    state.app.extensions["challenges"] = passkeys.WebauthnChallenges()


@pages.get("/")
@allow()
def page() -> AnyResponse | str:
    if g.session is not None:
        return redirect(auth_helpers.home_path(g.session.member), 303)
    return _page()


@pages.post("/sign-in")
@allow()
@turns.checks_password
def by_password() -> AnyResponse | tuple[str, int]:
    name, password, code = (request.form.get(field, "") for field in ("name", "password", "code"))
    name = name[: passwords.MAX_LENGTH]
    accounts, device = auth_helpers.accounts(), auth_helpers.device_token()
    is_known = accounts.is_known_device(name, device)
    turns.count_attempt("password", is_known=is_known)
    with turns.costly_check(is_known=is_known):
        member = passwords.authenticate(accounts, name, password, code, auth_helpers.now(), device)
    if member is None:
        # `authenticate` has recorded the incident; the page is the same, whatever was wrong.
        return _page(name, is_refused=True), 403
    return auth_helpers.sign_in(member)


@pages.post("/api/sign-in/challenge")
@allow()
def challenge() -> Response:
    options = passkeys.authentication_options(
        auth_helpers.site(), auth_helpers.challenges().issue(passkeys.SIGN_IN_PURPOSE, auth_helpers.now())
    )
    return Response(options, content_type="application/json")


@pages.post("/api/sign-in")
@allow()
def by_passkey() -> AnyResponse:
    accounts = auth_helpers.accounts()
    turns.count_attempt("passkey", is_known=bool(accounts.find_device(auth_helpers.device_token())))
    member = passkeys.authenticate(
        accounts,
        auth_helpers.site(),
        auth_helpers.challenges(),
        auth_helpers.read_json(),
        auth_helpers.now(),
    )
    if member is None:
        return auth_helpers.deny("bad-passkey", "This passkey is not known here.")
    return auth_helpers.sign_in(member)


@pages.post("/sign-out")
@needs_no_declaration
@allow(*ALL_ROLES)
def sign_out() -> AnyResponse:
    return auth_helpers.sign_out()


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
    accounts = auth_helpers.accounts()
    accounts.record_declaration(current_member().name, auth_helpers.now(), account_site().statements)
    return redirect(auth_helpers.home_path(current_member()), 303)


def _page(name: str = "", *, is_refused: bool = False) -> str:
    # Before the first account, the page says by which command a keeper makes it.
    is_first = not auth_helpers.accounts().all_accounts()
    return render_template("sign_in.html", name=name, is_refused=is_refused, is_first=is_first)


def _declaration(fault: str = "") -> str:
    until = (
        auth_helpers.iso_date(valid_until(current_member()))
        if has_valid_declaration(current_member(), auth_helpers.now())
        else None
    )
    return render_template("declaration.html", until=until, fault=fault)
