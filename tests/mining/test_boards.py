"""Tests of positions made up so that one play asks several words."""

from __future__ import annotations

from each_row import each_row

from ordws.records.notation import read_cgp, read_move_with_swaps
from ordws.rules.judge import judge
from ordws.rules.move import Legal
from ordws.rules.ruleset import CLASSIC
from tests.mining.attackers.boards import board_request
from tests.mining.attackers.steps import BenchCaller


@each_row(
    "words",
    [("CAT",), ("CONVERSATIONALS",), ("CAT", "PANIC", "SCAMPIST"), ("BANANA", "CRAB", "EXTRA", "PIN", "ZEBRA", "TUNA")],
)
def test_a_play_forms_exactly_the_words_of_a_question(words):
    """The play along the middle row forms exactly the words to be asked, by the rules."""
    body = board_request(BenchCaller("key", "address"), words, None).body
    ruling = judge(CLASSIC, read_cgp(body["position"]).board, read_move_with_swaps(body["move"]).move, None)
    assert isinstance(ruling, Legal)
    assert sorted(ruling.words) == sorted(words)
