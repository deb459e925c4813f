"""Tests of what verdicts on words asked together settle."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mining.inference import LearnedWords, VerdictInference
from tests.mining.mined_lexicon import MinedLexicon

WORDS = ("ANT", "BEE", "CAT", "DOE", "EEL", "FOX")
questions = st.lists(st.sets(st.sampled_from(WORDS), min_size=1, max_size=4), max_size=9)


@given(truth=st.sets(st.sampled_from(WORDS)), asked=questions)
def test_a_word_is_settled_if_all_consistent_word_sets_agree(truth, asked):
    """A word is settled exactly if it is the same in all word sets that give the same verdicts."""
    inference = VerdictInference()
    for words in asked:
        inference.record(words, words <= truth)
    worlds = [{word for word, is_in in zip(WORDS, bits, strict=True) if is_in} for bits in product((0, 1), repeat=6)]
    possible = [world for world in worlds if all((words <= world) == (words <= truth) for words in asked)]
    agreed = {word: word in truth for word in WORDS if len({word in world for world in possible}) == 1}
    assert inference.known == agreed


@given(truth=st.sets(st.sampled_from(WORDS)), asked=questions, next_words=st.sets(st.sampled_from(WORDS), min_size=1))
def test_a_verdict_is_implied_if_all_consistent_word_sets_agree(truth, asked, next_words):
    """A verdict is implied exactly if all word sets that give the same verdicts give it too."""
    inference = VerdictInference()
    for words in asked:
        inference.record(words, words <= truth)
    worlds = [{word for word, is_in in zip(WORDS, bits, strict=True) if is_in} for bits in product((0, 1), repeat=6)]
    possible = [world for world in worlds if all((words <= world) == (words <= truth) for words in asked)]
    verdicts = {next_words <= world for world in possible}
    assert inference.implied_verdict(next_words) == (verdicts.pop() if len(verdicts) == 1 else None)


BASES = {"ANT": ("BEE", "CAT"), "DOE": ("CAT",), "EEL": ("DOE", "FOX")}
one_by_one = st.lists(st.tuples(st.sampled_from(WORDS), st.booleans()), max_size=12)


@given(truth=st.sets(st.sampled_from(WORDS)), asked=one_by_one)
def test_verdicts_under_dover_settle_what_all_consistent_word_sets_agree_on(truth, asked):
    """Words asked one by one, by the regular rules or under Dover, are settled exactly, and so are their bases."""
    inference = VerdictInference()

    def verdict(world, word, is_dover):
        return word in world or (is_dover and not world.isdisjoint(BASES.get(word, ())))

    for word, is_dover in asked:
        if is_dover:
            inference.record_dover_form([word, *BASES.get(word, ())], verdict(truth, word, True))
        else:
            inference.record([word], word in truth)
    worlds = [{word for word, is_in in zip(WORDS, bits, strict=True) if is_in} for bits in product((0, 1), repeat=6)]
    possible = [world for world in worlds if all(verdict(world, *each) == verdict(truth, *each) for each in asked)]
    agreed = {word: word in truth for word in WORDS if len({word in world for world in possible}) == 1}
    assert inference.known == agreed


def test_a_no_under_dover_tells_of_every_base():
    """A no on a form counts its bases as learned too, and a yes with a no by the regular rules counts a lone base."""
    lexicon = MinedLexicon(
        (("BALE", "BALER", "BALERS"), ("TRIM", "TRIMS")),
        dict.fromkeys(WORDS, 4)
        | {
            "BALE": 3,
            "BALER": 4,
            "BALERS": 4,
            "TRIM": 4,
            "TRIMS": 3,
        },
    )
    learned = LearnedWords(lexicon, ())
    learned.record(["BALERS"], False, edition=1, day=1, is_dover=True)
    assert learned.outside == {1: 3}
    learned.record(["TRIMS"], True, edition=1, day=2, is_dover=True)
    assert learned.outside == {1: 3}
    learned.record(["TRIMS"], False, edition=1, day=2)
    assert learned.outside == {1: 3, 2: 2}


def test_a_no_on_eight_words_settles_the_last_unknown_one():
    """If seven of eight words are in and a no was given for all eight, the eighth is out."""
    inference = VerdictInference()
    words = [f"WORD{letter}" for letter in "ABCDEFGH"]
    assert inference.record(words, False) == []
    assert sorted(inference.record(words[:7], True)) == [*words]
    assert inference.known["WORDH"] is False


def test_a_contradiction_is_an_error():
    """Verdicts that contradict each other raise ValueError."""
    inference = VerdictInference()
    inference.record(["ANT"], True)
    with pytest.raises(ValueError, match="contradicts earlier ones"):
        inference.record(["ANT"], False)


def test_settled_words_are_counted_by_day_and_edition():
    """A word counts on the day on which it was settled, in each edition anew; two-letter words do not count."""
    lexicon = MinedLexicon((), {"ANT": 5, "BEE": 6, "FOX": 4, "CAT": 1})
    learned = LearnedWords(lexicon, {"AN"})
    learned.record(["ANT", "CAT", "AN"], True, edition=1, day=7)
    learned.record(["BEE", "FOX"], False, edition=1, day=7)
    learned.record(["BEE"], True, edition=1, day=8)
    learned.record(["ANT"], False, edition=2, day=8)
    learned.record(["FOX", "QQ"], False, edition=3, day=9)
    assert learned.outside == {7: 1, 8: 3}
    assert learned.core == {7: 1}
    bits = {word: lexicon.entropy(word) for word in lexicon.tiers}
    assert learned.bits == {7: bits["ANT"] + bits["CAT"], 8: bits["BEE"] + bits["FOX"] + bits["ANT"]}
