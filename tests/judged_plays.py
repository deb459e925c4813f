"""The plays that the move generator finds, with the rulings of the engine on them."""

from __future__ import annotations

from collections.abc import Iterator

from ordws.movegen.graph import Graph
from ordws.movegen.moves import find_plays
from ordws.rules.board import Board
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import RuleSet


def judged_plays(rules: RuleSet, graph: Graph, board: Board, rack: str) -> Iterator[tuple[Play, Legal]]:
    """Yield the plays of a rack without swaps, with the engine's rulings, in the order in which they were found."""
    found = find_plays(rules, graph, board, rack)
    for number in range(len(found)):
        play = found.play(number)
        ruling = judge(rules, board, play)
        assert isinstance(ruling, Legal)
        yield play, ruling
