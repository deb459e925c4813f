"""A graph of words that share their beginnings and their endings, in two arrays that a search walks along.

The modules of this folder are compiled where there is a compiler, as those of `ordws.rules` are; hence the sized
numbers and the arrays of `librt.vecs`, which plain Python reads as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

ALL_LETTERS: Final[i64] = (1 << 27) - 2
"""The set of all letters: bit 1 for A to bit 26 for Z."""

LETTER: Final[i64] = 31
ENDS_WORD: Final[i64] = 32
_LAST: Final[i64] = 64
CHILD: Final[i64] = 7
"""An edge has its letter in bits 0 to 4, 1 for A; then whether a word ends with it, and whether it is the last edge of
its node; from this bit on, the index of the first edge of the node that it leads to, 0 where words do not go on."""

_MOST_EDGES: Final = 1 << 24
_WORD: Final = re.compile(r"[A-Z]{2,}", re.ASCII)


class Graph:
    """A directed acyclic graph of words of two capitals or more. A node is the index of its first edge."""

    edges: vec[i32]
    letters: vec[i32]
    """By node, the set of the letters with which words go on."""
    root: i64

    def __init__(self, edges: list[int], letters: list[int], root: int) -> None:
        self.edges = vec[i32](edges)
        self.letters = vec[i32](letters)
        self.root = root

    @staticmethod
    def from_words(words: Iterable[str]) -> Graph:
        """Build the graph of words of two capitals or more, in any order; raises ValueError for any other."""
        builder = _Builder()
        before = ""
        for word in sorted(set(words)):
            if not _WORD.fullmatch(word):
                raise ValueError(f'"{word}" is not a word of two letters or more from A to Z')
            builder.add(before, word)
            before = word
        builder.close(0)
        root = builder.number(builder.path[0])
        if len(builder.edges) > _MOST_EDGES:
            raise ValueError(f"{len(builder.edges)} edges are more than the {_MOST_EDGES} of a graph")
        return Graph(builder.edges, builder.letters, root)

    def __contains__(self, word: object) -> bool:
        if not isinstance(word, str) or not _WORD.fullmatch(word):
            return False
        edge = self.root << CHILD
        for letter in word:
            edge = self.edge(edge >> CHILD, i64(ord(letter) & 31))
            if edge == 0:
                return False
        return edge & ENDS_WORD != 0

    def edge(self, node: i64, letter: i64) -> i64:
        """Return the edge of a node with a letter, 0 if there is none."""
        if not (i64(self.letters[node]) >> letter) & 1:
            return 0
        while True:
            edge = i64(self.edges[node])
            if edge & LETTER == letter:
                return edge
            node += 1


class _Builder:
    """The arrays of a graph in the making, and the path of the last word, below which more may follow."""

    def __init__(self) -> None:
        # Index 0 is the node without edges.
        self.edges = [0]
        self.letters = [0]
        self.numbers: dict[tuple[int, ...], int] = {}
        self.path: list[list[int]] = [[]]

    def add(self, before: str, word: str) -> None:
        """Add a word that follows the last one in the alphabet."""
        shared = 0
        while shared < len(before) and before[shared] == word[shared]:
            shared += 1
        # In alphabetical order nothing is added below a node once a word has left its path.
        self.close(shared)
        path = self.path
        for letter in word[shared:]:
            path[-1].append(ord(letter) & 31)
            path.append([])
        path[-2][-1] |= 32

    def close(self, depth: int) -> None:
        """Number the nodes deeper than this, to which nothing will be added."""
        path = self.path
        while len(path) > depth + 1:
            node = self.number(path.pop())
            path[-1][-1] |= node << 7

    def number(self, node: list[int]) -> int:
        """Return the index of a node's first edge; equal nodes are one."""
        if not node:
            return 0
        key = tuple(node)
        number = self.numbers.get(key)
        if number is None:
            number = len(self.edges)
            self.numbers[key] = number
            letters = 0
            for edge in node:
                letters |= 1 << (edge & 31)
            self.edges.extend(node)
            self.edges[-1] |= 64
            self.letters.append(letters)
            self.letters.extend([0] * (len(node) - 1))
        return number
