"""The news that a store tells of sealed games without their key: how many rows a game has, and who may listen to it.

The stream process reads it (`ordws/stream`), which has neither the games key nor the rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

NEWS_CHANNEL: Final = "ordws:news"
"""The channel on which a Redis server tells every host of a new row."""

_MESSAGE: Final = re.compile(rb"([!-~]{1,64}) ([0-9]{1,9})(?: ([0-9]) ([0-9]{1,9}))?")


class SeatHandover(NamedTuple):
    """A seat, and how many times it has been taken; the browsers that had it before may not listen any more."""

    seat: int
    generation: int


class RowStored(NamedTuple):
    """A row of a game that was stored, and the seat that it gives to another browser, if it does."""

    game: str
    number: int
    taken: SeatHandover | None = None

    def encode(self) -> bytes:
        """Return the message that tells of it, in ASCII."""
        seat = "" if self.taken is None else f" {self.taken.seat} {self.taken.generation}"
        return f"{self.game} {self.number}{seat}".encode()

    @classmethod
    def decode(cls, message: bytes) -> RowStored | None:
        """Read such a message; None where it is none."""
        match = _MESSAGE.fullmatch(message)
        if match is None:
            return None
        game, number, seat, generation = match.groups()
        taken = None if seat is None else SeatHandover(int(seat), int(generation))
        return cls(game.decode(), int(number), taken)


class GameNews(NamedTuple):
    """The state of a game, as far as the stream may know it."""

    rows: int
    """The number of rows so far, without the header."""
    generations: Mapping[int, int]
    """How many times each seat has been taken, by seat; a seat that was never taken is left out."""


class NewsReader(Protocol):
    """A reader of the news of one store, for one thread at a time. Both methods raise StoreDown."""

    def read(self, game: str, now: int) -> GameNews | None:
        """Return the state of a game; None if it is unknown or has expired."""

    def changes(self) -> list[RowStored]:
        """Return the rows that were stored since the last call, and maybe some earlier ones again.

        What was stored before a game was first read is left out: whoever begins to listen reads the state of the game.
        """

    def close(self) -> None:
        """Close the connection; the next call opens it again."""
