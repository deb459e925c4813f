"""The sessions of a desk's browsers, and the devices from which somebody has signed in there.

Several desks of one machine may share the file; a cookie is good at the desk that gave it alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ordws.database import Store
from ordws.desk.desk_key import DeskKey
from ordws.frame import sessions
from ordws.frame.sessions import Lifetime, digest
from ordws.retention import DESK_SESSIONS

LIFETIME: Final = Lifetime(most=DESK_SESSIONS.seconds, idle=DESK_SESSIONS.seconds)
"""A player's sign-in holds for a long event; a director's ends earlier (`access.DIRECTOR_HOURS`)."""
_WHOSE: Final = "json_remove(holder, '$.director_since', '$.operator')"
"""Whose a session is: the holder without the time and the sealed key, which differ with each sign-in."""


class Holder(msgspec.Struct, frozen=True):
    """Whom a browser is signed in as: a director, and an entrant of each of some events."""

    director: str = ""
    """The name by which the log calls the director; empty for none."""

    director_since: int = 0
    operator: str = ""
    """The sealed key by which the director signed in on a serving host."""

    client: str = ""
    """The operator whose key that was; empty on a laptop."""

    players: dict[str, tuple[int, str]] = {}
    """By event: the entrant, and the digest of the code that signed them in."""

    @property
    def name(self) -> str:
        """The name under which the browser's requests take turns."""
        return f"director {self.director}" if self.director else f"entrant {min(self.players.items(), default='')}"


_HOLDER: Final = msgspec.json.Decoder(Holder)


class BrowserSession(NamedTuple):
    """The session of a browser that is signed in."""

    cookie: str
    csrf: str
    holder: Holder


class DeskSessions(Store):
    """The sessions and devices of one desk."""

    SCHEMA = f"pragma journal_mode = wal; {sessions.SESSIONS_SCHEMA}; {sessions.DEVICES_SCHEMA};"

    def __init__(self, path: Path, events: Path, key: DeskKey) -> None:
        """Take the file at `path` for the desk of these events under its key."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(path)
        self._scope = f"{key.cookie_scope} {events.resolve()}\0"
        # Browsers send a host's cookies to all its ports, and desks on two of them must not replace each other's.
        self.cookie = f"ordws-desk-{digest(self._scope)[:8]}"
        self.device_cookie = f"{self.cookie}-device"

    def find(self, cookie: str, now: int) -> BrowserSession | None:
        """Return the session of a cookie; None where there is none or it has ended."""
        with self._database as db:
            stored = sessions.find_session(db, cookie, now, LIFETIME, scope=self._scope, refresh=False)
        if stored is None:
            return None
        return BrowserSession(cookie, stored.csrf, _HOLDER.decode(stored.holder))

    def replace(self, before: BrowserSession | None, holder: Holder, now: int, *, csrf: str = "") -> str:
        """End a browser's session and begin one of this holder; return its cookie, empty where it holds nothing."""
        with self._transaction() as db:
            if before is not None:
                sessions.end_session(db, before.cookie, scope=self._scope)
            if not (holder.director or holder.players):
                return ""
            text = msgspec.json.encode(holder).decode()
            return sessions.begin_session(db, text, now, LIFETIME, scope=self._scope, csrf=csrf, whose=_WHOSE)

    def find_device_holder(self, kind: str, token: str) -> str | None:
        """Return under which name somebody of a kind, or of any, has signed in here from the device with this token."""
        with self._database as db:
            holders = sessions.find_holders(db, token)
        prefix = f"{self._scope}{kind}\0" if kind else self._scope
        return next((each for each in holders if each.startswith(prefix)), None)

    def remember_device(self, kind: str, who: str, token: str, now: int) -> str:
        """Remember that somebody of a kind has signed in from a device; return its token."""
        with self._transaction() as db:
            return sessions.remember_device(db, f"{self._scope}{kind}\0{who}", token, now)

    def record_failure(self, holder: str, token: str, now: int) -> None:
        """Count a failure of a known device, which is forgotten after too many in a row."""
        with self._transaction() as db:
            sessions.record_failure(db, holder, sessions.find_count(db, holder, token), now)
