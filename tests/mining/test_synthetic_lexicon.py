"""Tests of the synthetic lexicon."""

import re
from functools import cache
from random import Random
from statistics import fmean

import pytest

from ordws.fairplay.synthetic_lexicon import CORE_OUT, FAMILY_WEIGHT, PRIORS, TIERS, draw_words
from tests.mining.mined_lexicon import MinedLexicon, draw_true_words, make_mined_lexicon


@cache
def small() -> MinedLexicon:
    return make_mined_lexicon(7, 6_000)


def test_a_lexicon_follows_from_its_seed():
    """The same seed makes the same lexicon, another seed another one."""
    assert make_mined_lexicon(7, 500) == make_mined_lexicon(7, 500)
    assert make_mined_lexicon(7, 500).families != make_mined_lexicon(8, 500).families
    assert small().families[:4] == (
        ("GLUDANGA", "GLUDANGAS"),
        ("CACTI",),
        ("SCANTAP", "SCANTAPER", "SCANTAPEST", "SCANTAPLY", "SCANTAPNESS", "SCANTAPNESSES"),
        ("APANN",),
    )


def test_a_larger_lexicon_begins_with_the_same_families():
    """The size of a lexicon does not change its first families."""
    assert small().families[:100] == make_mined_lexicon(7, 500).families[:100]


def test_every_word_stands_in_one_family():
    """There are as many words as asked for, all different, in alphabetical order, each in a single family."""
    lexicon = small()
    assert len(lexicon.words) == len(set(lexicon.words)) == 6_000
    assert list(lexicon.words) == sorted(word for family in lexicon.families for word in family)


def test_words_are_playable_and_pronounceable():
    """A word has 3 to 21 capitals, about nine on average, and never five consonants in a row."""
    assert not [word for word in small().words if re.search(r"[^AEIOUY]{5}", word.removesuffix("S"))]
    assert all(word.isascii() and word.isalpha() and word.isupper() for word in small().words)
    assert {len(word) for word in small().words} <= {*range(3, 22)}
    assert fmean(len(word) for word in small().words) == pytest.approx(9.0, abs=0.1)


def test_a_base_comes_first_in_its_family():
    """The forms of a family begin as its base does, except for an E that an ending replaces."""
    assert all(word.startswith(family[0].removesuffix("E")) for family in small().families for word in family)


def test_tiers_have_their_shares_of_the_words():
    """A quarter of the words are core, and two thirds are in the players' reference, which contains the core list."""
    lexicon = small()
    assert [sum(tier == n for tier in lexicon.tiers.values()) for n in TIERS] == [986, 553, 1_479, 1_060, 838, 1_084]
    assert (len(lexicon.core), len(lexicon.reference), len(lexicon.borderline)) == (1_539, 4_078, 4_461)
    assert lexicon.core < lexicon.reference
    assert lexicon.core | lexicon.borderline == set(lexicon.words)
    assert not lexicon.core & lexicon.borderline


def test_the_priors_are_the_probabilities_of_the_true_words():
    """Over many draws a word of a tier is true as often as its prior says."""
    draws = [draw_true_words(small(), seed) for seed in range(30)]
    for tier, prior in zip(TIERS, PRIORS, strict=True):
        words = [word for word in small().words if small().tiers[word] == tier]
        shares = [sum(word in true for word in words) / len(words) for true in draws]
        assert fmean(shares) == pytest.approx(prior, abs=0.015)
        assert {small().prior(word) for word in words} == {prior}


def test_core_words_are_out_as_often_as_in_an_edition():
    """The share of core words that are out is the documented constant, and tells a fifth of a bit a word."""
    lexicon = small()
    draws = [draw_true_words(lexicon, seed) for seed in range(30)]
    assert fmean(len(lexicon.core - true) / len(lexicon.core) for true in draws) == pytest.approx(CORE_OUT, abs=0.015)
    word = min(lexicon.core)
    assert lexicon.entropy(word) == pytest.approx(0.194, abs=0.001)


def test_true_words_follow_from_their_seed():
    """The same seed draws the same words, another seed others."""
    assert draw_true_words(small(), 1) == draw_true_words(small(), 1)
    assert draw_true_words(small(), 1) != draw_true_words(small(), 2)


def test_words_of_a_family_are_correlated():
    """Two words of a family and a tier are decided together as often as the weight of families says, or by chance."""
    lexicon = small()
    pairs = [
        (family[0], word)
        for family in lexicon.families
        for word in family[1:]
        if lexicon.tiers[family[0]] == lexicon.tiers[word] == 4
    ]
    draws = [draw_true_words(lexicon, seed) for seed in range(30)]
    together = fmean((one in true) == (other in true) for true in draws for one, other in pairs)
    assert FAMILY_WEIGHT == 0.85
    assert together == pytest.approx(0.7225 + 0.2775 * 0.52, abs=0.02)


def test_probabilities_of_0_and_1_are_exact():
    """A tier with probability 1 is drawn whole, and one with probability 0 not at all."""
    assert draw_words(small(), (1, 1, 0, 0, 0, 0), Random(1)) == small().core
