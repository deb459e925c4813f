"""Premium squares, drawn. (RULES 2.3, 2.4)"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ordws.rules.board import Axis

LARGEST_SIDE: Final = 21
MARKS: Final = {".": (1, 1), "'": (2, 1), '"': (3, 1), "^": (4, 1), "-": (1, 2), "=": (1, 3), "~": (1, 4)}
"""What a square multiplies: the letter on it, the words through it. ' " ^ are letter squares, - = ~ word squares."""


Factors: TypeAlias = tuple[bytes, bytes]
"""What each square multiplies: the letter on it, the words through it."""


@dataclass(frozen=True, repr=False, slots=True)
class Layout:
    """A board without tiles: which squares are premium, and which lie in the wings.

    `factors` holds what each square multiplies, once for words across and once for words down, each indexed as the text
    of a board is; `inner` holds 1 where a square is not in the wings, and is the same both ways.
    """

    rows: tuple[str, ...]
    """The inner board, a mark a square."""

    wings: int
    side: int
    start: tuple[int, int]
    """Row and column of the centre, which the first play covers."""

    factors: tuple[Factors, ...]
    inner: bytes

    @classmethod
    def from_rows(cls, rows: list[str] | tuple[str, ...], wings: int = 0) -> Layout:
        """The layout of a drawing of its inner board; raises ValueError naming what is wrong with it."""
        _check_rows(rows, wings)
        n, side = len(rows), len(rows) + 2 * wings
        bare = ["." * side] * wings
        lines = bare + ["." * wings + row + "." * wings for row in rows] + bare
        columns = ["".join(column) for column in zip(*lines, strict=True)]
        inner = ["0" * side] * wings + ["0" * wings + "1" * n + "0" * wings] * n + ["0" * side] * wings
        return cls(
            tuple(rows),
            wings,
            side,
            (side // 2, side // 2),
            tuple([(_factors(side, text, 0), _factors(side, text, 1)) for text in (lines, columns)]),
            bytes([mark == "1" for mark in _padded_text(side, inner)]),
        )

    def __repr__(self) -> str:
        return f"Layout.drawn({list(self.rows)}, wings={self.wings})"

    def with_wings(self, wings: int) -> Layout:
        return Layout.from_rows(self.rows, wings)

    def premium(self, row: int, column: int) -> tuple[int, int]:
        """What a square multiplies: the letter on it, the words through it."""
        at = (row + 1) * (self.side + 1) + column
        letter, word = self.factors[Axis.ACROSS]
        return letter[at], word[at]

    def is_inner(self, row: int, column: int) -> bool:
        return self.inner[(row + 1) * (self.side + 1) + column] == 1


def _check_rows(rows: list[str] | tuple[str, ...], wings: int) -> None:
    n = len(rows)
    if not 1 <= n + 2 * wings <= LARGEST_SIDE:
        raise ValueError(f"a layout has 1 to {LARGEST_SIDE} rows with its wings, this has {n + 2 * wings}")
    for number, row in enumerate(rows, start=1):
        if len(row) != n:
            raise ValueError(f"row {number} of the layout has {len(row)} squares, {n} were expected")
        if strange := next((mark for mark in row if mark not in MARKS), None):
            raise ValueError(f'row {number} of the layout has "{strange}", which is none of {" ".join(MARKS)}')


def _padded_text(side: int, lines: list[str]) -> str:
    spare = " " * (side + 1)
    return spare + "".join([line + " " for line in lines]) + spare


def _factors(side: int, lines: list[str], which: int) -> bytes:
    return bytes([MARKS[mark][which] if mark in MARKS else 1 for mark in _padded_text(side, lines)])


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
