"""The generator of plays as it was before `ordws.movegen`, in plain Python: it asks the engine about every play.

The move generator is held to it: the same plays in the same order, with the same scores.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import Final, NamedTuple, TypeAlias

from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK

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


_RACK_PATTERN: Final = re.compile(r"[A-Z?]*", re.ASCII)
_UNCONSTRAINED: Final[LetterSet] = ALL_LETTERS | 1
"""Any letter, because it would form no word across the line."""


def generate_plays(rules: RuleSet, dawg: Dawg, board: Board, rack: str) -> Iterator[tuple[Play, Legal]]:
    """Yield all plays that fit and whose words are in the DAWG, with their rulings; none twice.

    The DAWG decides two-letter words too: `words_for` adds those of the rule set. A play spells its main word from the
    first letter, with `.` for a tile already there; a lone tile that forms two words is played across. Raises
    ValueError for a rack that is not written in capitals and `?`, or a board of another size.
    """
    if not _RACK_PATTERN.fullmatch(rack):
        raise ValueError(f'the rack "{rack}" is not written in capitals, "?" for a blank')
    if board.side != rules.layout.side:
        raise ValueError(f"the board has {board.side} rows, the layout of the rule set {rules.layout.side}")
    left_parts = LeftParts(dawg, rack_state_of(rack))
    for axis in Axis:
        for play in _LinePlays(rules, dawg, board, axis).plays(left_parts):
            ruling = judge(rules, board, play)
            if isinstance(ruling, Legal):
                yield play, ruling


class _LinePlays:
    """The lines of a board along one axis."""

    def __init__(self, rules: RuleSet, dawg: Dawg, board: Board, axis: Axis) -> None:
        # An empty byte follows each line, so that no play runs over into the next line.
        self.dawg, self.axis, self.stride = dawg, axis, board.side + 1
        self.lines, self.others = (board.down, board.across) if axis else (board.across, board.down)
        self.cross_checks = [0] * len(self.lines)
        """By place, the letters that make words across the line; none on a tile, nor off the board."""
        known: dict[tuple[bytes, bytes], LetterSet] = {(b"", b""): _UNCONSTRAINED}
        for line in range(1, self.stride):
            for along in range(self.stride - 1):
                # The same square in the lines along this axis and in those across.
                at, across = line * self.stride + along, (along + 1) * self.stride + line - 1
                if self.lines[at] == EMPTY:
                    begin, end = self.others.rfind(b".", 0, across) + 1, self.others.find(b".", across + 1)
                    around = self.others[begin:across], self.others[across + 1 : end]
                    if around not in known:
                        known[around] = _cross_check(dawg, *around)
                    self.cross_checks[at] = known[around]
        # On an empty board only the start square is an anchor.
        if board.is_empty:
            start = rules.layout.start
            self.cross_checks[(start[axis] + 1) * self.stride + start[1 - axis]] = ALL_LETTERS
        self.found: list[Play] = []

    def plays(self, left_parts: LeftParts) -> Iterator[Play]:
        """Yield the plays of all lines that make words of the DAWG, whether they fit the rules or not."""
        free = 0
        for at in range(self.stride, self.stride * self.stride):
            if self.cross_checks[at] == _UNCONSTRAINED:
                free += 1
                continue
            # A play may begin on any free square before the anchor, except right behind a tile of the line.
            longest = free - (self.lines[at - free - 1] != EMPTY)
            free = 0
            tile = self.lines[at]
            letters, go_on = self.cross_checks[at], self._lay_tile
            if tile != EMPTY:
                letters, go_on = letter_bit(tile), self._extend_over_tiles
            for length in range(longest + 1):
                for laid, node, rack in left_parts.of_length(length, letters):
                    go_on(at, node, rack, laid)
            yield from self.found
            self.found.clear()

    def _extend_over_tiles(self, at: int, node: int, rack: RackState, laid: bytes) -> None:
        """Find the plays that go on over tiles from a place, or end before it."""
        letters, child = self.dawg.letters, self.dawg.child
        while (tile := self.lines[at]) != EMPTY:
            if not letters[node] & letter_bit(tile):
                return
            node = child(node, tile)
            laid += b"."
            at += 1
        if letters[node] & END_OF_WORD:
            is_lone = len(laid) - laid.count(b".") == 1
            # A lone tile that also forms a word across was found along the other axis.
            if not (is_lone and self.axis and self.cross_checks[at - len(laid.lstrip(b"."))] != _UNCONSTRAINED):
                line, along = divmod(at - len(laid), self.stride)
                row, column = (along, line - 1) if self.axis else (line - 1, along)
                self.found.append(Play(row, column, self.axis, laid))
        if letters[node] & self.cross_checks[at]:
            self._lay_tile(at, node, rack, laid)

    def _lay_tile(self, at: int, node: int, rack: RackState, laid: bytes) -> None:
        """Find the plays that lay a tile on a place."""
        letters, after, after_blank = rack
        for letter in LETTERS_OF[self.dawg.letters[node] & letters & self.cross_checks[at]]:
            child = self.dawg.child(node, letter)
            if letter in after:
                self._extend_over_tiles(at + 1, child, after[letter], laid + TILE[letter])
            if after_blank:
                self._extend_over_tiles(at + 1, child, after_blank, laid + BLANK_FOR[letter])


def _cross_check(dawg: Dawg, before: bytes, following: bytes) -> LetterSet:
    """Return the letters that make a word together with the tiles before and behind them."""
    node = dawg.follow(dawg.root, before)
    if node is None:
        return 0
    ends = [
        (letter, dawg.follow(node, TILE[letter] + following)) for letter in LETTERS_OF[dawg.letters[node] & ALL_LETTERS]
    ]
    return sum([letter_bit(letter) for letter, end in ends if end is not None and dawg.letters[end] & END_OF_WORD])
