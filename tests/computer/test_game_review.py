"""The review of a record of a game that was kept at a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from sealed_game import COMMON_WORDS

from ordws.computer.review import review_game, review_record
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


def test_a_play_of_the_service_is_the_whole_word():
    """A play that its page wrote by the tiles laid must be told, and found among the best, as its whole word."""
    board = "/".join(["15"] * 7 + ["5AGE7"] + ["15"] * 7)
    happened = {"seat": 0, "turn": 2, "outcome": "stands", "swaps": [], "move": "8I D", "score": 6}
    before = {"board": board, "racks": ["D", "Q"], "bag": 0}
    standing = {"rules": "classic", "options": {}, "game": "g"}
    [told] = review_game(standing, [{"happened": happened, "before": before}], WORDS, lambda: False)
    assert (told["move"], told["best"][0]["move"], told["lost"]) == ("8F ...D", "8F ...D", 0)


@pytest.mark.parametrize("name", ["unfinished", "score_misprinted", "sound_dover_of_three"])
def test_other_records_are_not_reviewed(name):
    """A game that is not over has no review, nor has one whose scores are wrong, or one of three players."""
    assert review((RECORDS / f"{name}.gcg").read_text("ascii")) == []
    assert review("not a record") == []
