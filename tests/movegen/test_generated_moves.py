"""The move generator finds what its oracle finds, which asks the engine about every play, with the same scores."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from oracle import build_dawg, generate_plays
from positions import play_positions
from word_lists import read_word_list

from ordws.movegen import search
from ordws.movegen.graph import Graph
from ordws.movegen.moves import after_swaps, find_plays, words_for
from ordws.rules.board import Board, board_from_rows
from ordws.rules.engine import engine_build
from ordws.rules.layout import LARGEST_SIDE, MARKS, Layout
from ordws.rules.ruleset import CLASSIC, RULE_SETS, SCRABBLE_I, MinimumLength, Premium, RuleSet, Wings
from tests.rules.plain_source import import_plain_source

POSITIONS = 12
COMMON = read_word_list("common")
TABLES = st.lists(st.integers(0, 9), max_size=6).map(tuple)


@st.composite
def any_rules(draw: st.DrawFn) -> RuleSet:
    """Any value of every option that concerns a play, on small boards."""
    inner, wings = draw(st.integers(2, 5)), draw(st.integers(0, 1))
    row = st.text("".join(MARKS), min_size=inner, max_size=inner)
    return replace(
        CLASSIC,
        layout=Layout.from_rows(draw(st.lists(row, min_size=inner, max_size=inner)), wings),
        wings=draw(st.sampled_from(Wings)),
        rack_size=draw(st.integers(1, 5)),
        minimum=draw(st.sampled_from(MinimumLength)),
        big_play=draw(TABLES),
        stretch=draw(TABLES),
        stretch_from=draw(st.integers(2, 4)),
        premium=draw(st.sampled_from(Premium)),
        small_word_cap=draw(st.booleans()),
    )


def scored(rules: RuleSet, graph: Graph, board: Board, rack: str) -> list[tuple[object, int]]:
    found = find_plays(rules, graph, board, rack)
    return [(found.play(number), found.score(number)) for number in range(len(found))]


def expected(rules: RuleSet, words: set[str], board: Board, rack: str) -> list[tuple[object, int]]:
    return [(play, legal.score) for play, legal in generate_plays(rules, build_dawg(words), board, rack)]


@given(st.data(), any_rules())
def test_they_agree_under_any_options(data, rules):
    """They agree on any board, under any options, in the order of the plays too."""
    side = rules.layout.side
    row = st.text("......AQZaqz", min_size=side, max_size=side)
    board = board_from_rows(data.draw(st.lists(row, min_size=side, max_size=side)))
    rack = data.draw(st.text("AQZ?", max_size=5))
    words = data.draw(st.sets(st.text("AQZ", min_size=2, max_size=6), max_size=40))
    assert scored(rules, Graph.from_words(words), board, rack) == expected(rules, words, board, rack)


@each_row("rules", RULE_SETS.values())
def test_they_agree_in_games(rules):
    """They agree on positions of a game under every rule set, after every choice of swaps."""
    words = words_for(rules, COMMON)
    graph, dawg = Graph.from_words(words), build_dawg(words)
    for position in islice(play_positions(rules, graph, Random(4)), POSITIONS):
        for _, board, rack in after_swaps(rules, *position):
            slow = [(play, legal.score) for play, legal in generate_plays(rules, dawg, board, rack)]
            assert scored(rules, graph, board, rack) == slow


def test_the_longest_words_and_fullest_racks_are_scored():
    """Twelve tiles, the most that a rack may hold, and the highest premiums everywhere do not overflow a score."""
    rules = replace(
        CLASSIC, layout=Layout.from_rows(["~" * LARGEST_SIDE] * LARGEST_SIDE), rack_size=12, premium=Premium.MULTIPLY
    )
    board = board_from_rows(["." * LARGEST_SIDE] * 10 + ["QZQZQZQZQ" + "." * 12] + ["." * LARGEST_SIDE] * 10)
    words = {"QZ" * 10 + "Q"}
    assert scored(rules, Graph.from_words(words), board, "QZ" * 6) == expected(rules, words, board, "QZ" * 6)
    assert scored(rules, Graph.from_words(words), board, "QZ" * 6)[0][1] > 2**31


def test_both_forms_find_the_same():
    """The generator as it is written finds what the compiled one finds."""
    written = import_plain_source("search", "moves", "graph", package="ordws.movegen")
    assert str(written[0].__file__).endswith(".py")
    assert str(search.__file__).endswith(".py") == (engine_build() == "plain")
    words = words_for(SCRABBLE_I, COMMON)
    graph, plain_graph = Graph.from_words(words), written[2].Graph.from_words(words)
    for board, rack in islice(play_positions(SCRABBLE_I, graph, Random(4)), 4, 7):
        found = written[1].find_plays(SCRABBLE_I, plain_graph, board, rack)
        plain = [(found.play(number), int(found.score(number))) for number in range(len(found))]
        assert scored(SCRABBLE_I, graph, board, rack) == plain
