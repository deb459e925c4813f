"""The lines of a board along one axis, as a search walks along them."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64

from ordws.movegen.graph import ALL_LETTERS, CHILD, ENDS_WORD, LETTER, Graph
from ordws.rules.board import EMPTY, Axis, Board
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import FACE_VALUES

_UNCAPPED: Final[i64] = 10
_LONGEST_CAPPED: Final[i64] = 4


class Lines:
    """The squares along one axis, indexed as the text of a board along it is.

    The word across at an empty square consists of the tiles before and behind that square, across the line, and of the
    one to come.
    """

    axis: i64
    stride: i64
    tiles: vec[i32]
    """The letter on a square, 1 for A, the same for a blank; 0 on an empty square and off the board."""
    values: vec[i32]
    """The face value of the tile on a square."""
    letter_factors: vec[i32]
    word_factors: vec[i32]
    inner: vec[i32]
    """1 on a square of the inner board."""
    anchors: vec[i32]
    """1 where a play meets what is there: on a tile, beside one across the line, off the board, and on the start of an
    empty board."""
    open_to: vec[i32]
    """The letters that an empty square may take, for the words across; none on a tile and off the board."""
    cross_lengths: vec[i32]
    """The length of the word across at an empty square; 0 without one."""
    cross_values: vec[i32]
    """The values of the tiles of that word that are there."""
    cross_caps: vec[i32]
    """The most that the tile to come counts in that word before premiums."""
    cross_inner: vec[i32]
    """1 if that word covers a square of the inner board."""

    def __init__(self, rules: RuleSet, board: Board, axis: Axis) -> None:
        text = board.down if axis is Axis.DOWN else board.across
        letter_factors, word_factors = rules.layout.factors[axis]
        inner = rules.layout.inner
        size = len(text)
        self.axis, self.stride = int(axis), board.side + 1
        self.tiles, self.values = vec[i32](capacity=size), vec[i32](capacity=size)
        self.letter_factors, self.word_factors = vec[i32](capacity=size), vec[i32](capacity=size)
        self.inner = vec[i32](capacity=size)
        self.anchors, self.open_to = vec[i32](capacity=size), vec[i32](capacity=size)
        self.cross_lengths, self.cross_values = vec[i32](capacity=size), vec[i32](capacity=size)
        self.cross_caps, self.cross_inner = vec[i32](capacity=size), vec[i32](capacity=size)
        for at in range(size):
            tile = text[at]
            self.tiles = append(self.tiles, i32(0 if tile == EMPTY else tile & 31))
            self.values = append(self.values, i32(FACE_VALUES[tile]))
            self.letter_factors = append(self.letter_factors, i32(letter_factors[at]))
            self.word_factors = append(self.word_factors, i32(word_factors[at]))
            self.inner = append(self.inner, i32(inner[at]))

    def find_crosses(self, graph: Graph, others: Lines, is_capped: bool) -> None:
        """Work out the words across at every square, from the lines along the other axis."""
        stride, tiles = self.stride, self.tiles
        for at in range(i64(len(tiles))):
            line, along = at // stride, at % stride
            if line == 0 or line == stride or along == stride - 1 or tiles[at]:
                self._append(1, 0, 0, 0, 0, 0)
                continue
            across = (along + 1) * stride + line - 1
            if not (others.tiles[across - 1] or others.tiles[across + 1]):
                self._append(0, ALL_LETTERS, 0, 0, _UNCAPPED, 0)
                continue
            begin, end = across, across + 1
            while others.tiles[begin - 1]:
                begin -= 1
            while others.tiles[end]:
                end += 1
            length = end - begin
            cap = length if is_capped and length <= _LONGEST_CAPPED else _UNCAPPED
            value: i64 = 0
            inner: i64 = 0
            for k in range(begin, end):
                value += min(i64(others.values[k]), cap)
                inner |= i64(others.inner[k])
            self._append(1, _find_letters(graph, others.tiles, begin, across, end), length, value, cap, inner)

    def _append(self, anchor: i64, open_to: i64, length: i64, value: i64, cap: i64, inner: i64) -> None:
        self.anchors = append(self.anchors, i32(anchor))
        self.open_to = append(self.open_to, i32(open_to))
        self.cross_lengths = append(self.cross_lengths, i32(length))
        self.cross_values = append(self.cross_values, i32(value))
        self.cross_caps = append(self.cross_caps, i32(cap))
        self.cross_inner = append(self.cross_inner, i32(inner))


def find_lines(rules: RuleSet, graph: Graph, board: Board) -> list[Lines]:
    """Return the lines of a board across and down."""
    across, down = Lines(rules, board, Axis.ACROSS), Lines(rules, board, Axis.DOWN)
    across.find_crosses(graph, down, rules.small_word_cap)
    down.find_crosses(graph, across, rules.small_word_cap)
    if board.is_empty:
        start = rules.layout.start
        for lines in (across, down):
            lines.anchors[(start[lines.axis] + 1) * lines.stride + start[1 - lines.axis]] = 1
    return [across, down]


def _find_letters(graph: Graph, tiles: vec[i32], begin: i64, at: i64, end: i64) -> i64:
    """Return the letters that make a word on the square `at` with the tiles from `begin` on and up to `end`."""
    edge = graph.root << CHILD
    for k in range(begin, at):
        edge = graph.edge(edge >> CHILD, i64(tiles[k]))
        if edge == 0:
            return 0
    node = edge >> CHILD
    left = i64(graph.letters[node])
    found: i64 = 0
    while left:
        edge = i64(graph.edges[node])
        letter = edge & LETTER
        left ^= 1 << letter
        k = at + 1
        while edge and k < end:
            edge = graph.edge(edge >> CHILD, i64(tiles[k]))
            k += 1
        if edge & ENDS_WORD:
            found |= 1 << letter
        node += 1
    return found
