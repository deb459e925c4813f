"""Moves as game records write them (docs/interfaces.md 2.6).

For the browser, ordws/web/pages/static/notation.js reads and writes them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.rules.board import Axis, square_name
from ordws.rules.layout import LARGEST_SIDE
from ordws.rules.move import Exchange, Move, Pass, Play

_START: Final = re.compile(r"[1-9]\d?[A-U]|[A-U][1-9]\d?", re.ASCII | re.IGNORECASE)
_LETTERS: Final = re.compile(r"[A-Za-z.]+", re.ASCII)
_TILES: Final = re.compile(r"[A-Z?]+", re.ASCII)


SwapSquares: TypeAlias = tuple[tuple[int, int], ...]
"""Row and column of blanks on the board."""


class BadMove(BadInput):
    """A text that is not a move."""


class MoveWithSwaps(NamedTuple):
    """The squares whose blanks are swapped first, and the move."""

    swaps: SwapSquares
    move: Move


def read_move_with_swaps(text: str) -> MoveWithSwaps:
    """Return the swaps for the blank and the move of a text such as `=H8 8D STAiNER`; raises BadMove."""
    tokens = text.split()
    first = next((i for i, token in enumerate(tokens) if not token.startswith("=")), len(tokens))
    swaps = [find_start(token[1:]) for token in tokens[:first]]
    squares = tuple([start[:2] for start in swaps if start is not None])
    if len(squares) < len(swaps):
        raise BadMove('a swap is "=" with the square of the blank, as in "=H8"')
    if len(set(squares)) < len(squares):
        raise BadMove("a blank is swapped twice")
    return MoveWithSwaps(squares, _read_move(tokens[first:]))


def read_move(text: str) -> Move:
    """Return the move of a text: a play `8D STAiNER`, an exchange `-ABC` or a pass `-`; raises BadMove."""
    return _read_move(text.split())


def write_move_with_swaps(move: MoveWithSwaps) -> str:
    """Return the text that `read_move_with_swaps` reads."""
    return " ".join([*("=" + square_name(*square) for square in move.swaps), write_move(move.move)])


def write_move(move: Move) -> str:
    """Return the text that `read_move` reads."""
    match move:
        case Play(row, column, axis, letters):
            return f"{write_start(row, column, axis)} {letters.decode()}"
        case Exchange(tiles):
            return f"-{tiles}"
        case Pass():
            return "-"


def write_start(row: int, column: int, axis: Axis) -> str:
    """Return the first square of a play: `8D` for a play across, `D8` for one down."""
    name = square_name(row, column)
    return name if axis is Axis.DOWN else name[1:] + name[0]


def find_start(text: str) -> tuple[int, int, Axis] | None:
    """Return row, column and direction of the first square of a play on a board; None for any other text."""
    if not _START.fullmatch(text):
        return None
    start = split_start(text)
    return start if start[0] < LARGEST_SIDE else None


@cache  # the texts that records have here, two digits and a letter at most, are few
def split_start(text: str) -> tuple[int, int, Axis]:
    """Return row, column and direction of a number and a letter, or a letter and a number, on a board of any size."""
    if text[0].isdigit():
        number, letter, axis = text[:-1], text[-1], Axis.ACROSS
    else:
        number, letter, axis = text[1:], text[0], Axis.DOWN
    return int(number) - 1, ord(letter.upper()) - ord("A"), axis


def _read_move(tokens: list[str]) -> Move:
    match tokens:
        case ["-"]:
            return Pass()
        case [token] if token.startswith("-"):
            if not _TILES.fullmatch(token[1:]):
                raise BadMove('an exchange is "-" with the tiles given back in capitals, "?" for a blank')
            return Exchange(token[1:])
        case [square, letters]:
            start = find_start(square)
            if start is None:
                raise BadMove('a play begins with its first square: "8D" across, "D8" down, up to row 21 and column U')
            if len(letters) > LARGEST_SIDE:
                raise BadMove(f"a play spells {LARGEST_SIDE} letters at most")
            if not _LETTERS.fullmatch(letters):
                raise BadMove('a play is spelt in letters, lower case for a blank, "." for a tile already there')
            return Play(*start, letters.encode())
        case _:
            raise BadMove('a move is a play as "8D WORD", an exchange as "-ABC" or a pass as "-"')
