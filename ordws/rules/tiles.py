"""The values of the letters and the tile distributions (docs/rules.md 2.1, 2.2)."""

from __future__ import annotations

from typing import Final, NamedTuple

BLANK: Final = "?"
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_LETTERS_BY_VALUE: Final = {
    1: "AEILNORSTU",
    2: "DG",
    3: "BCMP",
    4: "FHVWY",
    5: "K",
    8: "JX",
    10: "QZ",
}
TILE_VALUES: Final = {letter: value for value, letters in _LETTERS_BY_VALUE.items() for letter in letters} | {BLANK: 0}


def _value_table(most: int) -> bytes:
    """Return a table for `bytes.translate`: the value of a capital, at most `most`; 0 for all other bytes."""
    return bytes(min(TILE_VALUES.get(chr(code), 0), most) for code in range(256))


FACE_VALUES: Final = _value_table(10)
CAPPED_VALUES: Final = (FACE_VALUES, _value_table(1), _value_table(2), _value_table(3), _value_table(4))
"""The tables by the length of the word, up to four letters: the small word point cap (docs/rules.md 4.3)."""


_AS_DRAWN: Final = bytes([ord(BLANK) if chr(byte).islower() else byte for byte in range(256)])
"""For each byte of a board or a play, the tile as it was drawn: every lower case letter is a blank."""


def as_drawn(letters: bytes) -> str:
    """Return the tiles of a board or a play as they were drawn, without its empty squares."""
    return letters.translate(_AS_DRAWN, b".").decode("latin-1")


def face_value(tiles: str) -> int:
    """Return the face value of tiles written as on a rack: capitals, and `?` for a blank."""
    return sum([TILE_VALUES[tile] for tile in tiles])


class TileSet(NamedTuple):
    """A tile distribution, from which a bag is filled."""

    name: str
    counts: tuple[int, ...]
    """The number of tiles of each letter from A to Z, then of blanks."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    def all_tiles(self) -> str:
        """Return all tiles in alphabetical order, the blanks last."""
        return "".join([tile * count for tile, count in zip(LETTERS + BLANK, self.counts, strict=True)])


_COUNTS: Final = """
                A  B C D  E  F G  H I  J K L  M N  O  P Q R  S  T  U  V W X Y Z ?
    classic     9  2 2 4  12 2 3  2 9  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 2
    eight-i     9  2 2 4  12 2 3  2 8  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 3
    three-sets  27 6 6 12 36 6 9  6 27 3 3 12 6 18 24 6 3 18 12 18 12 6 6 3 6 3 6
    pool-300    25 6 7 14 38 5 10 6 23 2 3 13 6 19 21 7 2 21 14 19 11 5 5 2 5 2 9
"""
TILE_SETS: Final = {
    name: TileSet(name, tuple([int(count) for count in counts]))
    for name, *counts in [line.split() for line in _COUNTS.splitlines()[2:]]
}
CLASSIC_TILES, EIGHT_I, THREE_SETS, POOL_300 = TILE_SETS.values()
