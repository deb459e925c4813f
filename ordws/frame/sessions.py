"""Tokens and codes that browsers and people hold, and the tables of sessions and devices that know their digests.

A session that has ended stays ended, whatever cookie is shown, and `ordws restore` ends all. Of the devices from which
somebody has signed in each has a count of failures, and all others together have one: a stranger's failures refuse
devices that were not seen before, and never one that was. All functions on tables work within a transaction of the
caller.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

from ordws.retention import BROWSERS
from ordws.typed_codes import CODES, write_code


def new_token() -> str:
    """Return 256 random bits as text that fits into a path and a cookie."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest by which a token is recognised; a stolen database gives no token away."""
    return sha256(token.encode()).hexdigest()


def new_code(draw: Callable[[int], int] = secrets.randbelow) -> str:
    """Return a random code; `draw(n)` returns a random number below n."""
    return write_code(draw(CODES))


SESSIONS_SCHEMA: Final = (
    "CREATE TABLE IF NOT EXISTS sessions (digest TEXT PRIMARY KEY, holder TEXT NOT NULL, csrf TEXT NOT NULL,"
    " since INTEGER NOT NULL, seen INTEGER NOT NULL, ends INTEGER NOT NULL) STRICT"
)
MAX_SESSIONS: Final = 20
"""The sessions of one holder: those begun last, so that nobody who signs in again and again fills the disk."""
_SEEN_UPDATE_SECONDS: Final = 60
"""The time of a session's last use is written no more often than that, so that most requests write nothing."""


class Connection(Protocol):
    """A connection to a database of SQLite, encrypted or not."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Any: ...


class Lifetime(NamedTuple):
    """The seconds after which a session ends in any case, and those after which an unused one does."""

    most: int
    idle: int


class StoredSession(NamedTuple):
    """A session: who holds it, the token that changes must repeat, and the time of signing in."""

    holder: str
    csrf: str
    since: int


def begin_session(
    db: Connection, holder: str, now: int, lifetime: Lifetime, *, scope: str = "", csrf: str = "", whose: str = "holder"
) -> str:
    """Begin a session and return its cookie, which is good in this scope alone; a new token is made for `csrf`.

    `whose` is an expression of SQL for what of the holder's text sessions are counted by.
    """
    # Ended sessions are removed here, so that no periodic task has to.
    db.execute("DELETE FROM sessions WHERE ends <= ? OR seen <= ?", (now, now - lifetime.idle))
    cookie = new_token()
    row = (digest(scope + cookie), holder, csrf or new_token(), now, now, now + lifetime.most)
    db.execute("INSERT INTO sessions (digest, holder, csrf, since, seen, ends) VALUES (?, ?, ?, ?, ?, ?)", row)
    db.execute(
        f"DELETE FROM sessions WHERE digest IN (SELECT digest FROM sessions WHERE {whose} ="
        f" (SELECT {whose} FROM sessions WHERE digest = ?) ORDER BY since DESC, rowid DESC LIMIT -1 OFFSET ?)",
        (row[0], MAX_SESSIONS),
    )
    return cookie


def find_session(
    db: Connection, cookie: str, now: int, lifetime: Lifetime, *, scope: str = "", refresh: bool = True
) -> StoredSession | None:
    """Return the session of a cookie; None where there is none or it has ended.

    With `refresh`, the request counts as use, from which the idle time runs anew.
    """
    key = digest(scope + cookie)
    sql = "SELECT holder, csrf, since, seen FROM sessions WHERE digest = ? AND ? < ends AND ? < seen + ?"
    row = db.execute(sql, (key, now, now, lifetime.idle)).fetchone()
    if row and refresh and now >= row[3] + _SEEN_UPDATE_SECONDS:
        db.execute("UPDATE sessions SET seen = ? WHERE digest = ?", (now, key))
    return StoredSession(*row[:3]) if row else None


def end_session(db: Connection, cookie: str, *, scope: str = "") -> None:
    db.execute("DELETE FROM sessions WHERE digest = ?", (digest(scope + cookie),))


def end_sessions(db: Connection, holder: str, *, except_cookie: str = "") -> None:
    """End all sessions of a holder except the one of this cookie."""
    db.execute("DELETE FROM sessions WHERE holder = ? AND digest != ?", (holder, digest(except_cookie)))


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
