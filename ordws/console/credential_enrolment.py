"""A way in as a browser sets it up: the secret it is shown, and what it sends to prove that it has one."""

from __future__ import annotations

from typing import Any

from flask import current_app, request
from werkzeug.wrappers import Response

from ordws.console import auth_helpers, enrolments, passkeys, passwords, totp
from ordws.console.credentials import Passkey, PasswordCredential
from ordws.console.enrolments import TotpEnrolment


def current_totp_enrolment() -> TotpEnrolment | None:
    """What this browser sets up an app with, if it does."""
    return enrolments.find_totp_enrolment(
        auth_helpers.accounts(), request.cookies.get(enrolments.TOTP_COOKIE, ""), auth_helpers.now()
    )


def ensure_totp_enrolment(name: str) -> TotpEnrolment:
    """The same for one account; begun where it is not under way."""
    found = current_totp_enrolment()
    return (
        found
        if found and found.name == name
        else enrolments.begin_totp_enrolment(auth_helpers.accounts(), name, auth_helpers.now())
    )


def totp_page_response(page: str, enrolment: TotpEnrolment, status: int) -> Response:
    """A page that shows a secret, for the one browser that sets it up."""
    response: Response = current_app.make_response((page, status))
    auth_helpers.set_cookie(response, enrolments.TOTP_COOKIE, enrolment.cookie, enrolments.TOTP_ENROLMENT_SECONDS)
    return response


def read_password(name: str) -> PasswordCredential | str:
    """The password that a form sets for an account, proved by a code; or why not."""
    password, again, code = (request.form.get(field, "") for field in ("password", "again", "code"))
    begun = current_totp_enrolment()
    if begun is None or begun.name != name:
        return "That took too long: scan the new picture."
    if fault := passwords.find_fault(password):
        return fault
    if password != again:
        return "The two passwords differ."
    if (step := totp.find_step(begun.secret, code, auth_helpers.now())) is None:
        return "The code is not the one that the app shows now."
    enrolments.end_totp_enrolment(auth_helpers.accounts(), begun.cookie)
    return PasswordCredential(passwords.hash_password(password), begun.secret, step)


def read_passkey(purpose: str, body: dict[str, Any]) -> Passkey | None:
    """The passkey that a script sends, made in answer to a challenge for this purpose."""
    answer, label = body.get("answer"), str(body.get("label", ""))
    if not isinstance(answer, dict):
        return None
    return passkeys.verify_registration(
        auth_helpers.site(), auth_helpers.auth_state().challenges, purpose, answer, label, auth_helpers.now()
    )


def refuse_passkey() -> Response:
    return auth_helpers.record_and_deny("bad-passkey", "That is no passkey made for this page: try again.")
