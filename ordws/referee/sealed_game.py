"""A sealed game as its rows tell it: a header, then one row for each submission, or for a flag that fell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ordws.referee.deal import apply_events
from ordws.rules.event import Event
from ordws.rules.game import Game, current_state
from ordws.rules.state import GameState


class SubmissionOutcome(Enum):
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


class SeatHolder(NamedTuple):
    """Who has a seat: a client, or a player of an operator's by his pseudonym. The name is for the record."""

    client: str
    player: str | None
    name: str | None


class SubmissionText(NamedTuple):
    """What a seat has sent, in the one form in which it is kept and compared."""

    swaps: tuple[str, ...]
    move: str
    words: tuple[str, ...] = ()
    """Those challenged, or the one that is checked."""

    @property
    def text(self) -> str:
        return " ".join([*self.swaps, self.move, *self.words])


@dataclass(frozen=True)
class GameHeader:
    """What a game began with, and keeps."""

    game: str
    """Its id."""

    edition: int
    edition_name: str
    began: int
    expires: int
    seats: tuple[SeatHolder, ...]
    dealt_game: Game
    """The rules, the bag, and the draws of the opening."""


class GameRow(NamedTuple):
    """One turn as it is kept. Of a flag nothing was asked, and the seat is his whose time is up."""

    seat: int
    submitted: SubmissionText | None
    moment: int
    """The server's time, from which the next clock runs."""

    outcome: SubmissionOutcome
    events: tuple[Event, ...]

    def answers(self, seat: int, asked: SubmissionText) -> bool:
        """Whether this is the row of that very submission."""
        return (self.seat, self.submitted) == (seat, asked)


@dataclass(frozen=True)
class SealedGame:
    """A game with its rows; where it stood after each follows from them."""

    header: GameHeader
    rows: tuple[GameRow, ...]
    states: tuple[GameState, ...]
    """One more than rows: that of the opening comes first."""

    @classmethod
    def from_rows(cls, header: GameHeader, rows: Sequence[GameRow]) -> SealedGame:
        """The table of these rows; raises Broken where they do not fit."""
        states = [current_state(header.dealt_game)]
        for row in rows:
            states.append(apply_events(states[-1], *row.events))
        return cls(header, tuple(rows), tuple(states))

    @property
    def state(self) -> GameState:
        return self.states[-1]

    @property
    def turn(self) -> int:
        """The number that the next row will have."""
        return len(self.rows) + 1

    @property
    def clock_started(self) -> int:
        """Since when the clock runs that is running."""
        return self.rows[-1].moment if self.rows else self.header.began

    @property
    def game(self) -> Game:
        """The whole game as events."""
        dealt = self.header.dealt_game
        happened = [event for row in self.rows for event in row.events]
        return Game(dealt.rules, dealt.players, dealt.bag, (*dealt.events, *happened))

    def with_row(self, row: GameRow) -> SealedGame:
        return SealedGame(self.header, (*self.rows, row), (*self.states, apply_events(self.state, *row.events)))

    def at_row(self, number: int) -> SealedGame:
        """The table as it was when that row had been written."""
        return SealedGame(self.header, self.rows[:number], self.states[: number + 1])
