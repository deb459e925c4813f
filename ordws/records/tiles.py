"""The tiles of a recorded game: those of each language, and whether board and rack can have come out of one bag."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from ordws.records.finding import AuditFinding, FindingKind
from ordws.rules.bag import pool
from ordws.rules.board import EMPTY
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.scoring import play_bonus, word_score, word_score_from_values
from ordws.rules.tiles import BLANK, FACE_VALUES, LETTERS, TILE_VALUES, TileSet

_UNIT: Final = re.compile(r"\[[^\[\]]*\]|.", re.DOTALL)  # no "[" inside, or each of many would be followed to the end
_PLAIN: Final = re.compile(r"[A-Za-z.]*", re.ASCII)
_PLAIN_RACK: Final = re.compile(r"[A-Z?]*", re.ASCII)
_COUNTED: Final = re.compile(r"([^\d\s]+)(\d+)")
_CAPITALS: Final = (*range(ord("A"), ord("Z") + 1), *range(0xC0, 0xD7), *range(0xD8, 0xDF))
"""The codes of capitals in ISO 8859-1; each small letter stands 32 places further. 0xD7 is a sign."""


@dataclass(frozen=True, repr=False)
class TileDistribution:
    """The tiles of one edition of the game. A tile of two letters is written in brackets, as in `[CH]`.

    On a board each tile is one byte, so that the engine judges any edition: the code of its letter in ISO 8859-1, or
    for a letter that is missing there one that the edition leaves free; 32 more for a blank.
    """

    name: str
    counts: dict[str, int]
    values: dict[str, int]
    codes: dict[str, int] = field(init=False)
    face: bytes = field(init=False)
    """A table for `bytes.translate`: the value of the tile of each code."""

    _tiles: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        # The English letters have codes in every edition, even those that it lacks.
        codes = {tile: ord(tile) for tile in (*LETTERS, *self.counts) if len(tile) == 1 and ord(tile) in _CAPITALS}
        free = (code for code in _CAPITALS if code not in codes.values())
        codes |= {tile: next(free) for tile in self.counts if tile not in codes and tile != BLANK}
        face = bytearray(256)
        for tile, code in codes.items():
            face[code] = self.values.get(tile, 0)
        # The class is frozen, and these fields follow from the others.
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "face", bytes(face))
        object.__setattr__(self, "_tiles", {chr(code): tile for tile, code in codes.items()})

    @property
    def has_standard_values(self) -> bool:
        """True if the letters have the values of the rule sets."""
        return self.face == FACE_VALUES

    def encode_word(self, word: str) -> bytes | None:
        """Return the bytes of a word as a record spells it; None if it has a letter that no tile has.

        `.` stands for a tile already on the board.
        """
        if _PLAIN.fullmatch(word):
            return word.encode()
        spelt = bytearray()
        for unit in [found.strip("[]") for found in _UNIT.findall(word)]:
            code = EMPTY if unit == "." else self.codes.get(unit.upper())
            if code is None:
                return None
            spelt.append(code if unit == unit.upper() else code | 32)
        return bytes(spelt)

    def split_rack(self, rack: str) -> Sequence[str] | None:
        """Return the tiles of a rack, `?` for a blank; None if something on it is no tile."""
        if _PLAIN_RACK.fullmatch(rack):
            return rack
        tiles = [unit.strip("[]") for unit in _UNIT.findall(rack.upper())]
        return tiles if all(tile in self.codes or tile == BLANK for tile in tiles) else None

    def as_rack_tiles(self, letters: Iterable[str]) -> list[str]:
        """Return letters of a board as the tiles that they are on a rack: a blank whatever it stands for."""
        return [self._tiles.get(letter, BLANK) for letter in letters]

    def total_value(self, tiles: Iterable[str]) -> int:
        """Return the sum of the values of tiles of a rack; what is no tile of this edition counts 0."""
        return sum([self.values.get(tile, 0) for tile in tiles])


def score_with_distribution(distribution: TileDistribution, rules: RuleSet, ruling: Legal) -> int:
    """Return the score of a play with these tiles under these rules, which may be others than it was judged by."""
    if distribution.has_standard_values:
        if rules is ruling.rules:
            return ruling.score
        words = [word_score(rules, span) for span in ruling.spans]
    else:
        words = [word_score_from_values(rules, span, span[0].translate(distribution.face)) for span in ruling.spans]
    return play_bonus(rules, ruling.spans[0]) + sum(words)


@lru_cache(maxsize=64)
def english_distribution(rules: RuleSet) -> TileDistribution:
    """Return the English tiles that the bag of a rule set is filled from."""
    return TileDistribution(rules.tiles.name, dict(Counter(pool(rules))), TILE_VALUES)


def _distribution(name: str, *by_value: str) -> TileDistribution:
    """Return the distribution of lines such as `1 A5 D4`: five tiles of A and four of D, worth a point each."""
    counts, worth = {}, {}
    for line in by_value:
        value, *tiles = line.split()
        for tile, count in [_COUNTED.fullmatch(each).groups() for each in tiles]:  # type: ignore[union-attr]
            counts[tile], worth[tile] = int(count), int(value)
    return TileDistribution(name, counts, worth)


# The tables stay as compact as their publishers print them: the formatter would give each value a line of its own.
# fmt: off
TILE_DISTRIBUTIONS: Final = (
    _distribution(
        "catalan", "0 ?2", "1 A12 E13 I8 L4 N6 O5 R8 S8 T5 U4", "2 C3 D3 M3", "3 B2 G2 P2", "4 F1 V1",
        "8 H1 J1 QU1 Z1", "10 Ç1 L·L1 NY1 X1",
    ),
    _distribution(
        "dutch", "0 ?2", "1 A6 E18 I4 N10 O6", "2 D5 R5 S5 T5", "3 B2 G3 K3 L3 M3 P2", "4 F2 H2 J2 U3 V2 Z2",
        "5 C2 W2", "8 X1 Y1", "10 Q1",
    ),
    _distribution(
        "french", "0 ?2", "1 A9 E15 I8 L5 N6 O6 R6 S6 T6 U6", "2 D3 G2 M3", "3 B2 C2 P2", "4 F2 H2 V2", "8 J1 Q1",
        "10 K1 W1 X1 Y1 Z1",
    ),
    _distribution(
        "german", "0 ?2", "1 A5 D4 E15 I6 N9 R6 S7 T6 U6", "2 G3 H4 L3 O3", "3 B2 M4 W1 Z1", "4 C2 F2 K2 P1",
        "6 Ä1 J1 Ü1 V1", "8 Ö1 X1", "10 Q1 Y1",
    ),
    _distribution(
        "norwegian", "0 ?2", "1 A7 D5 E9 I5 L5 N6 R6 S6 T6", "2 F4 G4 K4 M3 O4", "3 H3", "4 Å2 B3 J2 P2 U3 V3", "5 Ø2",
        "6 Æ1 Y1", "8 W1", "10 C1",
    ),
    _distribution(
        "polish", "0 ?2", "1 A9 E7 I8 N5 O6 R4 S4 W4 Z5", "2 C3 D3 K3 L3 M3 P3 T3 Y4", "3 B2 G2 H2 J2 Ł2 U2",
        "5 Ą1 Ę1 F1 Ó1 Ś1 Ż1", "6 Ć1", "7 Ń1", "9 Ź1",
    ),
    _distribution(
        "slovene", "0 ?2", "1 A10 E11 I9 J4 L4 N7 O8 R6 S6 T4", "2 D4 V4", "3 K3 M2 P2 U2", "4 B2 G2 Z2", "5 Č1 H1",
        "6 Š1", "8 C1", "10 F1 Ž1",
    ),
    _distribution(
        "spanish", "0 ?2", "1 A12 E12 I6 L4 N5 O9 R5 S6 T4 U5", "2 D5 G2", "3 B2 C4 M2 P2", "4 F1 H2 V1 Y1", "5 CH1 Q1",
        "8 J1 LL1 Ñ1 RR1 X1", "10 Z1",
    ),
    _distribution(
        "swedish", "0 ?2", "1 A8 D5 E7 I5 L5 N6 R8 S8 T8", "2 G3 H2 K3 M3 O5", "3 Ä2 F2 V2", "4 Å2 B2 Ö2 P2 U3",
        "7 J1 Y1", "8 C1 X1", "10 Z1",
    ),
    _distribution(
        "english-crossplay", "0 ?3", "1 A9 E12 I8 N5 O8 R6 S5 T6", "2 D4 L4 U3", "3 C2 H3 M2 P2", "4 B2 F2 G3 Y2",
        "5 W2", "6 K1 V2", "8 X1", "10 J1 Q1 Z1",
    ),
    _distribution(
        "english-friends", "0 ?2", "1 A9 E13 I8 O8 R6 S5 T7", "2 D5 L4 N5 U4", "3 G3 H4 Y2", "4 B2 C2 F2 M2 P2 W2",
        "5 K1 V2", "8 X1", "10 J1 Q1 Z1",
    ),
)
# fmt: on
"""The tiles of other languages and games, as their publishers state them."""

SUPER_TILES: Final = TileSet(
    "super", (16, 4, 6, 8, 24, 4, 5, 5, 13, 2, 2, 7, 6, 13, 15, 4, 2, 13, 10, 15, 7, 3, 4, 2, 4, 2, 4)
)
"""The two hundred tiles of the board of 21 rows with quadruple squares."""


class TileTracker:
    """The numbers of tiles of one game, in all and off the board."""

    def __init__(self, rules: RuleSet, distribution: TileDistribution, findings: list[AuditFinding]) -> None:
        self.distribution = distribution
        self.findings = findings
        self.on_board = 0
        """The number of tiles on the board."""

        # A damaged record may put more of a letter on the board than there is: then its number is below zero.
        self._left = dict(distribution.counts)
        self._rack_size = rules.rack_size
        whole = sum(distribution.counts.values())
        self.total = rules.scoop if distribution.has_standard_values else whole
        """The number of tiles that the game is played with."""

        self.is_whole = self.total == whole
        """True if every tile of the set is in the game, so that the unseen ones are known."""

        # Each letter of which there are too many is reported once, since one slip shows on many lines.
        self._reported: set[str] = set()

    def place(self, line: int, tiles: Sequence[str]) -> None:
        """Put tiles on the board and report letters of which there are then too many."""
        left = self._left
        self.on_board += len(tiles)
        for tile in tiles:
            left[tile] = remaining = left.get(tile, 0) - 1
            if remaining < 0 and tile not in self._reported:
                self._reported.add(tile)
                total = self.distribution.counts.get(tile, 0)
                message = f"the board has {total - remaining} of {_tile_name(tile)}, the bag had {total}"
                self.findings.append(AuditFinding(line, FindingKind.BAG, total - remaining, total, message))

    def remove(self, tiles: Sequence[str]) -> None:
        """Take tiles off the board."""
        self.on_board -= len(tiles)
        for tile in tiles:
            self._left[tile] = self._left.get(tile, 0) + 1

    def unseen(self) -> Counter[str]:
        """Return the tiles that are not on the board."""
        return +Counter(self._left)

    def bag_count(self, players: int) -> int:
        """Return how many tiles are left to draw if every rack is full, since a record does not keep the draws."""
        return max(self.total - self.on_board - players * self._rack_size, 0)

    def check_rack(self, line: int, rack: str, needed: Sequence[str] = (), move_text: str = "") -> None:
        """Report the first fault of a rack: strange tiles, too many, too few for the move, or impossible ones."""
        if rack and (fault := self._find_rack_fault(rack, needed, move_text)):
            self.findings.append(AuditFinding(line, FindingKind.RACK, rack, None, f'the rack "{rack}" {fault}'))

    def _find_rack_fault(self, rack: str, needed: Sequence[str], move_text: str) -> str | None:
        tiles = self.distribution.split_rack(rack)
        if tiles is None:
            return "has what is no tile"
        if len(tiles) > self._rack_size:
            return f"has {len(tiles)} tiles, {self._rack_size} are a full one"
        for tile in needed:
            if needed.count(tile) > tiles.count(tile):
                return f'has not enough of {_tile_name(tile)} for "{move_text}"'
        for tile in tiles:
            if tiles.count(tile) > self._left.get(tile, 0) and tile not in self._reported:
                self._reported.add(tile)
                total = self.distribution.counts.get(tile, 0)
                seen = total - self._left.get(tile, 0) + tiles.count(tile)
                return f"cannot be: with the board it makes {seen} of {_tile_name(tile)}, the bag had {total}"
        return None


def _tile_name(tile: str) -> str:
    return "the blank" if tile == BLANK else f'"{tile}"'
