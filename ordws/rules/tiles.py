"""What the letters are worth, and how many of each there are. (RULES 2.1, 2.2)"""

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
    """For `bytes.translate`: the value of a capital, but no more than `most`; a blank's and all else's is 0."""
    return bytes(min(TILE_VALUES.get(chr(code), 0), most) for code in range(256))


FACE_VALUES: Final = _value_table(10)
CAPPED_VALUES: Final = (FACE_VALUES, _value_table(1), _value_table(2), _value_table(3), _value_table(4))
"""By the length of the word, to four letters: the small word point cap. (RULES 4.3)"""


def face_value(tiles: str) -> int:
    """The face value of tiles, as a rack writes them: capitals, and `?` for a blank."""
    return sum([TILE_VALUES[tile] for tile in tiles])


class TileSet(NamedTuple):
    """What a bag is filled from."""

    name: str
    counts: tuple[int, ...]
    """Of A to Z, then of the blank."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    def all_tiles(self) -> str:
        """All of them in alphabetical order, the blanks last."""
        return "".join([tile * count for tile, count in zip(LETTERS + BLANK, self.counts, strict=True)])


def _tile_set(name: str, counts: str) -> TileSet:
    return TileSet(name, tuple([int(count) for count in counts.split()]))


# fmt: off
#                                           A  B C D  E  F G  H I  J K L  M N  O  P Q R  S  T  U  V W X Y Z ?
CLASSIC_TILES: Final = _tile_set("classic",       "9  2 2 4  12 2 3  2 9  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 2")
EIGHT_I: Final = _tile_set("eight-i",       "9  2 2 4  12 2 3  2 8  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 3")
THREE_SETS: Final = _tile_set("three-sets", "27 6 6 12 36 6 9  6 27 3 3 12 6 18 24 6 3 18 12 18 12 6 6 3 6 3 6")
POOL_300: Final = _tile_set("pool-300",     "25 6 7 14 38 5 10 6 23 2 3 13 6 19 21 7 2 21 14 19 11 5 5 2 5 2 9")
# fmt: on

TILE_SETS: Final = {tiles.name: tiles for tiles in (CLASSIC_TILES, EIGHT_I, THREE_SETS, POOL_300)}
