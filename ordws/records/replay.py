"""The state of a recorded game while it is replayed line by line, and its moves: plays, exchanges and passes.

The rules come from `ordws.rules`. What is added here is the tolerance that a record needs: it keeps no draws, may have
wrong or missing lines, and says by notes what GCG has no form for. An illegal play is put on the board as far as its
squares are free, so that the lines after it can be audited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.records.finding import AuditFinding, FindingKind
from ordws.records.notation import split_start
from ordws.records.record import (
    GameEnded,
    GcgEvent,
    GcgExtension,
    PassedTurn,
    Player,
    PlayerLeft,
    SwapsBefore,
    TileExchange,
    TilePlacement,
    UnknownMove,
)
from ordws.records.score_sheet import ScoreSheet
from ordws.records.tiles import TileDistribution, TileTracker, score_with_distribution
from ordws.rules.bag import exchange_needs
from ordws.rules.board import EMPTY, empty_board
from ordws.rules.fault import Fault, Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play, squares_of
from ordws.rules.options import OPTION_INFO
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap
from ordws.rules.tiles import BLANK
from ordws.rules.turn_order import next_seat

Square: TypeAlias = tuple[int, int]

_BOARD_DOUBTS: Final = frozenset((FindingKind.PLACEMENT, FindingKind.WITHDRAWAL, FindingKind.BAG, FindingKind.LINE))
"""The findings after which it is not certain which tiles lie on the board."""

_MAX_IDLE_TURNS: Final = OPTION_INFO["scoreless_turns"].maximum
"""The number of idle turns that are remembered: no rule set asks for more."""


class PlacedPlay(NamedTuple):
    """A play whose tiles lie on the board, or those of its tiles that found a free square."""

    move: int
    """Its number among the moves."""

    seat: int
    event: GcgEvent
    points: int
    ruling: Legal | None
    """None if the play is illegal."""

    tiles: dict[Square, str]
    """The letters by the squares they were put on, as a board writes them."""

    idle_bag_counts: tuple[int, ...]
    """`Replay.idle_bag_counts` before the play, which hold again if it comes off."""

    is_caught: bool = False
    """True if it was found to be bad while later words depend on its tiles: only its points are gone."""

    @property
    def play(self) -> Play | None:
        """The play with `.` for each tile that was there already; None if it is illegal."""
        if self.ruling is None:
            return None
        word = self.ruling.spans[0]
        row, column = squares_of(self.ruling.rules.layout.side, word)[0]
        letters = bytes([tile if at in word[2] else EMPTY for at, tile in enumerate(word[0], word[1])])
        return Play(row, column, word[3], letters)


class PendingDeduction(NamedTuple):
    """The cost of a failed check of the OSPD, until a line deducts it."""

    seat: int
    points: int
    event: GcgEvent


class Replay:
    """The state of a recorded game, and the findings so far.

    The functions below and those of `replay_challenges` and `replay_end` apply one event each.
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
        """The plays that stand, in their order."""

        self.last_play: PlacedPlay | None = None
        """The play made by the last move, until it is withdrawn."""

        self.idle_bag_counts: tuple[int, ...] = ()
        """The tiles in the bag at the start of each turn since the last play that stands, the last turn first."""

        self.scored_plays: list[tuple[GcgEvent, Legal]] = []
        """All legal plays, those that were withdrawn later included."""

        self.challenge_bonuses: list[tuple[GcgEvent, int]] = []
        """The points given for plays that were challenged and stood, with the number of words of the play."""

        self.off_board_plays = 0
        """The number of plays that ran off the board, or missed its centre."""

        self.pending_deduction: PendingDeduction | None = None
        self.next_seat = self.mover = 0
        self.plays_again: int | None = None
        """The seat whose turn goes on, since a check of the OSPD has found its play."""

        self.went_out: int | None = None
        """The seat of the player who gained the unplayed tiles by going out."""

        self.uncounted_tiles: Counter[str] = Counter()
        """The tiles gained by going out that no other player has lost yet."""

        self.losers: set[int] = set()
        """The seats that lost the tiles on their racks."""

        self.end_lines: list[tuple[int, GcgEvent]] = []
        """The lines of unplayed tiles, with their seats; a play that follows shows that the game had not ended."""

        self.stopped_early: GcgEvent | None = None
        """The first line of unplayed tiles, if the game had not ended by the moves before it."""

        self.ended = False
        self.end_reason: str | None = None
        """The reason of the end, if a note gives it."""

        self._left: set[int] = set()  # the seats of players who have left the game
        self._went_on = False  # whether a move behind the end was reported
        self._findings_seen, self._clean = 0, True

    def report(
        self,
        event: GcgEvent,
        kind: FindingKind,
        message: str,
        written: int | str | None = None,
        computed: int | str | None = None,
    ) -> None:
        """Add a finding about an event."""
        self.findings.append(AuditFinding(event.line, kind, written, computed, message))

    def nick(self, seat: int) -> str:
        """Return the nick of a seat."""
        return self.score_sheet.seats[seat].nick if seat < len(self.score_sheet.seats) else "the other player"

    def is_clean(self) -> bool:
        """Return whether the findings so far leave it certain which tiles lie on the board."""
        # Only findings since the last call are examined, so that many such calls take linear time.
        new, self._findings_seen = self.findings[self._findings_seen :], len(self.findings)
        self._clean = self._clean and not any(finding.kind in _BOARD_DOUBTS for finding in new)
        return self._clean

    def record_idle_turn(self, bag: int) -> None:
        """Count a turn that began with this many tiles in the bag and added nothing to the board."""
        self.idle_bag_counts = (bag, *self.idle_bag_counts)[:_MAX_IDLE_TURNS]

    def find_seat(self, event: GcgEvent) -> int:
        """Return the seat that a line without a move belongs to: most likely that of the player who moved last."""
        return self.score_sheet.find_seat(event, self.mover)

    def bag_count(self) -> int:
        """Return how many tiles are left to draw if every rack is full."""
        return self.tile_tracker.bag_count(self.score_sheet.count)

    @property
    def active_players(self) -> int:
        """The number of players who are still in the game."""
        return self.score_sheet.count - len(self._left)

    def begin_turn(self, event: GcgEvent, extensions: Sequence[GcgExtension]) -> int:
        """Return the seat that makes the move of this line, after the swaps for the blank that come before the move."""
        seat = self.score_sheet.find_seat(event, self.next_seat)
        if self.moves and seat != self.next_seat:
            due = self.nick(self.next_seat)
            self.report(event, FindingKind.TURN, f"it is the turn of {due}", event.nick, due)
        if self.ended and not self._went_on:
            # Once is enough: every later move would say the same.
            self.report(event, FindingKind.MISPLACED, "a move stands behind the end of the game")
            self._went_on = True
        self.moves += 1
        self.mover, self.next_seat, self.last_play = seat, self._seat_after(seat), None
        if seat < len(self.score_sheet.seats):
            self.score_sheet.seats[seat].turns += seat != self.plays_again
        self.plays_again = None
        self.apply_swaps(event, extensions)
        return seat

    def apply_swaps(self, event: GcgEvent, extensions: Sequence[GcgExtension]) -> None:
        """Make the swaps for the blank that the notes behind a line place before it (docs/rules.md 5)."""
        leaves = any(isinstance(extension, PlayerLeft) for extension in extensions)
        for squares in [extension.squares for extension in extensions if isinstance(extension, SwapsBefore)]:
            for square in squares:
                swapped = swap(self.rules, self.board, None, *square)
                if isinstance(swapped, Illegal):
                    self.report(event, FindingKind.PLACEMENT, swapped.message)
                    continue
                self.board = swapped[0]
                self.tile_tracker.remove([BLANK])
                self.tile_tracker.place(event.line, [self.board.letter_at(*square)])
            # The rack is written as it was after the swaps, except by a player who then left without a move.
            if event.rack and event.rack.count(BLANK) < len(squares) and not leaves:
                message = f'the rack "{event.rack}" lacks the blank that was swapped for'
                self.report(event, FindingKind.RACK, message, event.rack)

    def undo_unplayed_tiles(self) -> None:
        """Undo the lines of unplayed tiles before a play, which shows that the game had not ended."""
        for seat, line in self.end_lines:
            self.report(line, FindingKind.END, "unplayed tiles are counted, and the game goes on", line.points, 0)
            self.score_sheet.seats[seat].total -= line.points or 0
        if self.end_lines:
            self.ended, self.went_out, self.stopped_early = False, None, None
            self.losers.clear()
            self.uncounted_tiles.clear()
            self.end_lines.clear()

    def apply_extensions(self, extensions: Sequence[GcgExtension]) -> None:
        """Apply the notes behind an event that say that a player has left, or that the game is over."""
        for extension in extensions:
            if isinstance(extension, GameEnded):
                self.ended, self.end_reason = True, extension.reason
            elif isinstance(extension, PlayerLeft):
                seats = range(len(self.score_sheet.seats))
                self._left |= {seat for seat in seats if self.nick(seat) == extension.nick}
                if self.next_seat in self._left:
                    self.next_seat = self._seat_after(self.next_seat)

    def _seat_after(self, seat: int) -> int:
        """Return the seat whose turn follows that of another (docs/rules.md 3.1)."""
        seats = range(self.score_sheet.count)
        # If by the notes of a damaged record everybody has left, the turns go on in order.
        active = set(seats) - self._left if self._left else seats
        return next_seat(seat, len(seats), active or seats)


