"""Passwords, for those who cannot have a passkey: Argon2id, never without a code beside it."""

from __future__ import annotations

import threading
import unicodedata
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ordws.console import totp
from ordws.console.accounts import Accounts, insert_incident
from ordws.console.member_names import fold_member_name
from ordws.console.tokens import new_token

MIN_LENGTH: Final = 12
MAX_LENGTH: Final = 1_000
FAILURES_BEFORE_LOCK: Final = 5
"""How many failures in a row go by before the next try has to wait."""
_FIRST_LOCK_SECONDS: Final = 30
_MAX_LOCK_SECONDS: Final = 3_600

HASHER = PasswordHasher()
"""Argon2id with 64 MiB and three passes. (RFC 9106 4, second recommendation)"""
DECOY = HASHER.hash(new_token())
"""What a password is held against where there is none, so that it takes as long."""
_HASH_SLOTS: Final = threading.BoundedSemaphore(2)
"""So that a flood takes 128 MiB and no more."""


def find_fault(password: str) -> str | None:
    """Why a text cannot be a password, if so. Its length decides alone. (NIST SP 800-63B 3.1.1)"""
    if len(password) < MIN_LENGTH:
        return f"a password has at least {MIN_LENGTH} characters"
    return f"a password has at most {MAX_LENGTH} characters" if len(password) > MAX_LENGTH else None


def hash_password(password: str) -> str:
    with _HASH_SLOTS:
        return HASHER.hash(_normalize(password))


def verify_password(stored_hash: str | None, password: str) -> bool:
    """Whether a password is the stored one; takes as long where nothing is stored."""
    try:
        with _HASH_SLOTS:
            HASHER.verify(stored_hash or DECOY, _normalize(password[: MAX_LENGTH + 1]))
    except VerifyMismatchError:
        return False
    return stored_hash is not None


def authenticate(accounts: Accounts, name: str, password: str, code: str, now: int) -> str | None:
    """The member whom a password and a code let in, or None, which is recorded.

    Nothing tells apart an unknown name, an account that is locked, and either secret being wrong.
    """
    folded = fold_member_name(name[:MAX_LENGTH])
    with accounts.connection() as db:
        row = db.execute("SELECT password, totp FROM members WHERE folded = ?", (folded,)).fetchone()
    stored, secret = row or (None, None)
    is_right = verify_password(stored, password)
    step = totp.find_step(secret or totp.DECOY, code, now)
    return _count_attempt(accounts, folded, stored if is_right else None, step, now)


def lock_seconds_after(failures: int) -> int:
    """How many seconds an account rests after so many failures in a row; each doubles the wait, up to an hour."""
    return (
        0
        if failures < FAILURES_BEFORE_LOCK
        else min(_FIRST_LOCK_SECONDS << min(failures - FAILURES_BEFORE_LOCK, 16), _MAX_LOCK_SECONDS)
    )


def _count_attempt(accounts: Accounts, folded: str, matched_hash: str | None, step: int | None, now: int) -> str | None:
    """In one transaction, so that of many guesses at once no more count than of as many in a row."""
    with accounts.transaction() as db:
        row = db.execute(
            "SELECT name, password, totp_step, failures, locked_until FROM members"
            " WHERE folded = ? AND password IS NOT NULL AND ended IS NULL",
            (folded,),
        ).fetchone()
        if row is None:
            insert_incident(db, "wrong-password", None, now)
            return None
        name, stored, used, failures, locked_until = row
        if now < locked_until:
            insert_incident(db, "locked", name, now)
            return None
        if matched_hash == stored and step is not None and step > used:
            db.execute("UPDATE members SET failures = 0, locked_until = 0, totp_step = ? WHERE name = ?", (step, name))
            return str(name)
        wait = lock_seconds_after(failures + 1)
        db.execute(
            "UPDATE members SET failures = ?, locked_until = ? WHERE name = ?",
            (failures + 1, now + wait if wait else 0, name),
        )
        insert_incident(db, "wrong-password", name, now)
        return None


def _normalize(password: str) -> str:
    """One spelling for what looks alike, whatever keyboard it was typed on."""
    return unicodedata.normalize("NFKC", password)
