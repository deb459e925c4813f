"""Where a recorded game stands while it is played again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

from ordws.records.facts import Ended, Fact, Left, SwappedBefore
from ordws.records.finding import Finding, Kind
from ordws.records.letters import Letters
from ordws.records.record import Event, Player
from ordws.records.supply import Supply
from ordws.records.tally import Tally
from ordws.rules.board import empty_board
from ordws.rules.fault import Illegal
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap
from ordws.rules.tiles import BLANK

Square: TypeAlias = tuple[int, int]

_DOUBTFUL: Final = frozenset((Kind.PLACEMENT, Kind.WITHDRAWAL, Kind.BAG, Kind.LINE))
_LONGEST_IDLE: Final = 24
"""No rule set waits for more turns."""


class Made(NamedTuple):
    """A play whose tiles lie on the board."""

    move: int
    """Its number among the moves."""

    seat: int
    event: Event
    points: int
    ruling: Legal | None
    """None where it does not fit."""

    tiles: dict[Square, str]
    """What was put where, as a board writes it."""

    idle: tuple[int, ...]
    """Of the turns before it."""

    is_caught: bool = False
    """Its points are gone, but other words hang on its tiles."""


class Owed(NamedTuple):
    """What a check of the OSPD in vain has cost, until it is taken off."""

    seat: int
    points: int
    event: Event


class Replay:
    """The state of a recorded game, and what has been found in it so far.

    `turns`, `dispute` and `ending` take one event each further.
    """

    def __init__(self, rules: RuleSet, letters: Letters, players: list[Player], *, lettered_rows: bool = False) -> None:
        self.rules, self.letters, self.lettered_rows = rules, letters, lettered_rows
        self.findings: list[Finding] = []
        self.board = empty_board(rules.layout.side)
        self.tally = Tally(players, self.findings)
        self.supply = Supply(rules, letters, self.findings)
        self.moves = 0
        self.plays: list[Made] = []
        """Those that stand, in their order."""

        self.last: Made | None = None
        """The play that was made last, until another move is made or it is taken back."""

        self.idle: tuple[int, ...] = ()
        """Of each turn since something was added to the board: how many tiles the bag held when it began."""

        self.scored: list[tuple[Event, Legal]] = []
        self.bonuses: list[tuple[Event, int]] = []
        """For plays that were challenged and stood, with the number of their words."""

        self.strayed = 0
        """Plays that ran off the board, or began off its centre."""

        self.owed: Owed | None = None
        self.next_seat = self.mover = 0
        self.went_out: int | None = None
        self.uncounted: Counter[str] = Counter()
        """Of the tiles that somebody gained by going out, those that nobody has lost."""

        self.losers: set[int] = set()
        """Who lost the tiles on his rack."""

        self.end_lines: list[tuple[int, Event]] = []
        """Lines of unplayed tiles, with whose they are; a play that follows shows that they were none of the end."""

        self.stopped_early: Event | None = None
        """The first line of unplayed tiles, where the game had not ended by the moves before it."""

        self.ended = False
        self.because: str | None = None
        """Why the game ended, where a note says so."""

        self._left: set[int] = set()
        self._went_on = False
        self._seen, self._clean = 0, True

    def tell(
        self,
        event: Event,
        kind: Kind,
        message: str,
        written: int | str | None = None,
        computed: int | str | None = None,
    ) -> None:
        self.findings.append(Finding(event.line, kind, written, computed, message))

    def name(self, seat: int) -> str:
        """The nick of a seat."""
        return self.tally.seats[seat].nick if seat < len(self.tally.seats) else "the other player"

    def is_clean(self) -> bool:
        """Whether nothing has been found so far that puts in doubt which tiles lie on the board."""
        new, self._seen = self.findings[self._seen :], len(self.findings)
        self._clean = self._clean and not any(finding.kind in _DOUBTFUL for finding in new)
        return self._clean

    def spend(self, bag: int) -> None:
        """A turn that began with so many tiles in the bag added nothing to the board."""
        self.idle = (*self.idle, bag)[-_LONGEST_IDLE:]

    def find_seat(self, event: Event) -> int:
        """Whose line it is that spends no turn: most likely theirs who moved last."""
        return self.tally.find_seat(event, self.mover)

    def in_bag(self) -> int:
        """How many tiles there are left to draw, the racks being full."""
        return self.supply.in_bag(self.tally.count)

    @property
    def players(self) -> int:
        """How many are still in the game."""
        return self.tally.count - len(self._left)

    def begin(self, event: Event, facts: Sequence[Fact]) -> int:
        """The seat whose turn this line spends; the swaps for the blank that come first are made."""
        seat = self.tally.find_seat(event, self.next_seat)
        if self.moves and seat != self.next_seat:
            whose = self.name(self.next_seat)
            self.tell(event, Kind.TURN, f"it is the turn of {whose}", event.nick, whose)
        if self.ended and not self._went_on:
            self.tell(event, Kind.MISPLACED, "a move stands behind the end of the game")
            self._went_on = True
        self.moves += 1
        self.mover, self.next_seat, self.last = seat, self._follower(seat), None
        self.swap(event, facts)
        return seat

    def swap(self, event: Event, facts: Sequence[Fact]) -> None:
        """Make the swaps for the blank that come before a line."""
        for fact in facts:
            if isinstance(fact, SwappedBefore):
                self._swap(event, fact.squares, leaves=any(isinstance(other, Left) for other in facts))

    def reopen(self) -> None:
        """Take back the unplayed tiles that were counted before a play, since the game had not ended."""
        for seat, line in self.end_lines:
            self.tell(line, Kind.END, "unplayed tiles are counted, and the game goes on", line.points, 0)
            self.tally.seats[seat].total -= line.points or 0
        if self.end_lines:
            self.ended, self.went_out, self.stopped_early = False, None, None
            self.losers.clear()
            self.uncounted.clear()
            self.end_lines.clear()

    def note(self, facts: Sequence[Fact]) -> None:
        """Who left, and whether the game is over, by the notes behind an event."""
        for fact in facts:
            if isinstance(fact, Ended):
                self.ended, self.because = True, fact.because
            elif isinstance(fact, Left):
                self._left |= {seat for seat in range(len(self.tally.seats)) if self.name(seat) == fact.nick}
                if self.next_seat in self._left:
                    self.next_seat = self._follower(self.next_seat)

    def _follower(self, seat: int) -> int:
        """Whose turn follows a player's: not theirs who have left."""
        count = self.tally.count
        following = (seat + 1) % count
        for _ in range(count if self._left else 0):
            if following not in self._left:
                break
            following = (following + 1) % count
        return following

    def _swap(self, event: Event, squares: Sequence[Square], *, leaves: bool) -> None:
        for square in squares:
            swapped = swap(self.rules, self.board, None, *square)
            if isinstance(swapped, Illegal):
                self.tell(event, Kind.PLACEMENT, swapped.sentence)
                continue
            self.board = swapped[0]
            self.supply.lift([BLANK])
            self.supply.lay(event.line, [self.board.at(*square)])
        if event.rack and event.rack.count(BLANK) < len(squares) and not leaves:
            self.tell(event, Kind.RACK, f'the rack "{event.rack}" lacks the blank that was swapped for', event.rack)
