"""All moves of a turn that put tiles on the board, with their scores, after every choice of swaps for the blank."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias, overload

from ordws.movegen.found import SEARCH, FoundPlays, order_by_score
from ordws.movegen.graph import Graph
from ordws.movegen.left_parts import LeftParts
from ordws.movegen.lines import find_lines
from ordws.movegen.search import Search
from ordws.movegen.terms import Terms
from ordws.rules.board import Board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.published_lists import is_acceptable
from ordws.rules.ruleset import RuleSet, published_word_lists
from ordws.rules.swap import swap
from ordws.rules.tiles import as_drawn


class AfterSwaps(NamedTuple):
    """The squares (row, column) whose blanks were swapped, and the board and the rack after that."""

    squares: tuple[tuple[int, int], ...]
    board: Board
    rack: str


def after_swaps(rules: RuleSet, board: Board, rack: str) -> Iterator[AfterSwaps]:
    """Yield every choice of swaps that a player has before a turn; the first is none at all."""
    blanks = [
        (row, column)
        for row, letters in enumerate(board.rows())
        for column, letter in enumerate(letters)
        if letter.islower() and letter.upper() in rack
    ]
    for n in range(len(blanks) + 1):
        for squares in combinations(blanks, n):
            reached = AfterSwaps(squares, board, rack)
            for row, column in squares:
                swapped = swap(rules, reached.board, reached.rack, row, column)
                if isinstance(swapped, Illegal):
                    break
                reached = AfterSwaps(squares, swapped[0], swapped[1] or "")
            else:
                yield reached


_RACK_PATTERN: Final = re.compile(r"[A-Z?]*", re.ASCII)


SwapChoice: TypeAlias = tuple[tuple[int, int], ...]
"""Row and column of the blanks that are swapped before a play."""


class GeneratedMove(NamedTuple):
    """A play, its score with its bonus, and the swaps before it."""

    play: Play
    score: int
    swaps: SwapChoice = ()


class Moves(Sequence[GeneratedMove]):
    """All moves of a turn, the best first; each is made when it is looked at."""

    def __init__(self, choices: Iterable[tuple[SwapChoice, FoundPlays]]) -> None:
        self._swaps: list[SwapChoice] = []
        self._searches: list[FoundPlays] = []
        for squares, found in choices:
            self._swaps.append(squares)
            self._searches.append(found)
        self._order = order_by_score(self._searches)

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[GeneratedMove]:
        # Looking up one after another would take half as long again.
        swaps, searches = self._swaps, self._searches
        for entry in self._order:
            search, number = divmod(int(entry), 1 << SEARCH)
            found = searches[search]
            yield GeneratedMove(found.play(number), int(found.score(number)), swaps[search])

    @overload
    def __getitem__(self, index: int) -> GeneratedMove: ...
    @overload
    def __getitem__(self, index: slice) -> list[GeneratedMove]: ...
    def __getitem__(self, index: int | slice) -> GeneratedMove | list[GeneratedMove]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        found, number, squares = self._find(index)
        return GeneratedMove(found.play(number), int(found.score(number)), squares)

    def score(self, index: int) -> int:
        """Return the score of a move."""
        found, number, _ = self._find(index)
        return int(found.score(number))

    def swaps(self, index: int) -> SwapChoice:
        """Return the swaps before a move."""
        return self._swaps[int(self._order[index]) >> SEARCH]

    def tiles(self, index: int) -> str:
        """Return the tiles that a move takes from the rack, `?` for a blank."""
        found, number, _ = self._find(index)
        return as_drawn(found.play(number).letters)

    def ruling(self, index: int) -> Legal:
        """Return the engine's ruling on a move, which has its words."""
        found, number, _ = self._find(index)
        ruling = judge(found.rules, found.board, found.play(number))
        assert isinstance(ruling, Legal)
        return ruling

    def _find(self, index: int) -> tuple[FoundPlays, int, SwapChoice]:
        search, number = divmod(int(self._order[index]), 1 << SEARCH)
        return self._searches[search], number, self._swaps[search]


def generate(rules: RuleSet, graph: Graph, board: Board, rack: str) -> Moves:
    """Return all plays of a rack that fit and whose words are in the graph, the best first; none twice.

    They come after every choice of swaps for the blank that the rules allow. Plays of the same score stand as they were
    found, those without swaps first. The graph decides words of two letters too: `words_for` adds those of the rule
    set. A play spells its main word from the first letter, with `.` for a tile already there; a lone tile that forms
    two words is played across. Raises ValueError for a rack that is not written in capitals and `?`, a board of another
    size, or one with letters other than A to Z.
    """
    return Moves(
        (squares, find_plays(rules, graph, swapped, left)) for squares, swapped, left in after_swaps(rules, board, rack)
    )


def find_plays(rules: RuleSet, graph: Graph, board: Board, rack: str) -> FoundPlays:
    """Return the plays of a rack on a board without swaps, in the order in which they were found."""
    if not _RACK_PATTERN.fullmatch(rack):
        raise ValueError(f'the rack "{rack}" is not written in capitals, "?" for a blank')
    if board.side != rules.layout.side:
        raise ValueError(f"the board has {board.side} rows, the layout of the rule set {rules.layout.side}")
    if not board.across.isascii():
        raise ValueError("the board has letters other than A to Z")
    terms = Terms(rules)
    found = FoundPlays(rules, board)
    parts = LeftParts(graph, rack, min(len(rack), rules.rack_size))
    for lines in find_lines(rules, graph, board):
        Search(graph, lines, terms, parts, found).run()
    return found


def words_for(rules: RuleSet, words: Iterable[str]) -> set[str]:
    """Return the words that are acceptable under a rule set.

    Its own two-letter words and the longer words that it grants are added, and words that it strikes out are left out.
    """
    lists = published_word_lists(rules)
    acceptable = {word for word in words if is_acceptable(lists, word, found=True)}
    return acceptable | lists.twos | (lists.granted - lists.struck)
