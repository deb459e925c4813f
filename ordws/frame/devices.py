"""The devices from which somebody has signed in, and counts of failures: one for each device, one for all others.

A stranger's failures refuse devices that were not seen before, and never one that was. A device is known by a cookie of
random bits, of which the database holds the digest. All functions work within a transaction of the caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ordws.frame.sessions import Connection
from ordws.frame.tokens import digest, new_token
from ordws.retention import BROWSERS

MAX_DEVICES: Final = 20
"""The devices of one holder that are remembered: those used last."""
FAILURES_BEFORE_LOCK: Final = 5
"""The failure from which on the next attempt has to wait."""
MAX_DEVICE_FAILURES: Final = 10
"""The failures in a row after which a device is forgotten: all the guesses that a stolen cookie is good for."""
FORGIVE_SECONDS: Final = 7_200
"""One failure of unknown devices is forgotten for each such time without another.

A success does not end their count, or every time the holder signs in a stranger would have the first guesses again.
"""
DEVICES_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS devices (holder TEXT NOT NULL, digest TEXT NOT NULL, used INTEGER NOT NULL,"
    " failures INTEGER NOT NULL, failed_at INTEGER NOT NULL, locked_until INTEGER NOT NULL,"
    " PRIMARY KEY (holder, digest)) STRICT"
)
_FIRST_LOCK_SECONDS: Final = 30
_MAX_LOCK_SECONDS: Final = 3_600
_UNKNOWN: Final = ""
"""The digest under which the failures of all unknown devices are counted."""


@dataclass(frozen=True)
class FailureCount:
    """The failures of a device, or of all unknown ones."""

    digest: str
    failures: int = 0
    failed_at: int = 0
    locked_until: int = 0


def find_count(db: Connection, holder: str, token: str) -> FailureCount:
    """Return the count that applies to a device."""
    sql = "SELECT digest, failures, failed_at, locked_until FROM devices WHERE holder = ? AND digest = ?"
    row = db.execute(sql, (holder, digest(token))).fetchone()
    row = row or db.execute(sql, (holder, _UNKNOWN)).fetchone()
    return FailureCount(*row) if row else FailureCount(_UNKNOWN)


def record_failure(db: Connection, holder: str, count: FailureCount, now: int) -> None:
    """Count a failure, and lock the device, or all unknown ones, where there were too many."""
    forgiven = 0 if count.digest else (now - count.failed_at) // FORGIVE_SECONDS
    failures = max(0, count.failures - forgiven) + 1
    if count.digest and failures >= MAX_DEVICE_FAILURES:
        db.execute("DELETE FROM devices WHERE holder = ? AND digest = ?", (holder, count.digest))
        return
    db.execute(
        "INSERT INTO devices (holder, digest, used, failures, failed_at, locked_until) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (holder, digest) DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at,"
        " locked_until = excluded.locked_until",
        (holder, count.digest, now, failures, now, now + lock_seconds_after(failures)),
    )


def lock_seconds_after(failures: int) -> int:
    """Return the seconds for which so many failures lock; each doubles them, up to an hour."""
    if failures < FAILURES_BEFORE_LOCK:
        return 0
    return min(_FIRST_LOCK_SECONDS << min(failures - FAILURES_BEFORE_LOCK, 16), _MAX_LOCK_SECONDS)


def forgive_holder(db: Connection, holder: str) -> None:
    """Allow the next attempt of a holder at once, from any device."""
    db.execute("UPDATE devices SET failures = 0, locked_until = 0 WHERE holder = ?", (holder,))


def forget_holder(db: Connection, holder: str) -> None:
    """Forget all devices of a holder, and the failures of unknown ones."""
    db.execute("DELETE FROM devices WHERE holder = ?", (holder,))


def find_holders(db: Connection, token: str) -> list[str]:
    """Return who has signed in from the device with this token."""
    rows = db.execute("SELECT holder FROM devices WHERE digest = ?", (digest(token),)) if token else ()
    return [holder for (holder,) in rows]


def remember_device(db: Connection, holder: str, token: str, now: int) -> str:
    """Remember that somebody has signed in from a device, whose failures are forgotten; return the device's token.

    A token that nobody's device has is replaced: somebody else may have planted it in the browser.
    """
    if not find_holders(db, token):
        token = new_token()
    db.execute(
        "INSERT OR REPLACE INTO devices (holder, digest, used, failures, failed_at, locked_until)"
        " VALUES (?, ?, ?, 0, 0, 0)",
        (holder, digest(token), now),
    )
    db.execute("DELETE FROM devices WHERE digest <> '' AND used <= ?", (now - BROWSERS.seconds,))
    db.execute(
        "DELETE FROM devices WHERE holder = ? AND digest <> '' AND digest NOT IN (SELECT digest FROM devices"
        " WHERE holder = ? AND digest <> '' ORDER BY used DESC, rowid DESC LIMIT ?)",
        (holder, holder, MAX_DEVICES),
    )
    return token
