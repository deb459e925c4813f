"""A generator of all plays that fit and whose words are in a DAWG, under any rule set.

Each play is found once: in its line, by its first square that has a tile on it or beside it (its anchor). The squares
before the anchor have no neighbours, and what can be laid on such squares is the same all over the board, so it is
worked out once for a rack. (After Appel and Jacobson, The World's Fastest Scrabble Program, 1988, who lay it anew at
each anchor.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ordws.mining.dawg import ALL_LETTERS, END_OF_WORD, Dawg, LetterSet, letter_bit
from ordws.mining.rack import BLANK_FOR, LETTERS_OF, TILE, LeftParts, RackState, rack_state_of
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.published_lists import is_acceptable
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists

_RACK_PATTERN: Final = re.compile(r"[A-Z?]*", re.ASCII)
_UNCONSTRAINED: Final[LetterSet] = ALL_LETTERS | 1
"""Any letter, because it would form no word across the line."""


def words_for(rules: RuleSet, words: Iterable[str]) -> set[str]:
    """Return the words that are acceptable under a rule set.

    Its own two-letter words and the longer words that it grants are added, and words that it strikes out are left out.
    """
    lists = published_word_lists(rules)
    acceptable = {word for word in words if is_acceptable(lists, word, found=True)}
    return acceptable | lists.twos | (lists.granted - lists.struck)


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
