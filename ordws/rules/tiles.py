"""What the letters are worth, and how many of each there are. (RULES 2.1, 2.2)"""

from __future__ import annotations

from typing import Final, NamedTuple

BLANK: Final = "?"
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_WORTH: Final = {
    1: "AEILNORSTU",
    2: "DG",
    3: "BCMP",
    4: "FHVWY",
    5: "K",
    8: "JX",
    10: "QZ",
}
VALUES: Final = {letter: value for value, letters in _WORTH.items() for letter in letters} | {BLANK: 0}


def _table(most: int) -> bytes:
    """For `bytes.translate`: the value of a capital, but no more than `most`; a blank's and all else's is 0."""
    return bytes(min(VALUES.get(chr(code), 0), most) for code in range(256))


FACE: Final = _table(10)
CAPPED: Final = (FACE, _table(1), _table(2), _table(3), _table(4))
"""By the length of the word, to four letters: the small word point cap. (RULES 4.3)"""


def worth(tiles: str) -> int:
    """The face value of tiles, as a rack writes them: capitals, and `?` for a blank."""
    return sum([VALUES[tile] for tile in tiles])


class TileSet(NamedTuple):
    """What a bag is filled from."""

    name: str
    counts: tuple[int, ...]
    """Of A to Z, then of the blank."""

    @property
    def total(self) -> int:
        return sum(self.counts)

    def tiles(self) -> str:
        """All of them in alphabetical order, the blanks last."""
        return "".join([tile * count for tile, count in zip(LETTERS + BLANK, self.counts, strict=True)])


def _counted(name: str, counts: str) -> TileSet:
    return TileSet(name, tuple([int(count) for count in counts.split()]))


# fmt: off
#                                           A  B C D  E  F G  H I  J K L  M N  O  P Q R  S  T  U  V W X Y Z ?
CLASSIC: Final = _counted("classic",       "9  2 2 4  12 2 3  2 9  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 2")
EIGHT_I: Final = _counted("eight-i",       "9  2 2 4  12 2 3  2 8  1 1 4  2 6  8  2 1 6  4  6  4  2 2 1 2 1 3")
THREE_SETS: Final = _counted("three-sets", "27 6 6 12 36 6 9  6 27 3 3 12 6 18 24 6 3 18 12 18 12 6 6 3 6 3 6")
POOL_300: Final = _counted("pool-300",     "25 6 7 14 38 5 10 6 23 2 3 13 6 19 21 7 2 21 14 19 11 5 5 2 5 2 9")
# fmt: on

TILE_SETS: Final = {tiles.name: tiles for tiles in (CLASSIC, EIGHT_I, THREE_SETS, POOL_300)}
