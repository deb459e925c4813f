"""The review of a record of a game that was kept at a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from sealed_game import COMMON_WORDS

from ordws.computer.review import review_record
from ordws.computer.words import PublicWords

RECORDS = Path(__file__).parents[1] / "vectors" / "gcg"
WORDS = PublicWords(COMMON_WORDS, COMMON_WORDS)


def review(record):
    return [*review_record(record, WORDS, lambda: False)]


def test_each_play_of_a_finished_record_is_reviewed():
    """A play has the number of its line and the seat of its player, and lost what the best turn is worth more."""
    turns = review((RECORDS / "sound_six_passes.gcg").read_text("ascii"))
    told = [(each["turn"], each["seat"], each["move"], each["score"]) for each in turns]
    assert told == [(1, 0, "8H VIOL", 14), (2, 1, "L8 ABAFT", 31), (3, 0, "8H .....TOR", 33)]
    assert [len(each["best"]) for each in turns] == [3, 3, 3]
    assert all(each["lost"] >= 0 for each in turns)


@pytest.mark.parametrize("name", ["unfinished", "score_misprinted", "sound_dover_of_three"])
def test_other_records_are_not_reviewed(name):
    """A game that is not over has no review, nor has one whose scores are wrong, or one of three players."""
    assert review((RECORDS / f"{name}.gcg").read_text("ascii")) == []
    assert review("not a record") == []
