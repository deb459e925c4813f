"""The record of make fairplay-bench: a part that is measured alone replaces its own rows."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random

from ordws.movegen.graph import Graph
from ordws.movegen.moves import generate, words_for
from ordws.rules.ruleset import CLASSIC, SCRABBLE_O
from tests.benchmarks.fairplay_secrecy import count_differences
from tests.benchmarks.figure import Figure, merge_figures, read_results, write_json
from tests.benchmarks.move_generation import Differences, compare, measure_speed
from tests.movegen import oracle
from tests.movegen.positions import play_positions
from tests.word_lists import read_word_list

WORDS = read_word_list("common")


def test_a_part_replaces_its_own_rows(tmp_path: Path):
    """Rows of the ids that were measured again are replaced, the others stay, in the order of the ids."""
    write_json([Figure("C1", "a", 1, ""), Figure("C3", "b", 2, "", "<= 1"), Figure("C1", "c", 3, "")], tmp_path / "f")
    fresh = [Figure("C1", "a", 4, "", "== 0")]
    merged = merge_figures(read_results(tmp_path / "f"), fresh)
    assert merged == [Figure("C1", "a", 4, "", "== 0"), Figure("C3", "b", 2, "", "<= 1")]
    assert read_results(tmp_path / "none") == []


def test_replies_that_differ_are_counted():
    """Replies are compared one by one, and those that only one of two runs has are counted too."""
    assert count_differences([b"a", b"b", b"c"], [b"a", b"b", b"c"]) == 0
    assert count_differences([b"a", b"b", b"c"], [b"a", b"x"]) == count_differences([], [b"a", b"x"]) == 2


def test_differences_are_counted():
    """A generator that lacks a word of the oracle misses plays, and one that has another word finds too many."""
    words = words_for(SCRABBLE_O, WORDS)
    graph = Graph.from_words(words)
    (position,) = islice(play_positions(SCRABBLE_O, graph, Random(1)), 3, 4)
    plays, differences = compare(SCRABBLE_O, graph, oracle.build_dawg(words), position)
    assert plays > 20
    assert differences == Differences(0, 0, 0)
    played = generate(SCRABBLE_O, graph, *position).ruling(0).words[0]
    fewer = words - {played}
    assert compare(SCRABBLE_O, graph, oracle.build_dawg(fewer), position)[1].extra > 0
    assert compare(SCRABBLE_O, Graph.from_words(fewer), oracle.build_dawg(words), position)[1].missing > 0


def test_the_speed_has_a_row_for_each_board():
    """C2 has a mean with its goal for 15x15, 15x15 with swaps and 21x21."""
    figures = list(measure_speed(words_for(CLASSIC, WORDS), 3))
    assert [figure.goal for figure in figures if figure.goal] == ["<= 1", "<= 3", "<= 10", "<= 10"]
    assert all(figure.id == "C2" and figure.value > 0 for figure in figures)
