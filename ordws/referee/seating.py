"""The rows of a sealed game that are no turns: seats taken, promises, the rematch, a game called off, an event over.

Promises are those of docs/rules.md 10.5.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Seating(NamedTuple):
    """A seat is taken by a browser: by invitation, or from another browser by the seat's recovery code."""

    generation: int
    """The number of times that the seat has been taken; cookies of earlier generations are void."""
    invited: int
    """The generation that was the last to be taken by invitation, whose recovery code is valid; 0: none was."""
    name: str | None


class Promise(NamedTuple):
    """An oath before the game, or an attestation after it, by the version and digest of its wording."""

    version: int
    digest: str


class RematchOpened(NamedTuple):
    """The next game of the same players."""

    game: str


class CalledOff(NamedTuple):
    """The end of a game of an event without a result: nobody takes a seat, the oath or a turn any more."""


class EventOver(NamedTuple):
    """The end of the event of which a finished game was one."""


RowNote: TypeAlias = Seating | Promise | RematchOpened | CalledOff | EventOver


class SeatRecord(NamedTuple):
    """The facts that the rows tell about the holder of a seat."""

    generation: int = 0
    invited: int = 0
    name: str | None = None
    has_sworn: bool = False
    has_attested: bool = False

    @property
    def is_taken(self) -> bool:
        """Return True where a browser has taken the seat, or a program has sworn for it by its seat token."""
        return self.generation > 0 or self.has_sworn