_WRONG_BOARD_FAULTS = (Fault.OFF_BOARD, Fault.MISSES_CENTRE)
_MOST_DIGITS = 12


def replay_play(replay: Replay, event: GcgEvent, move: TilePlacement, extensions: Sequence[GcgExtension]) -> None:
    """Judge and score a play, and put it on the board; of an illegal one, the tiles that fall on free squares."""
    replay.undo_unplayed_tiles()
    seat = replay.begin_turn(event, extensions)
    letters = replay.distribution.encode_word(move.word)
    if letters is None:
        replay.report(event, FindingKind.LINE, f'"{move.word}" has what is no letter', move.word)
        replay.score_sheet.record_points(seat, event, None)
        return
    row, column, axis = split_start(move.start)
    if replay.lettered_rows:
        row, column, axis = column, row, axis.other
    ruling = judge(replay.rules, replay.board, Play(row, column, axis, letters))
    legal, scored, text = None, None, f"{move.start} {move.word}"
    if isinstance(ruling, Legal):
        legal, scored, tiles = ruling, score_with_distribution(replay.distribution, replay.rules, ruling), ruling.tiles
        replay.scored_plays.append((event, ruling))
    else:
        squares = [(row + i, column) if axis else (row, column + i) for i in range(len(letters))]
        tiles = {
            square: chr(letter)
            for square, letter in zip(squares, letters, strict=True)
            if letter != EMPTY
            and min(square) >= 0
            and max(square) < replay.board.side
            and replay.board.letter_at(*square) == "."
        }
        replay.off_board_plays += ruling.fault in _WRONG_BOARD_FAULTS
        replay.report(event, FindingKind.PLACEMENT, f'"{text}": {ruling.message}', text)
    needed = replay.distribution.as_rack_tiles(tiles.values())
    replay.tile_tracker.check_rack(event.line, event.rack, needed, text)
    replay.tile_tracker.place(event.line, needed)
    # The points of an illegal play are believed as they are written, since nothing can be computed.
    points = scored if scored is not None else event.points or 0
    replay.last_play = PlacedPlay(replay.moves, seat, event, points, legal, tiles, replay.idle_bag_counts)
    replay.plays.append(replay.last_play)
    replay.board, replay.idle_bag_counts = replay.board.with_letters(tiles), ()
    replay.score_sheet.record_points(seat, event, scored)


