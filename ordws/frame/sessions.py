"""The sessions of signed-in browsers, in a table: one that has ended stays ended, whatever cookie is shown.

A browser holds random bits, of which the table has the digest. `ordws restore` ends all sessions. All functions work
within a transaction of the caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

from ordws.frame.tokens import digest, new_token

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
