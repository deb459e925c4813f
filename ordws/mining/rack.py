"""The tiles on a rack, and all that they can begin a word with."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from ordws.mining.dawg import ALL_LETTERS, Dawg, LetterSet, letter_bit
from ordws.rules.tiles import BLANK


class RackState(NamedTuple):
    """What is left on a rack: the letters it can lay, and what is left then; equal hands are one."""

    letters: LetterSet
    after: dict[int, RackState]
    """By the letter of a tile."""

    after_blank: RackState | None


def rack_state_of(rack: str) -> RackState:
    """The hand of a rack, as racks are written."""
    return _rack_state("".join(sorted(rack)), {})


def _rack_state(tiles: str, known: dict[str, RackState]) -> RackState:
    if tiles not in known:
        after = {ord(tile): _rack_state(tiles.replace(tile, "", 1), known) for tile in set(tiles) - {BLANK}}
        blank = _rack_state(tiles.replace(BLANK, "", 1), known) if BLANK in tiles else None
        known[tiles] = RackState(ALL_LETTERS if blank else sum([letter_bit(letter) for letter in after]), after, blank)
    return known[tiles]


class _LettersOfSet(dict[LetterSet, bytes]):
    """The letters of a set, in alphabetical order."""

    def __missing__(self, bits: LetterSet) -> bytes:
        self[bits] = letters = bytes([letter for letter in range(ord("A"), ord("Z") + 1) if bits & letter_bit(letter)])
        return letters


LETTERS_OF: Final = _LettersOfSet()
TILE: Final = [bytes([letter]) for letter in range(256)]
"""A letter as bytes."""

BLANK_FOR: Final = [bytes([letter | 32]) for letter in range(256)]
"""The blank that stands for a letter, as bytes."""

LeftPart: TypeAlias = tuple[bytes, int, RackState]
"""Tiles laid, the node that they lead to, and the hand that is left."""


class LeftParts:
    """What a hand can lay without a tile of the board and words begin with; worked out when asked for, and once."""

    def __init__(self, dawg: Dawg, rack: RackState) -> None:
        self.dawg = dawg
        self.by_length: list[list[LeftPart]] = [[(b"", dawg.root, rack)]]
        self.matching: dict[tuple[int, LetterSet], list[LeftPart]] = {}

    def of_length(self, length: int, letters: LetterSet) -> list[LeftPart]:
        """Those of this length that go on with one of the letters."""
        parts = self.matching.get((length, letters))
        if parts is None:
            nodes = self.dawg.letters
            parts = [part for part in self._all_of_length(length) if nodes[part[1]] & letters]
            self.matching[length, letters] = parts
        return parts

    def _all_of_length(self, length: int) -> list[LeftPart]:
        while len(self.by_length) <= length:
            self.by_length.append([longer for part in self.by_length[-1] for longer in self._extensions(part)])
        return self.by_length[length]

    def _extensions(self, part: LeftPart) -> list[LeftPart]:
        laid, node, (held, after, after_blank) = part
        found: list[LeftPart] = []
        for letter in LETTERS_OF[self.dawg.letters[node] & held]:
            child = self.dawg.child(node, letter)
            if letter in after:
                found.append((laid + TILE[letter], child, after[letter]))
            if after_blank:
                found.append((laid + BLANK_FOR[letter], child, after_blank))
        return found
