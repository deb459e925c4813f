"""Counts of failed passwords: one for each device that a member has signed in from, one for all others together.

A stranger's failures lock the account to devices that it has not seen, and never the member's own. A device is known by
a cookie of random bits, of which the database holds a digest keyed with the console's key and bound to the member.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.console.accounts import Accounts
from ordws.console.member_names import fold_member_name
from ordws.console.tokens import new_token
from ordws.curation.lease import keyed_hash
from ordws.curation.sqlcipher import Database

DEVICE_COOKIE: Final = "ordws-device"
DEVICE_SECONDS: Final = 180 * 86_400
"""A device is forgotten when its member has not signed in from it for so long."""
MAX_DEVICES: Final = 20
"""The devices of one member that are remembered: those used last."""
FAILURES_BEFORE_LOCK: Final = 5
"""The failure from which on the next attempt has to wait."""
MAX_DEVICE_FAILURES: Final = 10
"""The failures in a row after which a device is forgotten: all the guesses that a stolen cookie is good for."""
FORGIVE_SECONDS: Final = 7_200
"""One failure of unknown devices is forgotten for each such time without another.

A success does not end their count, or every time the member signs in a stranger would have the first guesses again.
"""
_FIRST_LOCK_SECONDS: Final = 30
_MAX_LOCK_SECONDS: Final = 3_600
_UNKNOWN: Final = ""
"""The digest under which the failures of all unknown devices are counted."""


@dataclass(frozen=True)
class FailureCount:
    """The failed passwords of a device, or of all unknown ones."""

    digest: str
    failures: int = 0
    failed_at: int = 0
    locked_until: int = 0


def device_digest(accounts: Accounts, member: str, token: str) -> str:
    """Return the digest of a device's token, which nobody can compute without the console's key."""
    return keyed_hash(accounts.key, "device", fold_member_name(member), token).hex()


def find_count(accounts: Accounts, db: Database, member: str, token: str) -> FailureCount:
    """Return the count that applies to a device, within a transaction of the caller."""
    sql = "SELECT digest, failures, failed_at, locked_until FROM devices WHERE member = ? AND digest = ?"
    row = db.execute(sql, (member, device_digest(accounts, member, token))).fetchone()
    row = row or db.execute(sql, (member, _UNKNOWN)).fetchone()
    return FailureCount(*row) if row else FailureCount(_UNKNOWN)


def record_failure(db: Database, member: str, count: FailureCount, now: int) -> None:
    """Count a failure, and lock the device, or all unknown ones, where there were too many."""
    forgiven = 0 if count.digest else (now - count.failed_at) // FORGIVE_SECONDS
    failures = max(0, count.failures - forgiven) + 1
    if count.digest and failures >= MAX_DEVICE_FAILURES:
        db.execute("DELETE FROM devices WHERE member = ? AND digest = ?", (member, count.digest))
        return
    db.execute(
        "INSERT INTO devices (member, digest, used, failures, failed_at, locked_until) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (member, digest) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at,"
        " locked_until = excluded.locked_until",
        (member, count.digest, now, failures, now, now + lock_seconds_after(failures)),
    )


def lock_seconds_after(failures: int) -> int:
    """Return the seconds for which so many failures lock; each doubles them, up to an hour."""
    if failures < FAILURES_BEFORE_LOCK:
        return 0
    return min(_FIRST_LOCK_SECONDS << min(failures - FAILURES_BEFORE_LOCK, 16), _MAX_LOCK_SECONDS)


def is_known_device(accounts: Accounts, name: str, token: str) -> bool:
    """Return whether the member of a name, however it is typed, has signed in from the device with this token."""
    digest = device_digest(accounts, name, token)
    with accounts.connection() as db:
        return db.execute("SELECT 1 FROM devices WHERE digest = ?", (digest,)).fetchone() is not None


def remember_device(accounts: Accounts, member: str, token: str, now: int) -> str:
    """Remember that a member has signed in from a device, whose failures it forgets; return the device's token.

    A token that no member's device has is replaced: somebody else may have planted it in the browser.
    """
    members = [account.member.name for account in accounts.all_accounts() if account.ended is None]
    if not any(is_known_device(accounts, name, token) for name in members):
        token = new_token()
    with accounts.transaction() as db:
        db.execute(
            "INSERT OR REPLACE INTO devices (member, digest, used, failures, failed_at, locked_until)"
            " VALUES (?, ?, ?, 0, 0, 0)",
            (member, device_digest(accounts, member, token), now),
        )
        db.execute("DELETE FROM devices WHERE digest <> '' AND used <= ?", (now - DEVICE_SECONDS,))
        db.execute(
            "DELETE FROM devices WHERE member = ? AND digest <> '' AND digest NOT IN (SELECT digest FROM devices"
            " WHERE member = ? AND digest <> '' ORDER BY used DESC, rowid DESC LIMIT ?)",
            (member, member, MAX_DEVICES),
        )
    return token
