"""The search for all plays of a rack on a board, which scores them while it finds them.

Each play is found once: in its line, by its first square that has a tile on it or beside it (its anchor). The squares
before the anchor have no neighbours, and what can be laid on such squares is the same all over the board, so it is
worked out once for a rack. (After Appel and Jacobson, The World's Fastest Scrabble Program, 1988, who lay it anew at
each anchor.)
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from ordws.movegen.found import FoundPlays
from ordws.movegen.graph import CHILD, ENDS_WORD, LETTER, Graph
from ordws.movegen.left_parts import TILE_BITS, VALUE_BITS, LeftParts, Rack
from ordws.movegen.lines import Lines
from ordws.movegen.terms import Terms

_COUNT: Final[i64] = 15
_STRETCHES: Final[i64] = 16
_ON_INNER: Final[i64] = 32
_LONG_CROSS: Final[i64] = 64
_BLANKS: Final[i64] = 8
"""The state of a play in the making: the number of its tiles in bits 0 to 3; whether it extends a long run, has a tile
on the inner board, makes a word across of three letters or more; which of its tiles are blanks, from this bit on."""


class Search:
    """The search along one axis."""

    graph: Graph
    lines: Lines
    terms: Terms
    rack: Rack
    parts: LeftParts
    found: FoundPlays
    start: i64
    """The first square of the main word of the plays being looked for."""

    def __init__(self, graph: Graph, lines: Lines, terms: Terms, parts: LeftParts, found: FoundPlays) -> None:
        self.graph, self.lines, self.terms = graph, lines, terms
        self.parts, self.rack, self.found = parts, parts.rack, found
        self.start = 0

    def run(self) -> None:
        """Find the plays of all lines."""
        lines = self.lines
        free: i64 = 0
        for at in range(lines.stride, lines.stride * lines.stride):
            if not lines.anchors[at]:
                free += 1
                continue
            # A play may begin on any free square before the anchor, except right behind a tile of the line.
            longest = free - 1 if lines.tiles[at - free - 1] else free
            free = 0
            tile = i64(lines.tiles[at])
            letters = 1 << tile if tile else i64(lines.open_to[at]) & self.rack.letters()
            if letters:
                for length in range(min(longest, self.parts.longest) + 1):
                    self._try_parts(at, length, letters, tile)

    def _try_parts(self, at: i64, length: i64, letters: i64, tile: i64) -> None:
        """Find the plays that begin so many squares before an anchor."""
        lines, parts, rack = self.lines, self.parts.by_length[length], self.rack
        self.start = at - length
        word_factor: i64 = 1
        state = length
        for k in range(self.start, at):
            word_factor = self._combine(word_factor, i64(lines.word_factors[k]))
            if lines.inner[k]:
                state |= _ON_INNER
        numbers = self.parts.of_length(length, letters).items
        for number in range(i64(len(numbers))):
            i = i64(numbers[number])
            tiles, blanks = parts.tiles[i], i64(parts.blanks[i])
            word_sum, values = i64(parts.sums[i]), parts.values[i]
            for k in range(length):
                letter = 0 if (blanks >> k) & 1 else (tiles >> (k * TILE_BITS)) & LETTER
                rack.take(letter)
                factor = i64(lines.letter_factors[self.start + k])
                if factor != 1:
                    word_sum += ((values >> (k * VALUE_BITS)) & 15) * (factor - 1)
            edge = i64(parts.edges[i])
            if tile:
                self._extend(at, edge, word_sum, word_factor, 0, tiles, state | blanks << _BLANKS)
            elif length < self.terms.most_tiles:
                self._lay(at, edge >> CHILD, word_sum, word_factor, 0, tiles, state | blanks << _BLANKS)
            for k in range(length):
                rack.put_back(0 if (blanks >> k) & 1 else (tiles >> (k * TILE_BITS)) & LETTER)

    def _combine(self, combined: i64, factor: i64) -> i64:
        """Return the factor of the word squares so far, 1 if there was none, combined with another."""
        if combined == 1 or factor == 1:
            return combined * factor
        return combined + factor if self.terms.is_added else combined * factor

    def _extend(
        self, at: i64, edge: i64, word_sum: i64, word_factor: i64, cross_score: i64, tiles: i64, state: i64
    ) -> None:
        """Find the plays that go on over tiles from a square, or end before it."""
        lines, graph = self.lines, self.graph
        begin = at
        tile = i64(lines.tiles[at])
        while tile:
            edge = graph.edge(edge >> CHILD, tile)
            if edge == 0:
                return
            word_sum += i64(lines.values[at])
            at += 1
            tile = i64(lines.tiles[at])
        if at - begin >= self.terms.stretch_from:
            state |= _STRETCHES
        if edge & ENDS_WORD and state & _COUNT:
            self._finish(at, word_sum * word_factor + cross_score, word_factor, cross_score, tiles, state)
        if state & _COUNT < self.terms.most_tiles:
            self._lay(at, edge >> CHILD, word_sum, word_factor, cross_score, tiles, state)

    def _lay(
        self, at: i64, node: i64, word_sum: i64, word_factor: i64, cross_score: i64, tiles: i64, state: i64
    ) -> None:
        """Find the plays that lay a tile on a square."""
        lines, rack = self.lines, self.rack
        left = i64(self.graph.letters[node]) & i64(lines.open_to[at]) & rack.letters()
        if not left:
            return
        count = state & _COUNT
        letter_factor, factor = i64(lines.letter_factors[at]), i64(lines.word_factors[at])
        word_factor = self._combine(word_factor, factor)
        across, cap = i64(lines.cross_lengths[at]), i64(lines.cross_caps[at])
        cross_score += i64(lines.cross_values[at]) * factor
        after = state + 1
        if lines.inner[at]:
            after |= _ON_INNER
        if across >= 3:
            after |= _LONG_CROSS
        while left:
            edge = i64(self.graph.edges[node])
            node += 1
            letter = edge & LETTER
            if not (left >> letter) & 1:
                continue
            left ^= 1 << letter
            laid = tiles | letter << (count * TILE_BITS)
            if rack.counts[letter]:
                value = self.parts.letter_values[letter]
                crossing = min(value, cap) * letter_factor * factor if across else 0
                rack.take(letter)
                self._extend(
                    at + 1, edge, word_sum + value * letter_factor, word_factor, cross_score + crossing, laid, after
                )
                rack.put_back(letter)
            if rack.counts[0]:
                rack.take(0)
                blank = after | 1 << (_BLANKS + count)
                self._extend(at + 1, edge, word_sum, word_factor, cross_score, laid, blank)
                rack.put_back(0)

    def _finish(self, end: i64, score: i64, word_factor: i64, cross_score: i64, tiles: i64, state: i64) -> None:
        """Record a play whose main word ends before a square, if it fits the rules."""
        terms, lines = self.terms, self.lines
        count, length = state & _COUNT, end - self.start
        if terms.is_capped and length <= 4:
            score = self._capped_sum(end, tiles, state >> _BLANKS) * word_factor + cross_score
        if count == 1:
            self._finish_lone(end, score, tiles, state)
            return
        if length < 3 and (terms.needs_long_main or (terms.needs_long_word and not state & _LONG_CROSS)):
            return
        if terms.needs_inner_tile and not state & _ON_INNER:
            return
        if terms.needs_inner_main and not self._is_inner(end):
            return
        bonuses = terms.stretch_bonuses if state & _STRETCHES else terms.bonuses
        self.found.add(lines.axis, self.start, count, tiles, state >> _BLANKS, score + i64(bonuses[count]))

    def _finish_lone(self, end: i64, score: i64, tiles: i64, state: i64) -> None:
        """Record a play of a single tile, which may make two words, the longer of which is the main one."""
        terms, lines = self.terms, self.lines
        at = self.start
        while lines.tiles[at]:
            at += 1
        length, across = end - self.start, i64(lines.cross_lengths[at])
        if across and lines.axis:
            return  # it was found in the line across
        if max(length, across) < 3 and terms.needs_long_word:
            return
        if terms.needs_inner_tile and not state & _ON_INNER:
            return
        blanks = state >> _BLANKS
        if across and (terms.is_lone_ruled or (terms.needs_inner_main and length < 3 and across < 3)):
            self.found.add_ruled(lines.axis, self.start, 1, tiles, blanks)
            return
        # Either word may cover an inner square if both have three letters (docs/rules.md 3.5).
        is_inner = (length >= 3 or not across) and self._is_inner(end)
        if terms.needs_inner_main and not (is_inner or (across >= 3 and lines.cross_inner[at])):
            return
        bonuses = terms.stretch_bonuses if state & _STRETCHES else terms.bonuses
        self.found.add(lines.axis, self.start, 1, tiles, blanks, score + i64(bonuses[1]))

    def _is_inner(self, end: i64) -> bool:
        """Return whether the main word covers a square of the inner board."""
        at = self.start
        while at < end and not self.lines.inner[at]:
            at += 1
        return at < end

    def _capped_sum(self, end: i64, tiles: i64, blanks: i64) -> i64:
        """Return the sum of a main word whose letters count no more than its length."""
        lines, cap = self.lines, end - self.start
        summed: i64 = 0
        for at in range(self.start, end):
            if lines.tiles[at]:
                summed += min(i64(lines.values[at]), cap)
                continue
            if not blanks & 1:
                value = min(self.parts.letter_values[tiles & LETTER], cap)
                summed += value * i64(lines.letter_factors[at])
            tiles >>= TILE_BITS
            blanks >>= 1
        return summed
