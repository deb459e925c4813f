"""The games of an event, as its desk asks for them and is told of them; no reply has a word of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct


class TableOfEvent(Struct, frozen=True, kw_only=True):
    """A game of an event by its place, with its players in the order of play, and its rules.

    `event` is the id of the event, and `title` its name for players. `players` are pairs of the pseudonym that is
    charged and of the name that is shown. `game` is the first or second game of the round, and `draw` counts how often
    the round was drawn.
    """

    event: str
    title: str
    round: int
    table: int
    players: Sequence[tuple[str, str]]
    game: int = 1
    draw: int = 1
    rules: str | None = None
    options: Mapping[str, Any] | None = None
    clock: int | None = None


class SeatToShow(Struct, frozen=True):
    """A seat of a game of an event; its player alone may be shown the invitation, which the repr leaves out."""

    player: str
    name: str
    invitation: str

    def __repr__(self) -> str:
        return f"SeatToShow(player={self.player!r})"


class OpenedEventGame(Struct, frozen=True):
    """The sealed game of a table of an event, the same however often it is asked for."""

    game: str
    rules: str
    edition: str
    expires: datetime
    seats: list[SeatToShow]


class StationBound(Struct, frozen=True):
    """A game of an event that a table station is to play."""

    game: str
    device: int


class SeatOfEventGame(Struct, frozen=True):
    """A seat of a game of an event; its result is None until the game is over."""

    name: str | None
    taken: bool | None = None
    sworn: bool | None = None
    """Whether its player has taken the oath; with `taken` None at a station."""
    score: int | None = None
    turn_points: int | None = None
    turns: int | None = None
    left: str | None = None
    """The reason for which its player left the game: time-up, resigned, overtime or challenge."""
    attested: bool | None = None


class EventGame(Struct, frozen=True):
    """A game of an event: waiting, running, over, called-off, or unknown to the service."""

    game: str
    kind: str | None
    """Sealed or station; None where it is unknown."""
    status: str
    seats: list[SeatOfEventGame]
    winners: list[int] = []
    ending: str | None = None
    ended: datetime | None = None
    digest: str | None = None
    """The SHA-256 of its record."""
    late_noes: int = 0
    """The plays at a station that were found bad late, on which a director decides."""


class EventGames(Struct, frozen=True):
    """Games of an event, in the order in which they were asked for."""

    games: list[EventGame]
