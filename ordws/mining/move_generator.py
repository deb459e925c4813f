"""All plays that fit and whose words are in a graph, under any rule set.

Each is found once: in its line, by the first of its squares that is not free, which has a tile on it or beside it. The
squares before that one are free, and what can be laid on free squares is the same all over the board. (After Appel and
Jacobson, The World's Fastest Scrabble Program, 1988, who lay it anew at each anchor.)
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
"""Any letter, as it would form no word across the line."""


def words_for(rules: RuleSet, words: Iterable[str]) -> set[str]:
    """The words as the published lists of a rule set have them: its own two-letter words, none that it strikes out."""
    lists = published_word_lists(rules)
    found = {word for word in words if is_acceptable(lists, word, found=True)}
    return found | lists.twos | (lists.granted - lists.struck)


def generate_plays(rules: RuleSet, dawg: Dawg, board: Board, rack: str) -> Iterator[tuple[Play, Legal]]:
    """All plays that fit and whose words are in the graph, with their rulings; none twice.

    The graph decides words of two letters too: `words_for` puts in those of the rule set. A play spells its main word
    from the first letter, `.` for a tile already there; a lone tile that forms two words is played across. Raises
    ValueError for a rack that is not written in capitals and `?`, or a board of another size.
    """
    if not _RACK_PATTERN.fullmatch(rack):
        raise ValueError(f'the rack "{rack}" is not written in capitals, "?" for a blank')
    if board.side != rules.layout.side:
        raise ValueError(f"the board has {board.side} rows, the layout of the rule set {rules.layout.side}")
    beginnings = LeftParts(dawg, rack_state_of(rack))
    for axis in Axis:
        for play in _LinePlays(rules, dawg, board, axis).plays(beginnings):
            ruling = judge(rules, board, play)
            if isinstance(ruling, Legal):
                yield play, ruling


class _LinePlays:
    """A board read one way."""

    def __init__(self, rules: RuleSet, dawg: Dawg, board: Board, axis: Axis) -> None:
        self.dawg, self.axis, self.stride = dawg, axis, board.side + 1
        self.lines, self.others = (board.down, board.across) if axis else (board.across, board.down)
        self.cross_checks = self._find_cross_checks()
        if board.is_empty:
            start = rules.layout.start
            self.cross_checks[(start[axis] + 1) * self.stride + start[1 - axis]] = ALL_LETTERS
        self.found: list[Play] = []

    def plays(self, left_parts: LeftParts) -> Iterator[Play]:
        """The plays of all lines that make words of the graph, whether the rule set lets them or not."""
        for at, most in self._anchors():
            tile = self.lines[at]
            here, go_on = (
                (self.cross_checks[at], self._lay_tile)
                if tile == EMPTY
                else (letter_bit(tile), self._extend_over_tiles)
            )
            for length in range(most + 1):
                for laid, node, hand in left_parts.of_length(length, here):
                    go_on(at, node, hand, laid)
            yield from self.found
            self.found.clear()

    def _find_cross_checks(self) -> list[LetterSet]:
        """By place, the letters that make words across the line; none on a tile, nor where there is no square."""
        fitting = [0] * len(self.lines)
        known: dict[tuple[bytes, bytes], LetterSet] = {(b"", b""): _UNCONSTRAINED}
        for line in range(1, self.stride):
            for along in range(self.stride - 1):
                at, there = line * self.stride + along, (along + 1) * self.stride + line - 1
                if self.lines[at] == EMPTY:
                    a, b = self.others.rfind(b".", 0, there) + 1, self.others.find(b".", there + 1)
                    around = self.others[a:there], self.others[there + 1 : b]
                    if around not in known:
                        known[around] = _cross_check(self.dawg, *around)
                    fitting[at] = known[around]
        return fitting

    def _anchors(self) -> Iterator[tuple[int, int]]:
        """The places that are not free, and on how many free ones before them a word may begin; -1: not even there."""
        free = 0
        for at in range(self.stride, self.stride * self.stride):
            if self.cross_checks[at] == _UNCONSTRAINED:
                free += 1
            else:
                yield at, free - (self.lines[at - free - 1] != EMPTY)
                free = 0

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
            self._record_play(at, laid)
        if letters[node] & self.cross_checks[at]:
            self._lay_tile(at, node, rack, laid)

    def _lay_tile(self, at: int, node: int, rack: RackState, laid: bytes) -> None:
        """Find the plays that lay a tile on a place."""
        held, after, after_blank = rack
        for letter in LETTERS_OF[self.dawg.letters[node] & held & self.cross_checks[at]]:
            child = self.dawg.child(node, letter)
            if letter in after:
                self._extend_over_tiles(at + 1, child, after[letter], laid + TILE[letter])
            if after_blank:
                self._extend_over_tiles(at + 1, child, after_blank, laid + BLANK_FOR[letter])

    def _record_play(self, end: int, laid: bytes) -> None:
        """Keep a play, unless it is a lone tile that forms a word across, where it was found."""
        is_lone = len(laid) - laid.count(b".") == 1
        if is_lone and self.axis and self.cross_checks[end - len(laid.lstrip(b"."))] != _UNCONSTRAINED:
            return
        line, along = divmod(end - len(laid), self.stride)
        row, column = (along, line - 1) if self.axis else (line - 1, along)
        self.found.append(Play(row, column, self.axis, laid))


def _cross_check(dawg: Dawg, before: bytes, following: bytes) -> LetterSet:
    """The letters that make a word of what stands before and behind them."""
    node = dawg.follow(dawg.root, before)
    if node is None:
        return 0
    ends = [
        (letter, dawg.follow(node, TILE[letter] + following)) for letter in LETTERS_OF[dawg.letters[node] & ALL_LETTERS]
    ]
    return sum([letter_bit(letter) for letter, end in ends if end is not None and dawg.letters[end] & END_OF_WORD])
