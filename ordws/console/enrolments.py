"""The secret of an authenticator app while it is being set up, known to one browser alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.console import totp
from ordws.console.accounts import Accounts
from ordws.console.tokens import digest, new_token

TOTP_COOKIE: Final = "ordws-enrolment"
TOTP_ENROLMENT_SECONDS: Final = 1_800
"""How long one may take, in seconds."""


@dataclass(frozen=True)
class TotpEnrolment:
    """A secret that is shown to a browser; it counts for nothing until a code of it is typed."""

    cookie: str
    name: str
    """Whose account it is for."""
    secret: str


def begin_totp_enrolment(accounts: Accounts, name: str, now: int) -> TotpEnrolment:
    """A new secret for an account; an earlier one that was not proved is forgotten."""
    enrolment = TotpEnrolment(new_token(), name, totp.new_secret())
    with accounts.transaction() as db:
        db.execute("DELETE FROM enrolments WHERE name = ? OR ends <= ?", (name, now))
        row = (digest(enrolment.cookie), name, enrolment.secret, now + TOTP_ENROLMENT_SECONDS)
        db.execute("INSERT INTO enrolments VALUES (?, ?, ?, ?)", row)
    return enrolment


def find_totp_enrolment(accounts: Accounts, cookie: str, now: int) -> TotpEnrolment | None:
    """The enrolment of a browser, if one is under way."""
    with accounts.connection() as db:
        row = db.execute(
            "SELECT name, secret FROM enrolments WHERE digest = ? AND ? < ends", (digest(cookie), now)
        ).fetchone()
    return TotpEnrolment(cookie, *row) if row else None


def end_totp_enrolment(accounts: Accounts, cookie: str) -> None:
    """Forget a secret that was proved, or given up."""
    with accounts.transaction() as db:
        db.execute("DELETE FROM enrolments WHERE digest = ?", (digest(cookie),))
