"""The plays that a search has found, as numbers until somebody looks at them."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from ordws.movegen.left_parts import TILE_BITS
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet

_START: Final[i64] = 511
_AXIS: Final[i64] = 9
_COUNT: Final[i64] = 10
_BLANKS: Final[i64] = 14
_SCORE: Final[i64] = 26
"""The form of a play: the index of its first square in bits 0 to 8, its axis, the number of its tiles in 4 bits, which
of them are blanks in 12 bits, and its score."""


class Found:
    """The plays that were found on a board."""

    forms: vec[i64]
    tiles: vec[i64]
    """The letters of the tiles of each play, `TILE_BITS` for each."""

    def __init__(self, rules: RuleSet, board: Board) -> None:
        self.rules, self.board = rules, board
        self.forms, self.tiles = vec[i64](), vec[i64]()

    def __len__(self) -> int:
        return len(self.forms)

    def add(self, axis: i64, start: i64, count: i64, tiles: i64, blanks: i64, score: i64) -> None:
        """Record a play."""
        form = start | axis << _AXIS | count << _COUNT | blanks << _BLANKS | score << _SCORE
        self.forms = append(self.forms, form)
        self.tiles = append(self.tiles, tiles)

    def add_ruled(self, axis: i64, start: i64, count: i64, tiles: i64, blanks: i64) -> None:
        """Record a play as the engine rules on it, if it is legal."""
        self.add(axis, start, count, tiles, blanks, 0)
        last = len(self.forms) - 1
        ruling = judge(self.rules, self.board, self.play(last))
        form = self.forms[last]
        if isinstance(ruling, Legal):
            self.forms[last] = form | i64(ruling.score) << _SCORE
        else:
            self.forms, self.tiles = self.forms[:last], self.tiles[:last]

    def score(self, number: i64) -> i64:
        """Return the score of a play."""
        return self.forms[number] >> _SCORE

    def play(self, number: i64) -> Play:
        """Return a play, with `.` for each tile of its main word that is there already."""
        form, tiles = self.forms[number], self.tiles[number]
        start, is_down = form & _START, (form >> _AXIS) & 1
        left, blanks = (form >> _COUNT) & 15, (form >> _BLANKS) & 4095
        lines = self.board.down if is_down else self.board.across
        letters = bytearray()
        at = start
        while left or lines[at] != EMPTY:
            if lines[at] != EMPTY:
                letters.append(EMPTY)
            else:
                letters.append(int(tiles & 31 | (96 if blanks & 1 else 64)))
                tiles >>= TILE_BITS
                blanks >>= 1
                left -= 1
            at += 1
        stride = self.board.side + 1
        line, along = int(start) // stride - 1, int(start) % stride
        if is_down:
            return Play(along, line, Axis.DOWN, bytes(letters))
        return Play(line, along, Axis.ACROSS, bytes(letters))

    def order(self) -> list[int]:
        """Return the numbers of the plays, best first, equal ones as they were found."""
        return sorted(range(len(self.forms)), key=lambda number: -int(self.score(number)))
