"""Reading of a game's stream, and the pauses before it is opened again; no network is used here."""

from __future__ import annotations

from random import Random
from typing import Final, NamedTuple

import msgspec

from ordws.client.errors import StreamReplaced
from ordws.client.retry import SYSTEM_RANDOM

SILENCE_SECONDS: Final = 20.0
"""The time after which a silent stream is given up; it has a heartbeat every 15 seconds."""
FIRST_REOPENING_SECONDS: Final = 1.0
MAX_REOPENING_SECONDS: Final = 30.0


class Woken(NamedTuple):
    """News of a game: the number of its rows, and the nonce that measures the network by coming back."""

    row: int
    nonce: str


class EventReader:
    """A reader of the lines of a stream of events."""

    def __init__(self) -> None:
        self._event = self._data = ""
        self._row: int | None = None

    def read_line(self, line: str) -> Woken | None:
        """Return news, if this line completes it; raise StreamReplaced."""
        if line:
            name, _, value = line.partition(":")
            if name == "event":
                self._event = value.strip()
            elif name == "data":
                self._data = value.strip()
            return None
        event, self._event = self._event, ""
        try:
            decoded = msgspec.json.decode(self._data.encode())
        except msgspec.DecodeError:
            return None
        data = decoded if isinstance(decoded, dict) else {}
        if event == "replaced":
            raise StreamReplaced
        if event == "row" and isinstance(row := data.get("row"), int):
            self._row = row
        # The nonce comes right after the row that it belongs to.
        elif event == "nonce" and self._row is not None and isinstance(nonce := data.get("nonce"), str):
            return Woken(self._row, nonce)
        return None


class Reopening:
    """The times at which a stream that ended, or could not be opened, is tried again."""

    def __init__(self, rng: Random = SYSTEM_RANDOM) -> None:
        self._rng = rng
        self._pause = FIRST_REOPENING_SECONDS
        self._due = 0.0
        self._opened = 0.0

    def begin(self, now: float) -> bool:
        """Return whether the stream is to be opened now."""
        if now < self._due:
            return False
        self._opened = now
        return True

    def end(self, now: float) -> None:
        """Set the next time: soon after a stream that held, and ever later after those that did not."""
        held = now - self._opened > SILENCE_SECONDS
        self._pause = FIRST_REOPENING_SECONDS if held else min(self._pause * 2, MAX_REOPENING_SECONDS)
        self._due = now + self._pause * (1 + self._rng.random()) / 2
