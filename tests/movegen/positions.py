"""Positions of seeded games, in which every player makes the best move of all."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate
from ordws.rules.bag import fill_bag
from ordws.rules.board import Board, empty_board
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap

_PLAYERS = 2


class TurnPosition(NamedTuple):
    """What the player to move has before them."""

    board: Board
    rack: str


def play_positions(rules: RuleSet, graph: Graph, rng: Random) -> Iterator[TurnPosition]:
    """Yield the positions of one game after another, without end."""
    while True:
        bag = list(fill_bag(rules, rng))
        rng.shuffle(bag)
        board, racks, idle = empty_board(rules.layout.side), [""] * _PLAYERS, 0
        while idle < _PLAYERS and all(racks) | bool(bag):
            rack = racks.pop(0)
            while bag and len(rack) < rules.rack_size:
                rack += bag.pop()
            yield TurnPosition(board, rack)
            board, left = _make_best_move(rules, graph, board, rack)
            idle = idle + 1 if left == rack else 0
            racks.append(left)


def _make_best_move(rules: RuleSet, graph: Graph, board: Board, rack: str) -> tuple[Board, str]:
    """Return the board and the rack after the best move; both as they are if there is none."""
    moves = generate(rules, graph, board, rack)
    if not moves:
        return board, rack
    play, _, swaps = moves[0]
    for square in swaps:
        swapped = swap(rules, board, rack, *square)
        assert isinstance(swapped, tuple)
        board, rack = swapped[0], swapped[1] or ""
    ruling = judge(rules, board, play, rack)
    assert isinstance(ruling, Legal)
    for letter in ruling.tiles.values():
        rack = rack.replace("?" if letter.islower() else letter, "", 1)
    return board.with_letters(ruling.tiles), rack
