"""Tests of the counting and presentation of figures."""

from __future__ import annotations

import json

from tests.benchmarks.figure import Figure, format_table, sort_figures, summarize_goals, write_json

TOLD = Figure(3, "told beside it", 7, "us")


def test_a_figure_without_a_goal_neither_holds_nor_misses():
    """A figure without a goal is counted neither as held nor as missed."""
    assert (TOLD.holds, Figure(3, "a", 1, "", "<= 1").holds, Figure(3, "a", 2, "", "<= 1").holds) == (None, True, False)


def test_a_row_holds_with_all_of_its_figures():
    """A row with a missed figure is missed, and a row that was not measured does not hold."""
    rows = [Figure(row, "a", 1, "", "== 1") for row in range(1, 9)]
    figures = [*rows, Figure(9, "a", 1, "", ">= 2"), Figure(9, "b", 1, "", "== 1"), Figure("other", "c", 1, "", "== 2")]
    assert summarize_goals(figures) == "8 of 10 rows hold; missed: 9; not measured: 10"


def test_all_ten_rows_hold():
    """The summary of ten rows that hold names nothing else."""
    assert summarize_goals([Figure(row, "a", 1, "", "== 1") for row in range(1, 11)]) == "10 of 10 rows hold"


def test_the_table_begins_with_the_rows():
    """The rows of the table come first and by number, whatever the order of measurement."""
    other, tenth, second = Figure("x", "c", 0, ""), Figure(10, "b", 0.5, "ms", "<= 1"), Figure(2, "aa", 3, "x", "<= 1")
    assert sort_figures([other, tenth, second]) == [second, tenth, other]
    assert (
        format_table([second, tenth, other]) == "2   aa  3 x     <= 1  MISSED\n10  b   0.5 ms  <= 1  holds\nx   c   0"
    )


def test_programs_read_the_same(tmp_path):
    """The file bench.json has every figure, and `holds` is null without a goal."""
    write_json([TOLD, Figure(1, "f", 1.1, "x", "<= 1.15")], tmp_path / "bench.json")
    assert json.loads((tmp_path / "bench.json").read_text()) == [
        {"id": 3, "figure": "told beside it", "value": 7, "unit": "us", "goal": "", "holds": None},
        {"id": 1, "figure": "f", "value": 1.1, "unit": "x", "goal": "<= 1.15", "holds": True},
    ]


def test_every_part_of_the_bench_can_be_measured():
    """All parts of `make bench` are imported by its command, and none names a module of the product that is gone."""
    from tests.benchmarks.__main__ import PARTS  # two seconds, which every process of the suite would take

    assert all(callable(part) for part in PARTS.values())
