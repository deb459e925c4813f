"""Results as text, and those that no game can have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from each_row import each_row
from event_driver import result
from hypothesis import given
from hypothesis import strategies as st

from ordws.errors import BadInput
from ordws.tournament.facts import SideResult, TableResult
from ordws.tournament.results import check_result, find_doubts, format_result, format_side, parse_side
from ordws.tournament.standings import winner_of

VECTORS = Path(__file__).parent.parent / "vectors" / "tournament" / "results.txt"
CASES = [
    re.split(r" {2,}", line, maxsplit=1)
    for line in VECTORS.read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]


def read_result(text: str) -> TableResult:
    """Read a result as the vectors have it."""
    sides = [parse_side(word) for word in text.split() if "=" not in word]
    options = dict(word.replace("-", "_").split("=") for word in text.split() if "=" in word)
    return TableResult(**dict(zip(("first", "second"), sides, strict=False)), **options)


@each_row(("typed", "expected"), CASES)
def test_an_impossible_result_is_refused_with_the_reason(typed, expected):
    """A result that no game can have is refused, and the error says why."""
    if expected == "possible":
        check_result(read_result(typed))
        return
    with pytest.raises(BadInput, match=f"^{re.escape(expected)}"):
        check_result(read_result(typed))


@given(st.builds(SideResult, st.integers(-999, 9999), st.integers(-999, 9999), st.integers(0, 100)))
def test_a_side_is_read_as_it_is_written(side):
    """What is written for a side reads back as that side."""
    assert parse_side(format_side(side)) == side


def test_results_in_words():
    """A result is shown as it is typed, with what was unusual about its end."""
    assert format_result(result()) == "412:398/13 371:380/13"
    assert format_result(result(resigned="first")) == "412:398/13 371:380/13, first resigned"
    assert format_result(result(time_up="second")) == "412:398/13 371:380/13, second ran out of time"
    assert format_result(TableResult(forfeit="both")) == "forfeit by both"


@each_row(
    ("told", "winner"),
    [
        (result(), "first"),
        (result("300:300/13", "371:380/13"), "second"),
        (result("371:398/13", "371:380/13"), None),
        (result(resigned="first"), "second"),
        (TableResult(forfeit="first"), "second"),
        (TableResult(forfeit="both"), "none"),
    ],
)
def test_who_wins(told, winner):
    """The higher score wins, but whoever resigned or forfeited has lost."""
    assert winner_of(told) == winner


def test_what_is_unusual_is_asked_about():
    """A possible result with figures that are rare is a reason to look again, and a usual one is none."""
    assert find_doubts(result()) == []
    assert find_doubts(result("412:398/3", "371:380/3")) == [
        "the first player has 398 points in 3 turns, 133 a turn",
        "the second player has 380 points in 3 turns, 127 a turn",
    ]
    assert find_doubts(result("845:839/13")) == ["the first player has 839 points in 13 turns, 65 a turn"]
    assert find_doubts(result("600:590/13")) == []
    assert find_doubts(result("412:298/13")) == ["the first player's score is 412 and the turns make 298"]
    assert find_doubts(result("412:398/40", "371:380/40")) == [
        "the first player has 40 turns",
        "the second player has 40 turns",
    ]
