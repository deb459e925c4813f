"""Where a recorded game stands while it is played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.gcg_extensions import GameEnded, GcgExtension, PlayerLeft, SwapsBefore
from ordws.records.record import GcgEvent, Player
from ordws.records.score_sheet import ScoreSheet
from ordws.records.tile_distributions import TileDistribution
from ordws.records.tile_tracker import TileTracker
from ordws.rules.board import empty_board
from ordws.rules.fault import Illegal
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap
from ordws.rules.tiles import BLANK

Square: TypeAlias = tuple[int, int]

_BOARD_DOUBTS: Final = frozenset((FindingKind.PLACEMENT, FindingKind.WITHDRAWAL, FindingKind.BAG, FindingKind.LINE))
_MAX_IDLE_TURNS: Final = 24
"""No rule set waits for more turns."""


class PlacedPlay(NamedTuple):
    """A play whose tiles lie on the board."""

    move: int
    """Its number among the moves."""

    seat: int
    event: GcgEvent
    points: int
    ruling: Legal | None
    """None where it does not fit."""

    tiles: dict[Square, str]
    """What was put where, as a board writes it."""

    idle_bag_counts: tuple[int, ...]
    """Of the turns before it."""

    is_caught: bool = False
    """Its points are gone, but other words hang on its tiles."""


class PendingDeduction(NamedTuple):
    """What a check of the OSPD in vain has cost, until it is taken off."""

    seat: int
    points: int
    event: GcgEvent


class Replay:
    """The state of a recorded game, and what has been found in it so far.

    `turns`, `dispute` and `ending` take one event each further.
    """

    def __init__(
        self, rules: RuleSet, distribution: TileDistribution, players: list[Player], *, lettered_rows: bool = False
    ) -> None:
        self.rules, self.distribution, self.lettered_rows = rules, distribution, lettered_rows
        self.findings: list[AuditFinding] = []
        self.board = empty_board(rules.layout.side)
        self.score_sheet = ScoreSheet(players, self.findings)
        self.tile_tracker = TileTracker(rules, distribution, self.findings)
        self.moves = 0
        self.plays: list[PlacedPlay] = []
        """Those that stand, in their order."""

        self.last_play: PlacedPlay | None = None
        """The play that was made last, until another move is made or it is taken back."""

        self.idle_bag_counts: tuple[int, ...] = ()
        """Of each turn since something was added to the board: how many tiles the bag held when it began."""

        self.scored_plays: list[tuple[GcgEvent, Legal]] = []
        self.challenge_bonuses: list[tuple[GcgEvent, int]] = []
        """For plays that were challenged and stood, with the number of their words."""

        self.off_board_plays = 0
        """Plays that ran off the board, or began off its centre."""

        self.pending_deduction: PendingDeduction | None = None
        self.next_seat = self.mover = 0
        self.went_out: int | None = None
        self.uncounted_tiles: Counter[str] = Counter()
        """Of the tiles that somebody gained by going out, those that nobody has lost."""

        self.losers: set[int] = set()
        """Who lost the tiles on his rack."""

        self.end_lines: list[tuple[int, GcgEvent]] = []
        """Lines of unplayed tiles, with whose they are; a play that follows shows that they were none of the end."""

        self.stopped_early: GcgEvent | None = None
        """The first line of unplayed tiles, where the game had not ended by the moves before it."""

        self.ended = False
        self.end_reason: str | None = None
        """Why the game ended, where a note says so."""

        self._left: set[int] = set()
        self._went_on = False
        self._findings_seen, self._clean = 0, True

    def report(
        self,
        event: GcgEvent,
        kind: FindingKind,
        message: str,
        written: int | str | None = None,
        computed: int | str | None = None,
    ) -> None:
        self.findings.append(AuditFinding(event.line, kind, written, computed, message))

    def nick(self, seat: int) -> str:
        """The nick of a seat."""
        return self.score_sheet.seats[seat].nick if seat < len(self.score_sheet.seats) else "the other player"

    def is_clean(self) -> bool:
        """Whether nothing has been found so far that puts in doubt which tiles lie on the board."""
        new, self._findings_seen = self.findings[self._findings_seen :], len(self.findings)
        self._clean = self._clean and not any(finding.kind in _BOARD_DOUBTS for finding in new)
        return self._clean

    def record_idle_turn(self, bag: int) -> None:
        """A turn that began with so many tiles in the bag added nothing to the board."""
        self.idle_bag_counts = (*self.idle_bag_counts, bag)[-_MAX_IDLE_TURNS:]

    def find_seat(self, event: GcgEvent) -> int:
        """Whose line it is that spends no turn: most likely theirs who moved last."""
        return self.score_sheet.find_seat(event, self.mover)

    def bag_count(self) -> int:
        """How many tiles there are left to draw, the racks being full."""
        return self.tile_tracker.bag_count(self.score_sheet.count)

    @property
    def active_players(self) -> int:
        """How many are still in the game."""
        return self.score_sheet.count - len(self._left)

    def begin_turn(self, event: GcgEvent, extensions: Sequence[GcgExtension]) -> int:
        """The seat whose turn this line spends; the swaps for the blank that come first are made."""
        seat = self.score_sheet.find_seat(event, self.next_seat)
        if self.moves and seat != self.next_seat:
            whose = self.nick(self.next_seat)
            self.report(event, FindingKind.TURN, f"it is the turn of {whose}", event.nick, whose)
        if self.ended and not self._went_on:
            self.report(event, FindingKind.MISPLACED, "a move stands behind the end of the game")
            self._went_on = True
        self.moves += 1
        self.mover, self.next_seat, self.last_play = seat, self._seat_after(seat), None
        self.apply_swaps(event, extensions)
        return seat

    def apply_swaps(self, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
        """Make the swaps for the blank that come before a line."""
        for fact in extensions:
            if isinstance(fact, SwapsBefore):
                self._swap_squares(
                    event, fact.squares, leaves=any(isinstance(other, PlayerLeft) for other in extensions)
                )

    def undo_unplayed_tiles(self) -> None:
        """Take back the unplayed tiles that were counted before a play, since the game had not ended."""
        for seat, line in self.end_lines:
            self.report(line, FindingKind.END, "unplayed tiles are counted, and the game goes on", line.points, 0)
            self.score_sheet.seats[seat].total -= line.points or 0
        if self.end_lines:
            self.ended, self.went_out, self.stopped_early = False, None, None
            self.losers.clear()
            self.uncounted_tiles.clear()
            self.end_lines.clear()

    def apply_extensions(self, extensions: Sequence[GcgExtension]) -> None:
        """Who left, and whether the game is over, by the notes behind an event."""
        for fact in extensions:
            if isinstance(fact, GameEnded):
                self.ended, self.end_reason = True, fact.reason
            elif isinstance(fact, PlayerLeft):
                self._left |= {seat for seat in range(len(self.score_sheet.seats)) if self.nick(seat) == fact.nick}
                if self.next_seat in self._left:
                    self.next_seat = self._seat_after(self.next_seat)

    def _seat_after(self, seat: int) -> int:
        """Whose turn follows a player's: not theirs who have left."""
        count = self.score_sheet.count
        following = (seat + 1) % count
        for _ in range(count if self._left else 0):
            if following not in self._left:
                break
            following = (following + 1) % count
        return following

    def _swap_squares(self, event: GcgEvent, squares: Sequence[Square], *, leaves: bool) -> None:
        for square in squares:
            swapped = swap(self.rules, self.board, None, *square)
            if isinstance(swapped, Illegal):
                self.report(event, FindingKind.PLACEMENT, swapped.message)
                continue
            self.board = swapped[0]
            self.tile_tracker.remove([BLANK])
            self.tile_tracker.place(event.line, [self.board.letter_at(*square)])
        if event.rack and event.rack.count(BLANK) < len(squares) and not leaves:
            self.report(
                event, FindingKind.RACK, f'the rack "{event.rack}" lacks the blank that was swapped for', event.rack
            )
