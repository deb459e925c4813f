"""Averages of a game: points and seconds a turn, and the words on its board (docs/rules.md 10.7).

For the browser, ordws/web/pages/static/game-statistics.js holds these functions.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ordws.rules.board import Board

_WORD: Final = re.compile("[^.]{2,}")


class BoardStatistics(NamedTuple):
    """The number of words on a board, and their mean length in letters, 0 without a word."""

    words: int
    mean_length: float


def average(total: int, turns: int) -> float | None:
    """Return a total by the turn, to two decimals; None without a turn."""
    return round(total / turns, 2) if turns else None


def board_statistics(board: Board) -> BoardStatistics:
    """Return the statistics of a board."""
    lengths = [len(word) for word in words_on(board)]
    return BoardStatistics(len(lengths), average(sum(lengths), len(lengths)) or 0.0)


def words_on(board: Board) -> list[str]:
    """Return the words on a board in capitals, across and then down; every run of two tiles or more is one.

    A word that lies there twice comes twice (docs/rules.md 3).
    """
    rows = board.rows()
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    return [word.upper() for line in (*rows, *columns) for word in _WORD.findall(line)]
