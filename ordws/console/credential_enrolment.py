"""The enrolment of a credential: the secret that a browser is shown, and the proof that it sends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import current_app, request
from werkzeug.wrappers import Response

from ordws.console import auth_helpers, passkeys, passwords
from ordws.console.credentials import Passkey, PasswordCredential
from ordws.frame.tokens import digest, new_token
from ordws.frame.turns import costly_check

TOTP_COOKIE: Final = "ordws-enrolment"
TOTP_ENROLMENT_SECONDS: Final = 1_800
"""The time that a member may take to set up an authenticator app."""


@dataclass(frozen=True)
class TotpEnrolment:
    """The secret of an authenticator app while it is set up; it is good for nothing until one of its codes is typed."""

    cookie: str
    """The token of the one browser that may see the secret."""
    name: str
    """The account that it is for."""
    secret: str


def current_totp_enrolment() -> TotpEnrolment | None:
    """Return the enrolment under way in this browser, if any."""
    cookie = request.cookies.get(TOTP_COOKIE, "")
    with auth_helpers.accounts().connection() as db:
        row = db.execute(
            "SELECT name, secret FROM enrolments WHERE digest = ? AND ? < ends", (digest(cookie), auth_helpers.now())
        ).fetchone()
    return TotpEnrolment(cookie, *row) if row else None


def ensure_totp_enrolment(name: str) -> TotpEnrolment:
    """Return this browser's enrolment for an account; begin one where none is under way, which voids an earlier one."""
    enrolment = current_totp_enrolment()
    if enrolment and enrolment.name == name:
        return enrolment
    enrolment, began = TotpEnrolment(new_token(), name, passwords.new_secret()), auth_helpers.now()
    with auth_helpers.accounts().transaction() as db:
        db.execute("DELETE FROM enrolments WHERE name = ? OR ends <= ?", (name, began))
        row = (digest(enrolment.cookie), name, enrolment.secret, began + TOTP_ENROLMENT_SECONDS)
        db.execute("INSERT INTO enrolments VALUES (?, ?, ?, ?)", row)
    return enrolment


def totp_page_response(page: str, enrolment: TotpEnrolment, status: int) -> Response:
    """Return a page that shows a secret, with the cookie by which this browser alone can use it."""
    response: Response = current_app.make_response((page, status))
    auth_helpers.put_cookie(response, TOTP_COOKIE, enrolment.cookie, TOTP_ENROLMENT_SECONDS)
    return response


def read_password(name: str) -> PasswordCredential | str:
    """Return the password that a form sets for an account, proved by a code, or a sentence on what is wrong with it."""
    password, repeated, code = (request.form.get(field, "") for field in ("password", "again", "code"))
    enrolment = current_totp_enrolment()
    if enrolment is None or enrolment.name != name:
        return "That took too long: scan the new picture."
    if fault := passwords.find_fault(password):
        return fault
    if password != repeated:
        return "The two passwords differ."
    if (step := passwords.find_step(enrolment.secret, code, auth_helpers.now())) is None:
        return "The code is not the one that the app shows now."
    with auth_helpers.accounts().transaction() as db:
        db.execute("DELETE FROM enrolments WHERE digest = ?", (digest(enrolment.cookie),))
    # Only members and invited people come here.
    with costly_check(is_known=True):
        return PasswordCredential(passwords.hash_password(password), enrolment.secret, step)


def read_passkey(purpose: str, body: dict[str, Any]) -> Passkey | None:
    """Return the new passkey that a script sends, or None where it does not answer a challenge for this purpose."""
    answer, label = body.get("answer"), str(body.get("label", ""))
    if not isinstance(answer, dict):
        return None
    return passkeys.verify_registration(
        auth_helpers.site(), auth_helpers.challenges(), purpose, answer, label, auth_helpers.now()
    )


def refuse_passkey() -> Response:
    """Record a new invalid passkey, and return the refusal."""
    return auth_helpers.record_and_deny("bad-passkey", "That is no passkey made for this page: try again.")
