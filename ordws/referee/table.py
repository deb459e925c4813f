"""A sealed game as its rows tell it: a header, then one row for each submission, or for a flag that fell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ordws.referee.deal import happen
from ordws.rules.event import Event
from ordws.rules.game import Game, current_state
from ordws.rules.state import GameState


class Outcome(Enum):
    """What became of a submission."""

    STANDS = "stands"
    REJECTED = "rejected"
    """A word was not acceptable: the play came off, and the turn is over."""

    UNACCEPTABLE = "unacceptable"
    """A word was not acceptable, and the rules know no such play: the same player makes another move."""

    LAID = "laid"
    """Nothing was looked up: the play can be challenged."""

    EXCHANGED = "exchanged"
    PASSED = "passed"
    UPHELD = "upheld"
    FAILED = "failed"
    FOUND = "found"
    NOT_FOUND = "not-found"
    RESIGNED = "resigned"
    TIME_UP = "time-up"


class Sitter(NamedTuple):
    """Who has a seat: a client, or a player of an operator's by his pseudonym. The name is for the record."""

    client: str
    player: str | None
    name: str | None


class Asked(NamedTuple):
    """What a seat has sent, in the one form in which it is kept and compared."""

    swaps: tuple[str, ...]
    move: str
    words: tuple[str, ...] = ()
    """Those challenged, or the one that is checked."""

    @property
    def text(self) -> str:
        return " ".join([*self.swaps, self.move, *self.words])


@dataclass(frozen=True)
class Header:
    """What a game began with, and keeps."""

    game: str
    """Its id."""

    edition: int
    edition_name: str
    began: int
    expires: int
    seats: tuple[Sitter, ...]
    dealt: Game
    """The rules, the bag, and the draws of the opening."""


class Row(NamedTuple):
    """One turn as it is kept. Of a flag nothing was asked, and the seat is his whose time is up."""

    seat: int
    asked: Asked | None
    moment: int
    """The server's time, from which the next clock runs."""

    outcome: Outcome
    events: tuple[Event, ...]

    def answers(self, seat: int, asked: Asked) -> bool:
        """Whether this is the row of that very submission."""
        return (self.seat, self.asked) == (seat, asked)


@dataclass(frozen=True)
class Table:
    """A game with its rows; where it stood after each follows from them."""

    header: Header
    rows: tuple[Row, ...]
    states: tuple[GameState, ...]
    """One more than rows: that of the opening comes first."""

    @classmethod
    def laid(cls, header: Header, rows: Sequence[Row]) -> Table:
        """The table of these rows; raises Broken where they do not fit."""
        states = [current_state(header.dealt)]
        for row in rows:
            states.append(happen(states[-1], *row.events))
        return cls(header, tuple(rows), tuple(states))

    @property
    def state(self) -> GameState:
        return self.states[-1]

    @property
    def turn(self) -> int:
        """The number that the next row will have."""
        return len(self.rows) + 1

    @property
    def moment(self) -> int:
        """Since when the clock runs that is running."""
        return self.rows[-1].moment if self.rows else self.header.began

    @property
    def game(self) -> Game:
        """The whole game as events."""
        dealt = self.header.dealt
        happened = [event for row in self.rows for event in row.events]
        return Game(dealt.rules, dealt.players, dealt.bag, (*dealt.events, *happened))

    def after(self, row: Row) -> Table:
        return Table(self.header, (*self.rows, row), (*self.states, happen(self.state, *row.events)))

    def until(self, number: int) -> Table:
        """The table as it was when that row had been written."""
        return Table(self.header, self.rows[:number], self.states[: number + 1])
