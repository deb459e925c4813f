"""Squares and the tiles on them, as bytes."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

EMPTY: Final = 46  # ord("."), which a compiled module could not take for a constant
_ROW_PATTERN: Final = re.compile(r"[A-Za-z.]*")


class Axis(IntEnum):
    """The way a word reads; also which of a board's two texts, and of a layout's, it is read from."""

    ACROSS = 0
    DOWN = 1

    @property
    def other(self) -> Axis:
        return Axis.DOWN if self is Axis.ACROSS else Axis.ACROSS


class Board(NamedTuple):
    """The tiles, written twice: by rows and by columns. A capital is a tile, a lower case letter a blank.

    Square (row, column) stands at `(row + 1) * (side + 1) + column` of `across`, and with row and column exchanged of
    `down`. The column and the two rows to spare stay empty, so that no scan meets an edge.
    """

    side: int
    across: bytes
    down: bytes

    @property
    def is_empty(self) -> bool:
        return not self.across.strip(b".")

    def letter_at(self, row: int, column: int) -> str:
        """The letter on a square, `.` where there is none."""
        return chr(self.across[square_index(self.side, row, column)])

    def rows(self) -> list[str]:
        stride = self.side + 1
        return [self.across[at : at + self.side].decode("latin-1") for at in range(stride, stride * stride, stride)]

    def with_letters(self, tiles: dict[tuple[int, int], str]) -> Board:
        """The board with other letters on some squares, `.` to clear one."""
        across, down = bytearray(self.across), bytearray(self.down)
        for (row, column), letter in tiles.items():
            across[square_index(self.side, row, column)] = down[square_index(self.side, column, row)] = ord(letter)
        return Board(self.side, bytes(across), bytes(down))


def empty_board(side: int) -> Board:
    blank = b"." * ((side + 2) * (side + 1))
    return Board(side, blank, blank)


def board_from_rows(rows: list[str]) -> Board:
    """The board that is drawn, a square a character, `.` where there is no tile; raises ValueError on other signs."""
    side, text = len(rows), "".join(rows)
    if any(len(row) != side for row in rows) or not _ROW_PATTERN.fullmatch(text):
        raise ValueError(f"a board of {side} rows has {side} letters or dots in each")
    return Board(side, _padded_text(side, rows), _padded_text(side, [text[column::side] for column in range(side)]))


def _padded_text(side: int, lines: list[str]) -> bytes:
    spare = "." * (side + 1)
    return (spare + "".join([line + "." for line in lines]) + spare).encode()


def square_index(side: int, row: int, column: int) -> int:
    """Where a square stands in `across`."""
    return (row + 1) * (side + 1) + column


def square_name(row: int, column: int) -> str:
    """As game records call a square: H8 is column H of row 8. (RULES 0.4)"""
    return f"{chr(ord('A') + column)}{row + 1}"
