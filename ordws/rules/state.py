"""The state of a game: everything the referee knows, derived from the events alone, and what of it a player may see.

For the browser, ordws/web/pages/static/game-state.js has the state of a kept game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from ordws.rules.bag import pool, sort_tiles
from ordws.rules.board import Board
from ordws.rules.event import ScoreEntryKind
from ordws.rules.move import Legal, Move
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import as_drawn


class DepartureReason(Enum):
    """The reason why a player is out of a game that goes on."""

    TIME_UP = "time-up"
    RESIGNED = "resigned"
    OVERTIME = "overtime"
    CHALLENGE = "challenge"


class Departure(NamedTuple):
    """The departure of a player, and the number of turns completed by then."""

    reason: DepartureReason
    turns: int


class PlayerState(NamedTuple):
    """A player: the rack in alphabetical order with the blanks last, the time used, and the departure if any."""

    rack: str
    milliseconds: int = 0
    departure: Departure | None = None

    @property
    def has_lost(self) -> bool:
        """True if the player has lost whatever the score; not if only the time is up (docs/rules.md 8.2)."""
        return self.departure is not None and self.departure.reason is not DepartureReason.TIME_UP


class TurnOutcome(Enum):
    """The outcome of a turn."""

    MADE = "made"
    OFF = "off"
    """The play was rejected, or came off after a challenge."""

    LOST = "lost"
    """No move was made, because of a challenge that had failed or because the time of the turn was up."""

    CAUGHT = "caught"
    """The play was found to be bad while later words depend on it: its tiles stay, its points do not."""

    REMOVED = "removed"
    """The play was found to be bad, and its tiles are back in the bag."""


class Turn(NamedTuple):
    """A turn; its points are those of the play, or the deduction of a check of the OSPD (docs/rules.md A-44)."""

    player: int
    move: Move
    points: int
    outcome: TurnOutcome
    bag_count: int
    """The number of tiles in the bag when the turn began."""

    ruling: Legal | None = None
    """The ruling on a play: its words, and its score when it was made."""

    @property
    def added_tiles(self) -> bool:
        """True if tiles of this turn lie on the board (docs/rules.md 7.2)."""
        return self.ruling is not None and self.outcome in (TurnOutcome.MADE, TurnOutcome.CAUGHT)


class ScoreEntry(NamedTuple):
    """Points that no turn earned."""

    player: int
    points: int
    kind: ScoreEntryKind
    reason: str = ""


class Proposal(NamedTuple):
    """A play proposed in the unplayed tiles round, None for none, and its reward (docs/rules.md 9.5)."""

    player: int
    ruling: Legal | None
    is_acceptable: bool
    points: int


class EndReason(Enum):
    """The reason why a game is over (docs/rules.md 7.2)."""

    OUT = "out"
    SCORELESS = "scoreless"
    """The turns in a row that added nothing to the board reached the limit of the rule set."""

    IDLE = "idle"
    """A cycle of turns added nothing to the board while the bag was low, or empty."""

    TIME = "time"
    """No player has time left, or the one who has it has nothing more to play for (docs/rules.md 8.2, A-28)."""

    FORFEIT = "forfeit"
    """All players but one have lost: they resigned, were too far over time, or lost a challenge that costs the game."""


@dataclass(frozen=True)
class ToDraw:
    """The phase in which `players` have tiles to draw, after a turn of player `last`."""

    players: tuple[int, ...]
    last: int


@dataclass(frozen=True)
class ToMove:
    """The phase in which a player swaps blanks and makes a move."""

    player: int


@dataclass(frozen=True)
class MayReplay:
    """The phase after a rejected play was found in the OSPD: swaps, then another play or a pass (docs/rules.md 6.4)."""

    player: int


@dataclass(frozen=True)
class MayCheckOspd:
    """The phase after a play was rejected: its player may check the OSPD, in Dover's form for one of `words`."""

    player: int
    ruling: Legal
    words: tuple[str, ...]


@dataclass(frozen=True)
class MayBeChallenged:
    """The phase after a play that counts unless an opponent challenges it."""

    player: int
    ruling: Legal


@dataclass(frozen=True)
class MayPropose:
    """The phase of the unplayed tiles round, in which `players` have yet to propose (docs/rules.md 9.5).

    The game has ended for `reason`, and nobody moves any more.
    """

    reason: EndReason
    players: tuple[int, ...]


@dataclass(frozen=True)
class GameOver:
    """The phase after the end of the game."""

    reason: EndReason


Phase: TypeAlias = ToDraw | ToMove | MayReplay | MayCheckOspd | MayBeChallenged | MayPropose | GameOver


class GameState(NamedTuple):
    """The state of a game."""

    rules: RuleSet
    board: Board
    bag: str
    exchanged_tiles: str
    """Tiles given back in an exchange, which join the bag after the draw."""

    seats: tuple[PlayerState, ...]
    phase: Phase
    turns: tuple[Turn, ...] = ()
    entries: tuple[ScoreEntry, ...] = ()
    lost_turns: tuple[int, ...] = ()
    """The players who lose their next turn because a challenge failed; a player who stands here twice loses two."""

    proposals: tuple[Proposal, ...] = ()
    """The proposals of the unplayed tiles round, which are shown to nobody before the last one."""

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player, which may be below zero (docs/rules.md A-16)."""
        totals = [0] * len(self.seats)
        for turn in self.turns:
            totals[turn.player] += turn.points
        for entry in self.entries:
            totals[entry.player] += entry.points
        return tuple(totals)

    @property
    def active_players(self) -> list[int]:
        """The players who are still in the game."""
        return [player for player, seat in enumerate(self.seats) if seat.departure is None]

    @property
    def player_to_move(self) -> int | None:
        """The player whose turn it is; None during a draw, while a play is in question, and after the end."""
        return self.phase.player if isinstance(self.phase, ToMove | MayReplay) else None

    @property
    def completed_turns(self) -> int:
        """The number of turns that are over; the turn of a play in question is not."""
        return len(self.turns) - isinstance(self.phase, MayCheckOspd | MayBeChallenged)

    def turn_totals(self, player: int) -> tuple[int, int]:
        """Return the number and the points of a player's turns, for the points per turn (docs/rules.md 10.2, A-44)."""
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


def visible_racks(state: GameState, player: int) -> tuple[str | None, ...]:
    """Return each rack as one player may see it; None for a rack that is hidden from that player."""
    # Two players show their final racks once the bag is empty (docs/rules.md 9.4).
    is_exposed = state.rules.expose_final_rack and len(state.seats) == 2 and not state.bag
    is_open = isinstance(state.phase, GameOver | MayPropose) or is_exposed
    return tuple([seat.rack if is_open or at == player else None for at, seat in enumerate(state.seats)])


def unseen_tiles(state: GameState, player: int) -> dict[str, int]:
    """Return how many of each tile a player cannot see, of the whole pool: nobody knows what a scoop left out."""
    seen = Counter("".join([as_drawn(state.board.across), *[rack for rack in visible_racks(state, player) if rack]]))
    return dict(Counter(pool(state.rules)) - seen)
