"""The moves of a turn, and the rulings on a play."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from ordws.rules.board import Axis
from ordws.rules.fault import Illegal
from ordws.rules.ruleset import RuleSet


class Play(NamedTuple):
    """Letters placed from a square on: a capital is a tile, lower case a blank, `.` a tile already there."""

    row: int
    column: int
    axis: Axis
    letters: bytes


class Exchange(NamedTuple):
    """Tiles exchanged for as many others, written as on a rack."""

    tiles: str


class Pass(NamedTuple):
    """A pass."""


Move: TypeAlias = Play | Exchange | Pass

Span: TypeAlias = tuple[bytes, int, list[int], Axis]
"""A new word: its tiles, the index of the first, the indices newly covered, and the text of the board they refer to.

A plain tuple, since several are made for every play.
"""


class Legal(NamedTuple):
    """A legal play. Whether its words are acceptable is another question."""

    rules: RuleSet
    spans: list[Span]
    """The new words, the main word first."""

    score: int
    bonus: int

    @property
    def words(self) -> list[str]:
        """The new words in capitals, the main word first."""
        # Records in other languages have tiles beyond ASCII, each a byte of ISO 8859-1.
        return [tiles.decode("latin-1").upper() for tiles, _, _, _ in self.spans]

    @property
    def new_squares(self) -> list[tuple[int, int]]:
        """Row and column of each tile placed."""
        return list(self.tiles)

    @property
    def tiles(self) -> dict[tuple[int, int], str]:
        """The tiles placed, by row and column; a lower case letter is a blank."""
        tiles, first, new, axis = self.spans[0]  # the main word has all new tiles
        side = self.rules.layout.side
        return {_square(side, at, axis): chr(tiles[at - first]) for at in new}


Ruling: TypeAlias = Legal | Illegal


def squares_of(side: int, span: Span) -> list[tuple[int, int]]:
    """Return row and column of every letter of a new word."""
    tiles, first, _, axis = span
    return [_square(side, at, axis) for at in range(first, first + len(tiles))]


def _square(side: int, at: int, axis: Axis) -> tuple[int, int]:
    line, along = divmod(at, side + 1)
    return (line - 1, along) if axis is Axis.ACROSS else (along, line - 1)
