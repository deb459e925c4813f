"""Where a game stands: all that the referee knows, derived from the events alone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from ordws.rules.bag import sort_tiles
from ordws.rules.board import Board
from ordws.rules.event import ScoreEntryKind
from ordws.rules.move import Legal, Move
from ordws.rules.ruleset import RuleSet


class DepartureReason(Enum):
    """How a player is out of a game that goes on."""

    TIME_UP = "time-up"
    RESIGNED = "resigned"
    OVERTIME = "overtime"
    CHALLENGE = "challenge"


class Departure(NamedTuple):
    """How a player left, and how many turns had been taken by then."""

    reason: DepartureReason
    turns: int


class PlayerState(NamedTuple):
    """A player: the tiles in alphabetical order with the blanks last, the time used, and whether he is still in."""

    rack: str
    seconds: int = 0
    departure: Departure | None = None

    @property
    def has_lost(self) -> bool:
        """Whether the game is lost whatever the score; who ran out of time may still win. (RULES 8.2)"""
        return self.departure is not None and self.departure.reason is not DepartureReason.TIME_UP


class TurnOutcome(Enum):
    """What became of a turn."""

    MADE = "made"
    OFF = "off"
    """The play was rejected, or challenged off."""

    LOST = "lost"
    """No move was made: a challenge had failed, or the time of the turn was up."""

    CAUGHT = "caught"
    """The play was found to be bad when other words hung on it: its tiles stay, its points do not."""

    REMOVED = "removed"
    """The play was found to be bad later, and its tiles are back in the bag."""


class Turn(NamedTuple):
    """A turn taken. Its points are those that count: a play's score, or what a check of the OSPD cost. (RULES A-44)"""

    player: int
    move: Move
    points: int
    outcome: TurnOutcome
    bag_count: int
    """How many tiles were in the bag when the turn began."""

    ruling: Legal | None = None
    """Of a play: its words, and its score when it was made."""

    @property
    def added_tiles(self) -> bool:
        """Whether the board has tiles from this turn. (RULES 7.2)"""
        return self.ruling is not None and self.outcome in (TurnOutcome.MADE, TurnOutcome.CAUGHT)


class ScoreEntry(NamedTuple):
    """Points that no turn earned."""

    player: int
    points: int
    kind: ScoreEntryKind
    reason: str = ""


class EndReason(Enum):
    """Why a game is over."""

    OUT = "out"
    SCORELESS = "scoreless"
    """So many turns in a row scored nothing."""

    IDLE = "idle"
    """The bag being low, or empty, play went round with nothing added to the board."""

    TIME = "time"
    """No time is left, or who has some has no more to play for. (RULES 8.2, A-28)"""

    FORFEIT = "forfeit"
    """All but one have lost: they resigned, were far over time, or lost a challenge that costs the game."""


@dataclass(frozen=True)
class ToDraw:
    """These players have tiles to draw, after a turn of the last player."""

    players: tuple[int, ...]
    last: int


@dataclass(frozen=True)
class ToMove:
    """It is this player's turn: swaps, then a move."""

    player: int


@dataclass(frozen=True)
class MayReplay:
    """The rejected play was in the OSPD: the turn goes on with swaps, and another play or a pass. (RULES 6.4, A-08)"""

    player: int


@dataclass(frozen=True)
class MayCheckOspd:
    """The last turn's play was rejected; its player may have it looked up. `words` are those he can still name."""

    player: int
    ruling: Legal
    words: tuple[str, ...]


@dataclass(frozen=True)
class MayBeChallenged:
    """The last turn's play lies on the board, and its points count, unless somebody doubts it."""

    player: int
    ruling: Legal


@dataclass(frozen=True)
class GameOver:
    """The game is over."""

    reason: EndReason


Phase: TypeAlias = ToDraw | ToMove | MayReplay | MayCheckOspd | MayBeChallenged | GameOver


class GameState(NamedTuple):
    """Where a game stands."""

    rules: RuleSet
    board: Board
    bag: str
    exchanged_tiles: str
    """Tiles given back in an exchange, which join the bag when the others have been drawn."""

    seats: tuple[PlayerState, ...]
    phase: Phase
    turns: tuple[Turn, ...] = ()
    entries: tuple[ScoreEntry, ...] = ()
    lost_turns: tuple[int, ...] = ()
    """Who lose their next turn to a challenge that failed; twice there, the next two."""

    @property
    def scores(self) -> tuple[int, ...]:
        """What each player has; may be below zero. (RULES A-16)"""
        totals = [0] * len(self.seats)
        for turn in self.turns:
            totals[turn.player] += turn.points
        for entry in self.entries:
            totals[entry.player] += entry.points
        return tuple(totals)

    @property
    def active_players(self) -> list[int]:
        """Who are still in the game."""
        return [player for player, seat in enumerate(self.seats) if seat.departure is None]

    @property
    def player_to_move(self) -> int | None:
        """Whose turn it is; None while tiles are drawn or a play is in question, and when the game is over."""
        return self.phase.player if isinstance(self.phase, ToMove | MayReplay) else None

    @property
    def completed_turns(self) -> int:
        """How many turns are over; one whose play is in question is not."""
        return len(self.turns) - isinstance(self.phase, MayCheckOspd | MayBeChallenged)

    def turn_totals(self, player: int) -> tuple[int, int]:
        """How many turns a player took and what they earned, for his points a turn. (RULES 10.2, A-44)"""
        points = [turn.points for turn in self.turns if turn.player == player]
        return len(points), sum(points)

    def with_seat(self, player: int, seat: PlayerState) -> GameState:
        return self._replace(seats=(*self.seats[:player], seat, *self.seats[player + 1 :]))

    def with_rack(self, player: int, tiles: str) -> GameState:
        return self.with_seat(player, self.seats[player]._replace(rack=sort_tiles(tiles)))

    def with_turn(self, turn: Turn) -> GameState:
        return self._replace(turns=(*self.turns, turn))

    def with_entry(self, entry: ScoreEntry) -> GameState:
        return self._replace(entries=(*self.entries, entry))
