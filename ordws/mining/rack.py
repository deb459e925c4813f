"""The tiles on a rack, and all beginnings of words that they can lay."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from ordws.mining.dawg import ALL_LETTERS, Dawg, LetterSet, letter_bit
from ordws.rules.tiles import BLANK


class RackState(NamedTuple):
    """The letters that a rack can lay, and the rack after each; equal racks are one object."""

    letters: LetterSet
    after: dict[int, RackState]
    """The rack after a tile, by its letter."""

    after_blank: RackState | None


def rack_state_of(rack: str) -> RackState:
    """Return the state of a rack."""
    return _rack_state("".join(sorted(rack)), {})


def _rack_state(tiles: str, known: dict[str, RackState]) -> RackState:
    # Racks are equal whatever the order in which tiles were taken, so they are shared by their sorted tiles.
    if tiles not in known:
        after = {ord(tile): _rack_state(tiles.replace(tile, "", 1), known) for tile in set(tiles) - {BLANK}}
        blank = _rack_state(tiles.replace(BLANK, "", 1), known) if BLANK in tiles else None
        known[tiles] = RackState(ALL_LETTERS if blank else sum([letter_bit(letter) for letter in after]), after, blank)
    return known[tiles]


class _LettersOfSet(dict[LetterSet, bytes]):
    """A cache of the letters of a set, in alphabetical order."""

    def __missing__(self, bits: LetterSet) -> bytes:
        self[bits] = letters = bytes([letter for letter in range(ord("A"), ord("Z") + 1) if bits & letter_bit(letter)])
        return letters


LETTERS_OF: Final = _LettersOfSet()
TILE: Final = [bytes([letter]) for letter in range(256)]
"""The byte of a letter."""

BLANK_FOR: Final = [bytes([letter | 32]) for letter in range(256)]
"""The byte of a blank that stands for a letter."""

LeftPart: TypeAlias = tuple[bytes, int, RackState]
"""The tiles laid, the node that they lead to, and the rack that is left."""


class LeftParts:
    """The beginnings of words that a rack can lay without a tile of the board, worked out when needed, and once."""

    def __init__(self, dawg: Dawg, rack: RackState) -> None:
        self.dawg = dawg
        self.by_length: list[list[LeftPart]] = [[(b"", dawg.root, rack)]]
        self.matching: dict[tuple[int, LetterSet], list[LeftPart]] = {}

    def of_length(self, length: int, letters: LetterSet) -> list[LeftPart]:
        """Return the beginnings of this length that go on with one of these letters."""
        parts = self.matching.get((length, letters))
        if parts is None:
            nodes = self.dawg.letters
            while len(self.by_length) <= length:
                longer: list[LeftPart] = []
                for laid, node, (held, after, after_blank) in self.by_length[-1]:
                    for letter in LETTERS_OF[nodes[node] & held]:
                        child = self.dawg.child(node, letter)
                        if letter in after:
                            longer.append((laid + TILE[letter], child, after[letter]))
                        if after_blank:
                            longer.append((laid + BLANK_FOR[letter], child, after_blank))
                self.by_length.append(longer)
            parts = [part for part in self.by_length[length] if nodes[part[1]] & letters]
            self.matching[length, letters] = parts
        return parts
