"""A sealed game as its rows define it: a header, then a row for each submission and each time limit that passed.

Tiles that are drawn are recorded in the rows, so that a replay needs no chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import Broken
from ordws.referee.moments import Moment
from ordws.rules.bag import RandomSource, draw_tiles, fill_bag
from ordws.rules.ending import find_proposers
from ordws.rules.event import Drew, Event, RoundOpened, Stood
from ordws.rules.fault import Illegal
from ordws.rules.game import Game, apply_event, current_state, initial_state
from ordws.rules.ruleset import RuleSet
from ordws.rules.state import GameOver, GameState, MayBeChallenged, MayPropose, ToDraw
from ordws.rules.turn_order import tiles_to_draw


def new_game(rules: RuleSet, players: int, chance: RandomSource) -> Game:
    """Return a game with its bag filled and its racks drawn.

    Raises ValueError if the rule set has no game of so many players.
    """
    game = Game(rules, players, fill_bag(rules, chance))
    drawn, _ = run_automatic_events(initial_state(game), chance)
    return replace(game, events=drawn)


def run_automatic_events(state: GameState, chance: RandomSource) -> tuple[tuple[Event, ...], GameState]:
    """Return the events that follow by themselves, and the state after them.

    Tiles are drawn, a play stands if no player is left to challenge it, and after the end follows the unplayed tiles
    round, if there is one.
    """
    events: list[Event] = []
    while True:
        match state.phase:
            case ToDraw((player, *_)):
                event: Event = Drew(player, draw_tiles(state.bag, tiles_to_draw(state, player), chance))
            case MayBeChallenged() if not state.active_players:
                event = Stood()
            case GameOver() if find_proposers(state):
                event = RoundOpened()
            case _:
                return tuple(events), state
        events.append(event)
        state = apply_events(state, event)


def apply_events(state: GameState, *events: Event) -> GameState:
    """Return the state after these events; raises Broken if one does not fit."""
    for event in events:
        following = apply_event(state, event)
        if isinstance(following, Illegal):
            raise Broken(f"a sealed game holds an event that does not fit: {following.fault.value}")
        state = following
    return state


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

    PROPOSED = "proposed"
    """A play was proposed in the unplayed tiles round, or none; the verdict is shown when all proposals are made."""

    SEATED = "seated"
    """A browser took a seat: no turn, like those that follow."""

    SWORN = "sworn"
    ATTESTED = "attested"
    REMATCH = "rematch"
    CALLED_OFF = "called-off"
    EVENT_OVER = "event-over"


NOT_TURNS: Final = frozenset(
    (
        SubmissionOutcome.SEATED,
        SubmissionOutcome.SWORN,
        SubmissionOutcome.ATTESTED,
        SubmissionOutcome.REMATCH,
        SubmissionOutcome.CALLED_OFF,
        SubmissionOutcome.EVENT_OVER,
    )
)
"""The outcomes of rows that are no turns."""

PLAY_OUTCOMES: Final = (
    SubmissionOutcome.STANDS,
    SubmissionOutcome.REJECTED,
    SubmissionOutcome.UNACCEPTABLE,
    SubmissionOutcome.LAID,
)
"""The outcomes of plays, whether they stayed on the board or not."""


PROGRAM: Final = "program"
"""The client of a seat that the program plays, whose player is the program's strength."""
PRACTICE_SECONDS: Final = 3_600
"""The time for which a game against the program is kept after its last move."""


class SeatHolder(NamedTuple):
    """The holder of a seat: a client, or a player of an operator by pseudonym. The name is for the game record."""

    client: str
    player: str | None
    name: str | None

    @property
    def is_program(self) -> bool:
        return self.client == PROGRAM


class SubmissionText(NamedTuple):
    """The text of a submission, in the one form in which it is stored and compared."""

    swaps: tuple[str, ...]
    move: str
    words: tuple[str, ...] = ()
    """The challenged words, or the one that is checked."""

    @property
    def text(self) -> str:
        return " ".join([*self.swaps, self.move, *self.words])


class EventTable(NamedTuple):
    """The place of a game in an event: the event's id and title, round and table, and which game of the two.

    `draw` counts how often the round was drawn, since one that was voided is drawn again.
    """

    event: str
    title: str
    round: int
    table: int
    game: int = 1
    draw: int = 1


@dataclass(frozen=True)
class GameHeader:
    """The facts about a game that are fixed when it is opened."""

    game: str
    """The id of the game."""

    edition: int
    edition_name: str
    began: Moment
    expires: int
    """The second since 1970 at which the game is over for all."""

    seats: tuple[SeatHolder, ...]
    dealt_game: Game
    """The rules, the bag, and the first draws."""

    needs_promises: bool = False
    """Whether the game begins when every seat is taken and sworn, as games with invitations do."""

    event_table: EventTable | None = None
    """The place of the game in an event, of whose tables it is one."""

    @property
    def program_seat(self) -> int | None:
        """The seat that the program plays; None in games of people."""
        return next((seat for seat, holder in enumerate(self.seats) if holder.is_program), None)


