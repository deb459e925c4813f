"""Squares and the tiles on them, as bytes; ordws/web/pages/static/notation.js has the boards of the browser."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final, NamedTuple

EMPTY: Final = 46  # ord("."), which a compiled module could not take for a constant
_ROW_PATTERN: Final = re.compile(r"[A-Za-z.]*")


class Axis(IntEnum):
    """The direction in which a word reads, and the index of that direction's text in a board or a layout."""

    ACROSS = 0
    DOWN = 1

    @property
    def other(self) -> Axis:
        """The direction at right angles."""
        return Axis.DOWN if self is Axis.ACROSS else Axis.ACROSS


class Board(NamedTuple):
    """The tiles of a position, as two texts: by rows and by columns. A capital is a tile, a lower case letter a blank.

    Square (row, column) is byte `(row + 1) * (side + 1) + column` of `across`; `down` has row and column exchanged. One
    empty byte follows each line, and an empty line stands before the first and after the last, so that a scan along a
    word always ends on an empty byte and needs no check for the edge of the board.
    """

    side: int
    across: bytes
    down: bytes

    @property
    def is_empty(self) -> bool:
        """True if no tile lies on the board."""
        return not self.across.strip(b".")

    def letter_at(self, row: int, column: int) -> str:
        """Return the letter on a square, `.` if it is empty."""
        return chr(self.across[square_index(self.side, row, column)])

    def rows(self) -> list[str]:
        """Return the board as `board_from_rows` takes it."""
        stride = self.side + 1
        # Records in other languages have tiles beyond ASCII, each a byte of ISO 8859-1.
        return [self.across[at : at + self.side].decode("latin-1") for at in range(stride, stride * stride, stride)]

    def with_letters(self, tiles: dict[tuple[int, int], str]) -> Board:
        """Return the board with other letters on these squares, `.` for a square that is cleared."""
        across, down = bytearray(self.across), bytearray(self.down)
        for (row, column), letter in tiles.items():
            across[square_index(self.side, row, column)] = down[square_index(self.side, column, row)] = ord(letter)
        return Board(self.side, bytes(across), bytes(down))


def empty_board(side: int) -> Board:
    """Return a board of this side without tiles."""
    blank = b"." * ((side + 2) * (side + 1))
    return Board(side, blank, blank)


def board_from_rows(rows: list[str]) -> Board:
    """Return the board drawn by rows, a character for each square, `.` if it is empty; raises ValueError otherwise."""
    side, text = len(rows), "".join(rows)
    if any(len(row) != side for row in rows) or not _ROW_PATTERN.fullmatch(text):
        raise ValueError(f"a board of {side} rows has {side} letters or dots in each")
    return Board(side, padded_text(side, rows), padded_text(side, [text[column::side] for column in range(side)]))


def padded_text(side: int, lines: list[str]) -> bytes:
    """Return lines as one text of a board, with the empty bytes that Board describes."""
    spare = "." * (side + 1)
    return (spare + "".join([line + "." for line in lines]) + spare).encode()


def square_index(side: int, row: int, column: int) -> int:
    """Return the index of a square in the text `across` of a board."""
    return (row + 1) * (side + 1) + column


def square_name(row: int, column: int) -> str:
    """Return the name that game records give a square: H8 is column H of row 8 (docs/rules.md 0.4)."""
    return f"{chr(ord('A') + column)}{row + 1}"
