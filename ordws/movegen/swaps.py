"""The positions that swaps for blanks lead to (docs/rules.md 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ordws.rules.board import Board
from ordws.rules.fault import Illegal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap


class AfterSwaps(NamedTuple):
    """The squares (row, column) whose blanks were swapped, and the board and the rack after that."""

    squares: tuple[tuple[int, int], ...]
    board: Board
    rack: str


def after_swaps(rules: RuleSet, board: Board, rack: str) -> Iterator[AfterSwaps]:
    """Yield every choice of swaps that a player has before a turn; the first is none at all."""
    blanks = [
        (row, column)
        for row, letters in enumerate(board.rows())
        for column, letter in enumerate(letters)
        if letter.islower() and letter.upper() in rack
    ]
    for n in range(len(blanks) + 1):
        for squares in combinations(blanks, n):
            reached = AfterSwaps(squares, board, rack)
            for row, column in squares:
                swapped = swap(rules, reached.board, reached.rack, row, column)
                if isinstance(swapped, Illegal):
                    break
                reached = AfterSwaps(squares, swapped[0], swapped[1] or "")
            else:
                yield reached
