"""The tiles of a rack, and all beginnings of words that they can lay on squares without neighbours."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64

from ordws.movegen.graph import ALL_LETTERS, CHILD, LETTER, Graph
from ordws.rules.tiles import TILE_VALUES

TILE_BITS: Final[i64] = 5
"""The bits of a letter among the tiles of a play; the first tile has the lowest."""
FIRST_BLANK: Final[i64] = 1
"""The bit of the first tile of a play among the blanks of that play."""
VALUE_BITS: Final[i64] = 4
_BLANK: Final = "?"


class Rack:
    """The tiles of a rack that are left, by letter; those of the blanks are at 0."""

    counts: vec[i64]
    held: i64
    """The set of the letters of which a tile is left."""

    def __init__(self, tiles: str) -> None:
        self.counts = vec[i64]([0] * 27)
        self.held = 0
        for tile in tiles:
            letter = 0 if tile == _BLANK else ord(tile) & 31
            self.counts[letter] = self.counts[letter] + 1
            if letter:
                self.held |= 1 << letter

    def letters(self) -> i64:
        """Return the letters that the tiles can be."""
        return ALL_LETTERS if self.counts[0] else self.held

    def take(self, letter: i64) -> None:
        """Take a tile of a letter, or a blank for 0; there is one."""
        left = self.counts[letter] - 1
        self.counts[letter] = left
        if left == 0 and letter:
            self.held ^= 1 << letter

    def put_back(self, letter: i64) -> None:
        """Put back a tile that was taken."""
        self.counts[letter] = self.counts[letter] + 1
        if letter:
            self.held |= 1 << letter


class PartsOfLength:
    """The beginnings of words of one length, in the order of the alphabet, a tile before a blank of its letter."""

    def __init__(self) -> None:
        self.edges: vec[i32] = vec[i32]()
        """The edges that they lead to."""
        self.tiles: vec[i64] = vec[i64]()
        self.blanks: vec[i32] = vec[i32]()
        self.values: vec[i64] = vec[i64]()
        """The values of the tiles, `VALUE_BITS` for each, those of the first in the lowest."""
        self.sums: vec[i32] = vec[i32]()
        self.matching: dict[int, Numbers] = {}


class Numbers:
    """Indices of beginnings."""

    def __init__(self) -> None:
        self.items: vec[i32] = vec[i32]()


class LeftParts:
    """All beginnings of words that a rack can lay, up to a length."""

    def __init__(self, graph: Graph, tiles: str, longest: int) -> None:
        self.graph = graph
        self.rack = Rack(tiles)
        self.longest: i64 = longest
        values = [0] * 27
        for letter in range(1, 27):
            values[letter] = TILE_VALUES[chr(64 + letter)]
        self.letter_values: vec[i64] = vec[i64](values)
        self.by_length: list[PartsOfLength] = [PartsOfLength() for _ in range(longest + 1)]
        self._add(0, graph.root << CHILD, 0, 0, 0, 0)

    def of_length(self, length: i64, letters: i64) -> Numbers:
        """Return those of a length that go on with one of these letters."""
        parts = self.by_length[length]
        known = parts.matching.get(int(letters))
        if known is None:
            known = Numbers()
            nexts, edges = self.graph.letters, parts.edges
            for i in range(i64(len(edges))):
                if i64(nexts[i64(edges[i]) >> CHILD]) & letters:
                    known.items = append(known.items, i32(i))
            parts.matching[int(letters)] = known
        return known

    def _add(self, length: i64, edge: i64, tiles: i64, blanks: i64, values: i64, summed: i64) -> None:
        """Add a beginning and all that go on from it."""
        parts = self.by_length[length]
        parts.edges = append(parts.edges, i32(edge))
        parts.tiles = append(parts.tiles, tiles)
        parts.blanks = append(parts.blanks, i32(blanks))
        parts.values = append(parts.values, values)
        parts.sums = append(parts.sums, i32(summed))
        if length == self.longest:
            return
        rack, node = self.rack, edge >> CHILD
        left = i64(self.graph.letters[node]) & rack.letters()
        while left:
            edge = i64(self.graph.edges[node])
            node += 1
            letter = edge & LETTER
            if not (left >> letter) & 1:
                continue
            left ^= 1 << letter
            laid = tiles | letter << (length * TILE_BITS)
            if rack.counts[letter]:
                rack.take(letter)
                value = self.letter_values[letter]
                self._add(length + 1, edge, laid, blanks, values | value << (length * VALUE_BITS), summed + value)
                rack.put_back(letter)
            if rack.counts[0]:
                rack.take(0)
                self._add(length + 1, edge, laid, blanks | FIRST_BLANK << length, values, summed)
                rack.put_back(0)
