"""Passwords, for those who cannot have a passkey: Argon2id, never without a code beside it."""

from __future__ import annotations

import threading
import unicodedata
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ordws.console import codes
from ordws.console.accounts import Accounts, note
from ordws.console.names import fold_name
from ordws.console.tokens import new_token

SHORTEST: Final = 12
LONGEST: Final = 1_000
PATIENCE: Final = 5
"""How many failures in a row go by before the next try has to wait."""
_FIRST_WAIT: Final = 30
_LONGEST_WAIT: Final = 3_600

HASHER = PasswordHasher()
"""Argon2id with 64 MiB and three passes. (RFC 9106 4, second recommendation)"""
DECOY = HASHER.hash(new_token())
"""What a password is held against where there is none, so that it takes as long."""
_AT_ONCE: Final = threading.BoundedSemaphore(2)
"""So that a flood takes 128 MiB and no more."""


def fault_of(password: str) -> str | None:
    """Why a text cannot be a password, if so. Its length decides alone. (NIST SP 800-63B 3.1.1)"""
    if len(password) < SHORTEST:
        return f"a password has at least {SHORTEST} characters"
    return f"a password has at most {LONGEST} characters" if len(password) > LONGEST else None


def hash_password(password: str) -> str:
    with _AT_ONCE:
        return HASHER.hash(_normal(password))


def fits(stored: str | None, password: str) -> bool:
    """Whether a password is the stored one; takes as long where nothing is stored."""
    try:
        with _AT_ONCE:
            HASHER.verify(stored or DECOY, _normal(password[: LONGEST + 1]))
    except VerifyMismatchError:
        return False
    return stored is not None


def let_in(accounts: Accounts, name: str, password: str, code: str, now: int) -> str | None:
    """The member whom a password and a code let in, or None, which is recorded.

    Nothing tells apart an unknown name, an account that is locked, and either secret being wrong.
    """
    folded = fold_name(name[:LONGEST])
    with accounts.reading() as db:
        row = db.execute("SELECT password, totp FROM members WHERE folded = ?", (folded,)).fetchone()
    stored, secret = row or (None, None)
    is_right = fits(stored, password)
    step = codes.find_step(secret or codes.DECOY, code, now)
    return _decide(accounts, folded, stored if is_right else None, step, now)


def wait_after(failures: int) -> int:
    """How many seconds an account rests after so many failures in a row; each doubles the wait, up to an hour."""
    return 0 if failures < PATIENCE else min(_FIRST_WAIT << min(failures - PATIENCE, 16), _LONGEST_WAIT)


def _decide(accounts: Accounts, folded: str, matched: str | None, step: int | None, now: int) -> str | None:
    """In one transaction, so that of many guesses at once no more count than of as many in a row."""
    with accounts.changing() as db:
        row = db.execute(
            "SELECT name, password, totp_step, failures, locked_until FROM members"
            " WHERE folded = ? AND password IS NOT NULL AND ended IS NULL",
            (folded,),
        ).fetchone()
        if row is None:
            note(db, "wrong-password", None, now)
            return None
        name, stored, used, failures, locked_until = row
        if now < locked_until:
            note(db, "locked", name, now)
            return None
        if matched == stored and step is not None and step > used:
            db.execute("UPDATE members SET failures = 0, locked_until = 0, totp_step = ? WHERE name = ?", (step, name))
            return str(name)
        wait = wait_after(failures + 1)
        db.execute(
            "UPDATE members SET failures = ?, locked_until = ? WHERE name = ?",
            (failures + 1, now + wait if wait else 0, name),
        )
        note(db, "wrong-password", name, now)
        return None


def _normal(password: str) -> str:
    """One spelling for what looks alike, whatever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password)
