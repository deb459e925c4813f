"""The tiles on a rack, and all that they can begin a word with."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from ordws.mining.graph import ALL, Bits, Graph, bit
from ordws.rules.tiles import BLANK


class Hand(NamedTuple):
    """What is left on a rack: the letters it can lay, and what is left then; equal hands are one."""

    letters: Bits
    after: dict[int, Hand]
    """By the letter of a tile."""

    after_blank: Hand | None


def hand_of(rack: str) -> Hand:
    """The hand of a rack, as racks are written."""
    return _hand("".join(sorted(rack)), {})


def _hand(tiles: str, known: dict[str, Hand]) -> Hand:
    if tiles not in known:
        after = {ord(tile): _hand(tiles.replace(tile, "", 1), known) for tile in set(tiles) - {BLANK}}
        blank = _hand(tiles.replace(BLANK, "", 1), known) if BLANK in tiles else None
        known[tiles] = Hand(ALL if blank else sum([bit(letter) for letter in after]), after, blank)
    return known[tiles]


class _Letters(dict[Bits, bytes]):
    """The letters of a set, in alphabetical order."""

    def __missing__(self, bits: Bits) -> bytes:
        self[bits] = letters = bytes([letter for letter in range(ord("A"), ord("Z") + 1) if bits & bit(letter)])
        return letters


LETTERS_OF: Final = _Letters()
TILE: Final = [bytes([letter]) for letter in range(256)]
"""A letter as bytes."""

BLANK_FOR: Final = [bytes([letter | 32]) for letter in range(256)]
"""The blank that stands for a letter, as bytes."""

Part: TypeAlias = tuple[bytes, int, Hand]
"""Tiles laid, the node that they lead to, and the hand that is left."""


class Beginnings:
    """What a hand can lay without a tile of the board and words begin with; worked out when asked for, and once."""

    def __init__(self, graph: Graph, hand: Hand) -> None:
        self.graph = graph
        self.by_length: list[list[Part]] = [[(b"", graph.root, hand)]]
        self.known: dict[tuple[int, Bits], list[Part]] = {}

    def before(self, length: int, letters: Bits) -> list[Part]:
        """Those of this length that go on with one of the letters."""
        parts = self.known.get((length, letters))
        if parts is None:
            nodes = self.graph.letters
            parts = [part for part in self._of(length) if nodes[part[1]] & letters]
            self.known[length, letters] = parts
        return parts

    def _of(self, length: int) -> list[Part]:
        while len(self.by_length) <= length:
            self.by_length.append([longer for part in self.by_length[-1] for longer in self._longer(part)])
        return self.by_length[length]

    def _longer(self, part: Part) -> list[Part]:
        laid, node, (held, after, after_blank) = part
        found: list[Part] = []
        for letter in LETTERS_OF[self.graph.letters[node] & held]:
            child = self.graph.child(node, letter)
            if letter in after:
                found.append((laid + TILE[letter], child, after[letter]))
            if after_blank:
                found.append((laid + BLANK_FOR[letter], child, after_blank))
        return found
