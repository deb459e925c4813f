"""Where swaps for the blank lead to, for a player who looks before he plays. (RULES 5)"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ordws.rules.board import Board
from ordws.rules.fault import Illegal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap


class AfterSwaps(NamedTuple):
    """The squares (row, column) whose blanks were taken for their letters, and the board and the rack by then."""

    squares: tuple[tuple[int, int], ...]
    board: Board
    rack: str


def after_swaps(rules: RuleSet, board: Board, rack: str) -> Iterator[AfterSwaps]:
    """Every choice of swaps that a player has before his turn, none at all being the first."""
    blanks = [
        (row, column)
        for row, letters in enumerate(board.rows())
        for column, letter in enumerate(letters)
        if letter.islower() and letter.upper() in rack
    ]
    for n in range(len(blanks) + 1):
        for squares in combinations(blanks, n):
            if reached := _swap_all(rules, AfterSwaps(squares, board, rack)):
                yield reached


def _swap_all(rules: RuleSet, before: AfterSwaps) -> AfterSwaps | None:
    squares, board, rack = before
    for row, column in squares:
        swapped = swap(rules, board, rack, row, column)
        if isinstance(swapped, Illegal):
            return None
        board, rack = swapped[0], swapped[1] or ""
    return AfterSwaps(squares, board, rack)
