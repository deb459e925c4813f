"""All moves of a turn that put tiles on the board, with their scores, and the best of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ordws.movegen.found import Found
from ordws.movegen.graph import Graph
from ordws.movegen.left_parts import LeftParts
from ordws.movegen.lines import find_lines
from ordws.movegen.search import Search
from ordws.movegen.swaps import after_swaps
from ordws.movegen.terms import Terms
from ordws.rules.board import Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet

_RACK_PATTERN: Final = re.compile(r"[A-Z?]*", re.ASCII)


class GeneratedMove(NamedTuple):
    """A play, its score with its bonus, and the squares (row, column) whose blanks are swapped before it."""

    play: Play
    score: int
    swaps: tuple[tuple[int, int], ...] = ()


def generate(rules: RuleSet, graph: Graph, board: Board, rack: str) -> list[GeneratedMove]:
    """Return all plays of a rack that fit and whose words are in the graph, the best first; none twice.

    They come after every choice of swaps for the blank that the rules allow. The graph decides words of two letters
    too: `words_for` adds those of the rule set. A play spells its main word from the first letter, with `.` for a tile
    already there; a lone tile that forms two words is played across. Raises ValueError for a rack that is not written
    in capitals and `?`, a board of another size, or one with letters other than A to Z.
    """
    return best(rules, graph, board, rack)


def best(rules: RuleSet, graph: Graph, board: Board, rack: str, most: int | None = None) -> list[GeneratedMove]:
    """Return what `generate` does, but so many moves at most."""
    moves = [
        (-int(found.score(number)), squares, found, number)
        for squares, found in find_after_swaps(rules, graph, board, rack)
        for number in range(len(found))
    ]
    moves.sort(key=lambda move: move[0])
    return [GeneratedMove(found.play(number), -score, squares) for score, squares, found, number in moves[:most]]


def find_after_swaps(
    rules: RuleSet, graph: Graph, board: Board, rack: str
) -> Iterator[tuple[tuple[tuple[int, int], ...], Found]]:
    """Yield every choice of swaps, the first of which is none, with the plays after it."""
    for squares, swapped, left in after_swaps(rules, board, rack):
        yield squares, find_plays(rules, graph, swapped, left)


def find_plays(rules: RuleSet, graph: Graph, board: Board, rack: str) -> Found:
    """Return the plays of a rack on a board without swaps, in the order in which they were found."""
    if not _RACK_PATTERN.fullmatch(rack):
        raise ValueError(f'the rack "{rack}" is not written in capitals, "?" for a blank')
    if board.side != rules.layout.side:
        raise ValueError(f"the board has {board.side} rows, the layout of the rule set {rules.layout.side}")
    if not ((board.across.isascii() and board.across.replace(b".", b"").isalpha()) or board.is_empty):
        raise ValueError("the board has letters other than A to Z")
    terms = Terms(rules)
    found = Found(rules, board)
    parts = LeftParts(graph, rack, min(len(rack), rules.rack_size))
    for lines in find_lines(rules, graph, board):
        Search(graph, lines, terms, parts, found).run()
    return found


def judged_plays(rules: RuleSet, graph: Graph, board: Board, rack: str) -> Iterator[tuple[Play, Legal]]:
    """Yield the plays of a rack without swaps, with the engine's rulings, in the order in which they were found."""
    found = find_plays(rules, graph, board, rack)
    for number in range(len(found)):
        play = found.play(number)
        ruling = judge(rules, board, play)
        if not isinstance(ruling, Legal):
            raise AssertionError(f"{play} was found and is not legal: {ruling.message}")
        yield play, ruling
