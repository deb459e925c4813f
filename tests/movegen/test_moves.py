"""All moves of a turn: every choice of swaps, the best first."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from ordws.movegen.graph import Graph
from ordws.movegen.moves import GeneratedMove, after_swaps, find_plays, generate
from ordws.records.notation import write_move
from ordws.rules.board import board_from_rows
from ordws.rules.layout import Layout
from ordws.rules.ruleset import CLASSIC, SCRABBLE_O

ROWS = ["." * 15] * 7 + ["......CaTe....."] + ["." * 15] * 7
BOARD = board_from_rows(ROWS)
GRAPH = Graph.from_words(["CATE", "CATES", "SEA", "SEAT", "EAST", "TEA", "CATER", "TEAS", "TE", "ZA", "SEAS"])
RACK = "AESTEZ"


def test_every_choice_of_swaps_is_played_after():
    """The moves are those after no swap and those after each choice of swaps, each with its squares."""
    moves = generate(SCRABBLE_O, GRAPH, BOARD, RACK)
    expected = []
    for squares, board, rack in after_swaps(SCRABBLE_O, BOARD, RACK):
        found = find_plays(SCRABBLE_O, GRAPH, board, rack)
        expected += [GeneratedMove(found.play(n), found.score(n), squares) for n in range(len(found))]
    assert len({move.swaps for move in expected}) == 4
    assert sorted(moves) == sorted(expected)
    assert len(set(moves)) == len(moves) > 200


def test_the_best_come_first():
    """Moves stand by their scores; of equal ones the moves without swaps come first."""
    moves = generate(SCRABBLE_O, GRAPH, BOARD, RACK)
    assert [move.score for move in moves] == sorted([move.score for move in moves], reverse=True)
    assert [moves.score(n) for n in range(len(moves))] == [move.score for move in moves]
    ties = [(a.swaps, b.swaps) for a, b in pairwise(moves) if a.score == b.score]
    assert all(len(a) <= len(b) for a, b in ties)


def test_moves_are_a_sequence():
    """Moves can be counted, indexed from both ends, sliced and gone through, with the same result."""
    moves = generate(CLASSIC, GRAPH, BOARD, RACK)
    assert list(moves) == [moves[n] for n in range(len(moves))] == moves[:]
    assert moves[-1] == list(moves)[-1]
    assert moves[1:3] == [moves[1], moves[2]]
    with pytest.raises(IndexError):
        moves[len(moves)]
    assert list(generate(CLASSIC, GRAPH, BOARD, "")) == []


def test_the_ruling_on_a_move_has_its_words():
    """The engine's ruling on a move gives the same score, after its swaps, and its words."""
    moves = generate(SCRABBLE_O, GRAPH, BOARD, RACK)
    assert [moves.ruling(n).score for n in range(len(moves))] == [move.score for move in moves]
    assert all(word in GRAPH for n in range(len(moves)) for word in moves.ruling(n).words)


def test_high_scores_are_in_order_too():
    """Scores of millions, which quadruple word squares multiply to, are ranked as others are."""
    rules = replace(CLASSIC, layout=Layout.from_rows(["~" * 15] * 15), rack_size=9)
    graph = Graph.from_words(["ZZZZZZZZZ", "ZZ", "ZZZ", "ZZZZ"])
    moves = generate(rules, graph, board_from_rows(["." * 15] * 15), "ZZZZZZZZZ")
    scores = [move.score for move in moves]
    assert scores[0] > 2**20
    assert scores == sorted(scores, reverse=True)
    assert set(scores) == {20 * 16, 30 * 64, 40 * 256, scores[0]}


def test_the_bonus_of_a_single_tile_is_that_of_its_main_word():
    """A tile that makes AS across and the longer CATS down is a stretch of CAT, where one tile earns a bonus for it."""
    rules = replace(CLASSIC, stretch=(0, 9), stretch_from=3)
    column = {(4, 7): "C", (5, 7): "A", (6, 7): "T"}
    board = board_from_rows(["." * 15] * 15).with_letters({**column, (7, 6): "A"})
    move = generate(rules, Graph.from_words(["CATS", "AS"]), board, "S")[0]
    # The double word square counts for both words (docs/rules.md 4.2).
    assert (write_move(move.play), move.score) == ("8G .S", 2 * (3 + 1 + 1 + 1) + 2 * (1 + 1) + 9)
