"""The board on the front page of the service: a play that stretches a word, under the rules of Scrabble O."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ordws.pictures.alt_text import describe_board
from ordws.pictures.svg import draw_board
from ordws.rules.board import board_from_rows
from ordws.rules.rulesets import RULE_SETS

_TITLE: Final = "FISH is stretched to FISHING"
_ROWS: Final = [
    "...............",
    "...............",
    "...............",
    ".........W.....",
    "........LOVERS.",
    ".........R.....",
    ".........D.....",
    ".......FiSHING.",
    ".......R..O..A.",
    ".......I..U..M.",
    ".......E..S..E.",
    ".......N..E....",
    "....WORD.......",
    "...............",
    "...............",
]
_ROW: Final = 7
_STRETCHED: Final = [(_ROW, column) for column in range(7, 11)]
_LAST: Final = [(_ROW, column) for column in range(11, 14)]


class FrontBoard(NamedTuple):
    """The picture, and its description for those who do not see it."""

    svg: str
    description: str


@cache
def front_board() -> FrontBoard:
    """Return the picture of the front page; its words are common ones, and say nothing about the word set."""
    layout, board = RULE_SETS["scrabble-o"].layout, board_from_rows(_ROWS)
    svg = draw_board(layout, board, title=_TITLE, last=_LAST, stretched=_STRETCHED)
    return FrontBoard(svg, f"{_TITLE}. {describe_board(layout, board, _LAST, _STRETCHED)}")
