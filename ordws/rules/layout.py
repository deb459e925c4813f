"""Layouts of premium squares, drawn a mark for each square (docs/rules.md 2.3, 2.4).

For the browser, ordws/web/pages/static/rules.js reads them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ordws.rules.board import EMPTY, Axis, padded_text, square_index

LARGEST_SIDE: Final = 21
MARKS: Final = {".": (1, 1), "'": (2, 1), '"': (3, 1), "^": (4, 1), "-": (1, 2), "=": (1, 3), "~": (1, 4)}
"""The factors of a square by its mark, letter and word: ' " ^ multiply the letter on it, - = ~ the words through it."""

Factors: TypeAlias = tuple[bytes, bytes]
"""The letter factor and the word factor of every square, each indexed as the text of a board is."""


@dataclass(frozen=True, repr=False, slots=True)
class Layout:
    """A board without tiles: its premium squares and its wings.

    `factors` holds the factors for words across and for words down, by Axis. `inner` holds 1 for each square that is
    not in the wings and is the same in both directions, since a board is square.
    """

    rows: tuple[str, ...]
    """The inner board, a mark for each square."""

    wings: int
    side: int
    start: tuple[int, int]
    """Row and column of the centre, which the first play covers."""

    factors: tuple[Factors, ...]
    inner: bytes

    @classmethod
    def from_rows(cls, rows: list[str] | tuple[str, ...], wings: int = 0) -> Layout:
        """Return the layout whose inner board is drawn; raises ValueError naming the fault of the drawing."""
        n, side = len(rows), len(rows) + 2 * wings
        if not 1 <= side <= LARGEST_SIDE:
            raise ValueError(f"a layout has 1 to {LARGEST_SIDE} rows with its wings, this has {side}")
        for number, row in enumerate(rows, start=1):
            if len(row) != n:
                raise ValueError(f"row {number} of the layout has {len(row)} squares, {n} were expected")
            if strange := next((mark for mark in row if mark not in MARKS), None):
                raise ValueError(f'row {number} of the layout has "{strange}", which is none of {" ".join(MARKS)}')
        bare = ["." * side] * wings
        lines = bare + ["." * wings + row + "." * wings for row in rows] + bare
        columns = ["".join(column) for column in zip(*lines, strict=True)]
        factors = [
            (bytes([MARKS[chr(mark)][0] for mark in text]), bytes([MARKS[chr(mark)][1] for mark in text]))
            for text in (padded_text(side, lines), padded_text(side, columns))
        ]
        inner = bare + ["." * wings + "1" * n + "." * wings] * n + bare
        return cls(
            tuple(rows),
            wings,
            side,
            (side // 2, side // 2),
            tuple(factors),
            bytes([mark != EMPTY for mark in padded_text(side, inner)]),
        )

    def __repr__(self) -> str:
        return f"Layout.from_rows({list(self.rows)}, wings={self.wings})"

    def with_wings(self, wings: int) -> Layout:
        """Return the same inner board with wings of this many rows on each side."""
        return Layout.from_rows(self.rows, wings)

    def premium(self, row: int, column: int) -> tuple[int, int]:
        """Return the factors of a square: for the letter on it, and for the words through it."""
        at = square_index(self.side, row, column)
        letter, word = self.factors[Axis.ACROSS]
        return letter[at], word[at]

    def is_inner(self, row: int, column: int) -> bool:
        """Return whether a square is not in the wings."""
        return self.inner[square_index(self.side, row, column)] == 1


STANDARD_ROWS: Final = (
    "=..'...=...'..=",
    '.-..."..."...-.',
    "..-...'.'...-..",
    "'..-...'...-..'",
    "....-.....-....",
    '."..."..."...".',
    "..'...'.'...'..",
    "=..'...-...'..=",
    "..'...'.'...'..",
    '."..."..."...".',
    "....-.....-....",
    "'..-...'...-..'",
    "..-...'.'...-..",
    '.-..."..."...-.',
    "=..'...=...'..=",
)
STANDARD: Final = Layout.from_rows(STANDARD_ROWS)
WITH_WINGS: Final = Layout.from_rows(STANDARD_ROWS, wings=3)
