"""Averages of a game: ordws.rules.statistics."""

from __future__ import annotations

from each_row import each_row

from ordws.rules.board import board_from_rows, empty_board
from ordws.rules.statistics import BoardStatistics, average, board_statistics, words_on


@each_row(("total", "turns", "mean"), [(347, 14, 24.79), (-14, 1, -14.0), (0, 3, 0.0), (0, 0, None)])
def test_an_average_has_two_decimals(total, turns, mean):
    """Points per turn have two decimals, and there are none without a turn. (docs/rules.md 10.7)."""
    assert average(total, turns) == mean


def test_every_run_of_two_tiles_is_a_word():
    """Runs across and down are words, blanks are letters, and single tiles are none."""
    board = board_from_rows(
        [
            ".C...",
            "CAT..",
            ".TOe.",
            ".....",
            "A...B",
        ]
    )
    # CAT and TOe across, CAT and TO down.
    assert board_statistics(board) == BoardStatistics(4, 2.75)
    assert words_on(board) == ["CAT", "TOE", "CAT", "TO"]


def test_an_empty_board_has_no_words():
    """An empty board has no words, of mean length 0."""
    assert board_statistics(empty_board(15)) == BoardStatistics(0, 0.0)
