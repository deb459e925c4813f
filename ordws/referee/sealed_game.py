"""A sealed game as its rows define it: a header, then a row for each submission and each time limit that passed."""

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
    """The outcome of a submission."""

    STANDS = "stands"
    REJECTED = "rejected"
    """A word was not acceptable: the play is withdrawn, and the turn is over."""

    UNACCEPTABLE = "unacceptable"
    """A word was not acceptable, and the rules void such a play: the same player makes another move."""

    LAID = "laid"
    """No word was looked up: the play can be challenged."""

    EXCHANGED = "exchanged"
    PASSED = "passed"
    UPHELD = "upheld"
    FAILED = "failed"
    FOUND = "found"
    NOT_FOUND = "not-found"
    RESIGNED = "resigned"
    TIME_UP = "time-up"


class SeatHolder(NamedTuple):
    """The holder of a seat: a client, or a player of an operator by pseudonym. The name is for the game record."""

    client: str
    player: str | None
    name: str | None


class SubmissionText(NamedTuple):
    """The text of a submission, in the one form in which it is stored and compared."""

    swaps: tuple[str, ...]
    move: str
    words: tuple[str, ...] = ()
    """The challenged words, or the one that is checked."""

    @property
    def text(self) -> str:
        return " ".join([*self.swaps, self.move, *self.words])


@dataclass(frozen=True)
class GameHeader:
    """The facts about a game that are fixed when it is opened."""

    game: str
    """The id of the game."""

    edition: int
    edition_name: str
    began: int
    expires: int
    seats: tuple[SeatHolder, ...]
    dealt_game: Game
    """The rules, the bag, and the first draws."""


class GameRow(NamedTuple):
    """One stored turn.

    The row for a passed time limit has no submission, and the seat of the player whose time was up.
    """

    seat: int
    submitted: SubmissionText | None
    moment: int
    """The server's time, at which the next clock starts."""

    outcome: SubmissionOutcome
    events: tuple[Event, ...]

    def answers(self, seat: int, submitted: SubmissionText) -> bool:
        """Return whether this is the row of that very submission."""
        return (self.seat, self.submitted) == (seat, submitted)


@dataclass(frozen=True)
class SealedGame:
    """A game with its rows, and the state after each."""

    header: GameHeader
    rows: tuple[GameRow, ...]
    states: tuple[GameState, ...]
    """The state after the header, then after each row."""

    @classmethod
    def from_rows(cls, header: GameHeader, rows: Sequence[GameRow]) -> SealedGame:
        """Replay these rows; raises Broken if one does not fit."""
        states = [current_state(header.dealt_game)]
        for row in rows:
            states.append(apply_events(states[-1], *row.events))
        return cls(header, tuple(rows), tuple(states))

    @property
    def state(self) -> GameState:
        return self.states[-1]

    @property
    def turn(self) -> int:
        """The number of the next row."""
        return len(self.rows) + 1

    @property
    def clock_started(self) -> int:
        """The moment the running clock was started."""
        return self.rows[-1].moment if self.rows else self.header.began

    @property
    def game(self) -> Game:
        """The whole game as events."""
        dealt = self.header.dealt_game
        events = [event for row in self.rows for event in row.events]
        return Game(dealt.rules, dealt.players, dealt.bag, (*dealt.events, *events))

    def with_row(self, row: GameRow) -> SealedGame:
        return SealedGame(self.header, (*self.rows, row), (*self.states, apply_events(self.state, *row.events)))

    def at_row(self, number: int) -> SealedGame:
        """Return the game as it was after that row."""
        return SealedGame(self.header, self.rows[:number], self.states[: number + 1])