def replay_exchange(replay: Replay, event: GcgEvent, move: TileExchange, extensions: Sequence[GcgExtension]) -> None:
    """Check an exchange against the rack and the bag; it scores nothing (docs/rules.md 7.1)."""
    tiles = replay.distribution.split_rack(move.tiles)
    bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
    needed = exchange_needs(replay.rules, len(tiles or ()))
    # The count of the bag assumes that every rack is full, which that of a player who has left need not be.
    if bag < needed and replay.active_players == replay.score_sheet.count:
        message = f"the bag held {bag} tiles, this exchange needs {needed}"
        replay.report(event, FindingKind.BAG, message, bag, needed)
    if move.tiles.isdecimal():  # an exchange of which only the number of tiles is known
        most = len(event.rack) or replay.rules.rack_size
        # int() refuses thousands of digits.
        if len(move.tiles) > _MOST_DIGITS or int(move.tiles) > most:
            message = f"{move.tiles} tiles are exchanged, there are {most}"
            replay.report(event, FindingKind.RACK, message, move.tiles, most)
    elif tiles is None:
        replay.report(event, FindingKind.RACK, f'"{move.tiles}" is exchanged, which are no tiles', move.tiles)
    replay.tile_tracker.check_rack(event.line, event.rack, tiles or (), f"-{move.tiles}")
    replay.record_idle_turn(bag)
    replay.score_sheet.record_points(seat, event, 0)


def replay_pass(
    replay: Replay, event: GcgEvent, move: PassedTurn | UnknownMove, extensions: Sequence[GcgExtension]
) -> None:
    """Record a pass, which scores nothing; for a text that is no move, take the points as they are written."""
    match move:
        case PassedTurn():
            bag, seat = replay.bag_count(), replay.begin_turn(event, extensions)
            replay.tile_tracker.check_rack(event.line, event.rack)
            replay.record_idle_turn(bag)
            replay.score_sheet.record_points(seat, event, 0)
        case UnknownMove(text):
            replay.report(event, FindingKind.LINE, f'"{text}" is no move' if text else "the line says no move")
            replay.score_sheet.record_points(replay.begin_turn(event, extensions), event, None)