class SeatNote(NamedTuple):
    """A row that is no turn, before it has a number and a time."""

    seat: int
    outcome: SubmissionOutcome
    facts: RowNote


class GameRow(NamedTuple):
    """One stored turn, or a note on a seat.

    The row for a passed time limit has no submission, and the seat of the player whose time was up.
    """

    seat: int
    submitted: SubmissionText | None
    moment: Moment
    """The server's time, at which the next clock starts: how long a verdict took belongs to nobody."""

    outcome: SubmissionOutcome
    events: tuple[Event, ...]
    note: RowNote | None = None
    """The facts of a row that is no turn."""

    credit: int = 0
    """The milliseconds of its player's time that were the network's, and are not counted."""

    grace: int = 0
    """The milliseconds after the end of the time of the player on the clock that are not counted either."""

    @property
    def is_turn(self) -> bool:
        return self.outcome not in NOT_TURNS

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
    def clock_started(self) -> Moment:
        """The moment the running clock was started: at the last turn, or when the last player had sworn."""
        for row in reversed(self.rows):
            if row.is_turn or row.outcome is SubmissionOutcome.SWORN:
                return row.moment
        return self.header.began

    @property
    def expires(self) -> int:
        """The second since 1970 at which the game is over for all: of practice soon after its last move."""
        if self.header.program_seat is None:
            return self.header.expires
        return min(self.header.expires, self.clock_started.milliseconds // 1_000 + PRACTICE_SECONDS)

    @cached_property
    def seat_records(self) -> tuple[SeatRecord, ...]:
        """The facts about the holders of the seats, in the order of play."""
        records = [SeatRecord() for _ in self.header.seats]
        for row in self.rows:
            record = records[row.seat]
            match row.outcome, row.note:
                case _, Seating(generation, invited, name):
                    records[row.seat] = record._replace(generation=generation, invited=invited, name=name)
                case SubmissionOutcome.SWORN, Promise():
                    records[row.seat] = record._replace(has_sworn=True)
                case SubmissionOutcome.ATTESTED, Promise():
                    records[row.seat] = record._replace(has_attested=True)
                case _:
                    pass
        return tuple(records)

    @cached_property
    def is_waiting(self) -> bool:
        """True before the game begins, while a seat is free or its player has not sworn."""
        return self.header.needs_promises and not all(record.has_sworn for record in self.seat_records)

    @cached_property
    def is_called_off(self) -> bool:
        """True where the game does not go on: its event went on without it, or a player called it off in time."""
        return any(isinstance(row.note, CalledOff) for row in self.rows)

    @cached_property
    def is_event_over(self) -> bool:
        """True where its event has told that it is over, so that the game may be reviewed."""
        return any(isinstance(row.note, EventOver) for row in self.rows)

    @property
    def called_off_by(self) -> int | None:
        """The seat whose player called the game off; None where nobody did, or its event."""
        if self.header.event_table is not None:
            return None
        return next((row.seat for row in self.rows if isinstance(row.note, CalledOff)), None)

    @property
    def may_be_called_off(self) -> bool:
        """True until a play is made, in a game that is of no event."""
        is_over = isinstance(self.state.phase, GameOver) or self.is_called_off
        return not (is_over or self.header.event_table or any(row.outcome in PLAY_OUTCOMES for row in self.rows))

    @property
    def seat_names(self) -> tuple[str | None, ...]:
        """The names of the players: as the game was opened with them, or as they gave them themselves."""
        return tuple(
            [holder.name or record.name for holder, record in zip(self.header.seats, self.seat_records, strict=True)]
        )

    @property
    def rematch(self) -> str | None:
        """The id of the next game of the same players, if one of them has opened it."""
        return next((row.note.game for row in self.rows if isinstance(row.note, RematchOpened)), None)

    def find_turn(self, number: int, seat: int) -> int | None:
        """Return the number of the first row from this one on that is the turn of a seat's move; None if none is yet.

        A seat may change hands while a move is under way, so that the move's row has a later number. So it has where
        two players propose at once (docs/rules.md 9.5).
        """
        for at in range(number, self.turn):
            row, before = self.rows[at - 1], self.states[at - 1].phase
            if row.is_turn and (row.seat == seat or not isinstance(before, MayPropose)):
                return at
        return None

    @property
    def last_turn(self) -> int | None:
        """The number of the row of the last turn; None before the first."""
        return next((at for at in range(len(self.rows), 0, -1) if self.rows[at - 1].is_turn), None)

    @property
    def game(self) -> Game:
        """The whole game as events."""
        dealt = self.header.dealt_game
        events = [event for row in self.rows for event in row.events]
        return Game(dealt.rules, dealt.players, dealt.bag, (*dealt.events, *events))

    def with_row(self, row: GameRow, state: GameState | None = None) -> SealedGame:
        """Return the game with its next row; `state` is the state after it, where that is known."""
        after = state or apply_events(self.state, *row.events)
        return SealedGame(self.header, (*self.rows, row), (*self.states, after))

    def at_row(self, number: int) -> SealedGame:
        """Return the game as it was after that row."""
        return SealedGame(self.header, self.rows[:number], self.states[: number + 1])
