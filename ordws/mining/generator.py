"""All plays that fit and whose words are in a graph, under any rule set.

Each is found once: in its line, by the first of its squares that is not free, which has a tile on it or beside it. The
squares before that one are free, and what can be laid on free squares is the same all over the board. (After Appel and
Jacobson, The World's Fastest Scrabble Program, 1988, who lay it anew at each anchor.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ordws.mining.graph import ALL, END, Bits, Graph, bit
from ordws.mining.hand import BLANK_FOR, LETTERS_OF, TILE, Beginnings, Hand, hand_of
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.judge import judge
from ordws.rules.lists import is_acceptable
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists

_RACK: Final = re.compile(r"[A-Z?]*", re.ASCII)
_FREE: Final[Bits] = ALL | 1
"""Any letter, as it would form no word across the line."""


def words_for(rules: RuleSet, words: Iterable[str]) -> set[str]:
    """The words as the published lists of a rule set have them: its own two-letter words, none that it strikes out."""
    lists = published_word_lists(rules)
    found = {word for word in words if is_acceptable(lists, word, found=True)}
    return found | lists.twos | (lists.granted - lists.struck)


def generate(rules: RuleSet, graph: Graph, board: Board, rack: str) -> Iterator[tuple[Play, Legal]]:
    """All plays that fit and whose words are in the graph, with their rulings; none twice.

    The graph decides words of two letters too: `words_for` puts in those of the rule set. A play spells its main word
    from the first letter, `.` for a tile already there; a lone tile that forms two words is played across. Raises
    ValueError for a rack that is not written in capitals and `?`, or a board of another size.
    """
    if not _RACK.fullmatch(rack):
        raise ValueError(f'the rack "{rack}" is not written in capitals, "?" for a blank')
    if board.side != rules.layout.side:
        raise ValueError(f"the board has {board.side} rows, the layout of the rule set {rules.layout.side}")
    beginnings = Beginnings(graph, hand_of(rack))
    for axis in Axis:
        for play in _Lines(rules, graph, board, axis).plays(beginnings):
            ruling = judge(rules, board, play)
            if isinstance(ruling, Legal):
                yield play, ruling


class _Lines:
    """A board read one way."""

    def __init__(self, rules: RuleSet, graph: Graph, board: Board, axis: Axis) -> None:
        self.graph, self.axis, self.stride = graph, axis, board.side + 1
        self.lines, self.others = (board.down, board.across) if axis else (board.across, board.down)
        self.fitting = self._fitting()
        if board.is_empty:
            start = rules.layout.start
            self.fitting[(start[axis] + 1) * self.stride + start[1 - axis]] = ALL
        self.found: list[Play] = []

    def plays(self, beginnings: Beginnings) -> Iterator[Play]:
        """The plays of all lines that make words of the graph, whether the rule set lets them or not."""
        for at, most in self._turning_points():
            tile = self.lines[at]
            here, go_on = (self.fitting[at], self._lay) if tile == EMPTY else (bit(tile), self._run)
            for length in range(most + 1):
                for laid, node, hand in beginnings.before(length, here):
                    go_on(at, node, hand, laid)
            yield from self.found
            self.found.clear()

    def _fitting(self) -> list[Bits]:
        """By place, the letters that make words across the line; none on a tile, nor where there is no square."""
        fitting = [0] * len(self.lines)
        known: dict[tuple[bytes, bytes], Bits] = {(b"", b""): _FREE}
        for line in range(1, self.stride):
            for along in range(self.stride - 1):
                at, there = line * self.stride + along, (along + 1) * self.stride + line - 1
                if self.lines[at] == EMPTY:
                    a, b = self.others.rfind(b".", 0, there) + 1, self.others.find(b".", there + 1)
                    around = self.others[a:there], self.others[there + 1 : b]
                    if around not in known:
                        known[around] = _between(self.graph, *around)
                    fitting[at] = known[around]
        return fitting

    def _turning_points(self) -> Iterator[tuple[int, int]]:
        """The places that are not free, and on how many free ones before them a word may begin; -1: not even there."""
        free = 0
        for at in range(self.stride, self.stride * self.stride):
            if self.fitting[at] == _FREE:
                free += 1
            else:
                yield at, free - (self.lines[at - free - 1] != EMPTY)
                free = 0

    def _run(self, at: int, node: int, hand: Hand, laid: bytes) -> None:
        """Find the plays that go on over tiles from a place, or end before it."""
        letters, child = self.graph.letters, self.graph.child
        while (tile := self.lines[at]) != EMPTY:
            if not letters[node] & bit(tile):
                return
            node = child(node, tile)
            laid += b"."
            at += 1
        if letters[node] & END:
            self._find(at, laid)
        if letters[node] & self.fitting[at]:
            self._lay(at, node, hand, laid)

    def _lay(self, at: int, node: int, hand: Hand, laid: bytes) -> None:
        """Find the plays that lay a tile on a place."""
        held, after, after_blank = hand
        for letter in LETTERS_OF[self.graph.letters[node] & held & self.fitting[at]]:
            child = self.graph.child(node, letter)
            if letter in after:
                self._run(at + 1, child, after[letter], laid + TILE[letter])
            if after_blank:
                self._run(at + 1, child, after_blank, laid + BLANK_FOR[letter])

    def _find(self, end: int, laid: bytes) -> None:
        """Keep a play, unless it is a lone tile that forms a word across, where it was found."""
        is_lone = len(laid) - laid.count(b".") == 1
        if is_lone and self.axis and self.fitting[end - len(laid.lstrip(b"."))] != _FREE:
            return
        line, along = divmod(end - len(laid), self.stride)
        row, column = (along, line - 1) if self.axis else (line - 1, along)
        self.found.append(Play(row, column, self.axis, laid))


def _between(graph: Graph, before: bytes, behind: bytes) -> Bits:
    """The letters that make a word of what stands before and behind them."""
    node = graph.follow(graph.root, before)
    if node is None:
        return 0
    ends = [(letter, graph.follow(node, TILE[letter] + behind)) for letter in LETTERS_OF[graph.letters[node] & ALL]]
    return sum([bit(letter) for letter, end in ends if end is not None and graph.letters[end] & END])
