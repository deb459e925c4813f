"""Moves as game records write them. (INTERFACES 2)"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import BadInput
from ordws.rules.board import Axis, square_name
from ordws.rules.layout import LARGEST_SIDE
from ordws.rules.move import Exchange, Move, Pass, Play

_ACROSS: Final = re.compile(r"([1-9]\d?)([A-U])", re.ASCII | re.IGNORECASE)
_DOWN: Final = re.compile(r"([A-U])([1-9]\d?)", re.ASCII | re.IGNORECASE)
_LETTERS: Final = re.compile(r"[A-Za-z.]+", re.ASCII)
_TILES: Final = re.compile(r"[A-Z?]+", re.ASCII)


SwapSquares: TypeAlias = tuple[tuple[int, int], ...]
"""Row and column of blanks on the board."""


class BadMove(BadInput):
    """A text is not a move."""


class MoveWithSwaps(NamedTuple):
    """Squares whose blanks are swapped first, and the move."""

    swaps: SwapSquares
    move: Move


def read_move_with_swaps(text: str) -> MoveWithSwaps:
    """`=H8 8D STAiNER`: swaps for the blank, then a move; raises BadMove."""
    tokens = text.split()
    first = next((i for i, token in enumerate(tokens) if not token.startswith("=")), len(tokens))
    swaps = [_read_swap(token) for token in tokens[:first]]
    if len(set(swaps)) < len(swaps):
        raise BadMove("a blank is swapped twice")
    return MoveWithSwaps(tuple(swaps), _read_move(tokens[first:]))


def read_move(text: str) -> Move:
    """A play `8D STAiNER`, an exchange `-ABC` or a pass `-`; raises BadMove."""
    return _read_move(text.split())


def write_move_with_swaps(move: MoveWithSwaps) -> str:
    return " ".join([*("=" + square_name(*square) for square in move.swaps), write_move(move.move)])


def write_move(move: Move) -> str:
    match move:
        case Play(row, column, axis, letters):
            return f"{write_start(row, column, axis)} {letters.decode()}"
        case Exchange(tiles):
            return f"-{tiles}"
        case Pass():
            return "-"


def write_start(row: int, column: int, axis: Axis) -> str:
    """`8D` for a play across, `D8` for one down."""
    name = square_name(row, column)
    return name if axis is Axis.DOWN else name[1:] + name[0]


def find_start(text: str) -> tuple[int, int, Axis] | None:
    """Row, column and direction of a square as a play names it; None for any other text."""
    if found := _ACROSS.fullmatch(text):
        number, letter, axis = found[1], found[2], Axis.ACROSS
    elif found := _DOWN.fullmatch(text):
        number, letter, axis = found[2], found[1], Axis.DOWN
    else:
        return None
    return (int(number) - 1, ord(letter.upper()) - ord("A"), axis) if int(number) <= LARGEST_SIDE else None


def _read_move(tokens: list[str]) -> Move:
    match tokens:
        case ["-"]:
            return Pass()
        case [given] if given.startswith("-"):
            if not _TILES.fullmatch(given[1:]):
                raise BadMove('an exchange is "-" with the tiles given back in capitals, "?" for a blank')
            return Exchange(given[1:])
        case [start, letters]:
            return _read_play(start, letters)
        case _:
            raise BadMove('a move is a play as "8D WORD", an exchange as "-ABC" or a pass as "-"')


def _read_play(start: str, letters: str) -> Play:
    found = find_start(start)
    if found is None:
        raise BadMove('a play begins with its first square: "8D" across, "D8" down, up to row 21 and column U')
    if len(letters) > LARGEST_SIDE:
        raise BadMove(f"a play spells {LARGEST_SIDE} letters at most")
    if not _LETTERS.fullmatch(letters):
        raise BadMove('a play is spelt in letters, lower case for a blank, "." for a tile already there')
    return Play(*found, letters.encode())


def _read_swap(token: str) -> tuple[int, int]:
    found = find_start(token[1:])
    if found is None:
        raise BadMove('a swap is "=" with the square of the blank, as in "=H8"')
    return found[0], found[1]
