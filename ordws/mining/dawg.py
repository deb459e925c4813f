"""A DAWG (directed acyclic word graph) of plain words in three arrays, which a move generator walks along."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
from itertools import accumulate, chain
from typing import Final, NamedTuple, TypeAlias

LetterSet: TypeAlias = int
"""A set of letters, with the `letter_bit` of each."""

ALL_LETTERS: Final[LetterSet] = (1 << 27) - 2
END_OF_WORD: Final = 1 << 27

_WORD: Final = re.compile(r"[A-Z]{2,}", re.ASCII)


def letter_bit(letter: int) -> LetterSet:
    """Return the bit of a letter, the same for a tile and for a blank that stands for it."""
    return 1 << (letter & 31)


class Dawg(NamedTuple):
    """Words that share their beginnings and their endings. A node is a number.

    `letters` holds the letters with which a word goes on from a node, and `END_OF_WORD` if one ends there. The nodes
    that they lead to stand in `children`, from `first_child` of the node on, in the order of the letters.
    """

    letters: array[int]
    first_child: array[int]
    children: array[int]
    root: int

    def child(self, node: int, letter: int) -> int:
        """Return the node that a letter leads to. A word must go on with that letter."""
        return self.children[self.first_child[node] + (self.letters[node] & (letter_bit(letter) - 1)).bit_count()]

    def follow(self, node: int, tiles: bytes) -> int | None:
        """Return the node that tiles lead to; None if no word begins so."""
        for tile in tiles:
            if not self.letters[node] & letter_bit(tile):
                return None
            node = self.child(node, tile)
        return node

    def __contains__(self, word: object) -> bool:
        node = self.follow(self.root, word.encode()) if isinstance(word, str) and _WORD.fullmatch(word) else None
        return node is not None and self.letters[node] & END_OF_WORD != 0


def build_dawg(words: Iterable[str]) -> Dawg:
    """Build the DAWG of words of two capitals or more, in any order; raises ValueError for any other."""
    numbers: dict[tuple[int, ...], int] = {}
    path: list[list[int]] = [[0]]
    before = ""
    for word in sorted(set(words)):
        if not _WORD.fullmatch(word):
            raise ValueError(f'"{word}" is not a word of two letters or more from A to Z')
        # In alphabetical order nothing is added below a node once a word has left its path.
        shared = next((i for i, (a, b) in enumerate(zip(before, word, strict=False)) if a != b), len(before))
        _minimize(path, shared, numbers)
        for letter in word[shared:].encode():
            path[-1][0] |= letter_bit(letter)
            path.append([0])
        path[-1][0] |= END_OF_WORD
        before = word
    _minimize(path, 0, numbers)
    root = numbers.setdefault(tuple(path[0]), len(numbers))
    return Dawg(
        array("I", [node[0] for node in numbers]),
        array("I", accumulate([len(node) - 1 for node in numbers], initial=0)),
        array("I", chain.from_iterable([node[1:] for node in numbers])),
        root,
    )


def _minimize(path: list[list[int]], depth: int, node_numbers: dict[tuple[int, ...], int]) -> None:
    """Number the nodes deeper than this, to which nothing will be added; equal nodes get the same number."""
    while len(path) > depth + 1:
        node = tuple(path.pop())
        path[-1].append(node_numbers.setdefault(node, len(node_numbers)))
