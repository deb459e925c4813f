"""What verdicts on words asked together settle."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordws.mining.inference import LearnedWords, VerdictInference

WORDS = ("ANT", "BEE", "CAT", "DOE", "EEL", "FOX")
questions = st.lists(st.sets(st.sampled_from(WORDS), min_size=1, max_size=4), max_size=9)


@given(truth=st.sets(st.sampled_from(WORDS)), asked=questions)
def test_settles_what_all_worlds_agree_on(truth, asked):
    """A word is known exactly where it fares the same in every world that gives the same verdicts."""
    ledger = VerdictInference()
    for words in asked:
        ledger.record(words, words <= truth)
    worlds = [{word for word, is_in in zip(WORDS, bits, strict=True) if is_in} for bits in product((0, 1), repeat=6)]
    possible = [world for world in worlds if all((words <= world) == (words <= truth) for words in asked)]
    agreed = {word: word in truth for word in WORDS if len({word in world for world in possible}) == 1}
    assert ledger.known == agreed


@given(truth=st.sets(st.sampled_from(WORDS)), asked=questions, ahead=st.sets(st.sampled_from(WORDS), min_size=1))
def test_foretells_a_verdict_only_where_it_must_be(truth, asked, ahead):
    """A verdict is foretold exactly where every world that gives the same verdicts gives this one too."""
    ledger = VerdictInference()
    for words in asked:
        ledger.record(words, words <= truth)
    worlds = [{word for word, is_in in zip(WORDS, bits, strict=True) if is_in} for bits in product((0, 1), repeat=6)]
    possible = [world for world in worlds if all((words <= world) == (words <= truth) for words in asked)]
    verdicts = {ahead <= world for world in possible}
    assert ledger.implied_verdict(ahead) == (verdicts.pop() if len(verdicts) == 1 else None)


def test_the_last_of_eight_is_out():
    """Seven of eight words known to be in, and a no for all eight: the eighth is out."""
    ledger = VerdictInference()
    words = [f"WORD{letter}" for letter in "ABCDEFGH"]
    assert ledger.record(words, False) == []
    assert sorted(ledger.record(words[:7], True)) == [*words]
    assert ledger.known["WORDH"] is False


def test_a_contradiction_is_an_accident():
    """Verdicts that cannot be true together are no knowledge, but a mistake of the benchmark."""
    ledger = VerdictInference()
    ledger.record(["ANT"], True)
    with pytest.raises(ValueError, match="contradicts an earlier yes"):
        ledger.record(["ANT"], False)


def test_counts_by_day_and_edition():
    """A word counts on the day on which it was settled, in each edition anew; core words and twos do not."""
    learned = LearnedWords({"ANT", "BEE", "FOX"}.__contains__, {"AN"})
    learned.record(["ANT", "CAT", "AN"], True, edition=1, day=7)
    learned.record(["BEE", "FOX"], False, edition=1, day=7)
    learned.record(["BEE"], True, edition=1, day=8)
    learned.record(["ANT"], False, edition=2, day=8)
    learned.record(["FOX", "QQ"], False, edition=3, day=9)
    assert learned.by_day == {7: 1, 8: 3}
    assert (learned.total, learned.most_a_day) == (4, 3)
