"""A world of words that are made up."""

import re
from functools import cache
from random import Random
from statistics import fmean

import pytest

from ordws.mining.synthetic_lexicon import (
    FAMILY_WEIGHT,
    PRIORS,
    TIERS,
    SyntheticLexicon,
    draw_true_words,
    draw_words,
    make_lexicon,
)


@cache
def small() -> SyntheticLexicon:
    return make_lexicon(7, 6_000)


def test_a_world_follows_from_its_seed():
    """The same seed makes the same world, another one another."""
    assert make_lexicon(7, 500) == make_lexicon(7, 500)
    assert make_lexicon(7, 500).families != make_lexicon(8, 500).families
    assert small().families[:4] == (
        ("GLUDANGA", "GLUDANGAS"),
        ("CACTI",),
        ("SCANTAP", "SCANTAPER", "SCANTAPEST", "SCANTAPLY", "SCANTAPNESS", "SCANTAPNESSES"),
        ("APANN",),
    )


def test_a_larger_world_begins_with_the_same_families():
    """The size says how far a world goes on, not what is in it."""
    assert small().families[:100] == make_lexicon(7, 500).families[:100]


def test_every_word_stands_in_one_family():
    """There are as many words as asked for, no two alike, in alphabetical order, each in a single family."""
    world = small()
    assert len(world.words) == len(set(world.words)) == 6_000
    assert list(world.words) == sorted(word for family in world.families for word in family)


def test_words_can_be_played_and_said():
    """A word has 3 to 21 capitals, about nine, and never five consonants on end."""
    assert not [word for word in small().words if re.search(r"[^AEIOUY]{5}", word.removesuffix("S"))]
    assert all(word.isascii() and word.isalpha() and word.isupper() for word in small().words)
    assert {len(word) for word in small().words} <= {*range(3, 22)}
    assert fmean(len(word) for word in small().words) == pytest.approx(9.0, abs=0.1)


def test_a_base_comes_first_in_its_family():
    """The forms of a family begin as its base does, but for an E that an ending takes away."""
    assert all(word.startswith(family[0].removesuffix("E")) for family in small().families for word in family)


def test_tiers_have_their_parts_of_the_words():
    """A quarter of the words is core, two thirds are in the list of the players, which holds the core."""
    world = small()
    assert [sum(tier == n for tier in world.tiers.values()) for n in TIERS] == [986, 553, 1_479, 1_060, 838, 1_084]
    assert (len(world.core), len(world.reference), len(world.borderline)) == (1_539, 4_078, 4_461)
    assert world.core < world.reference
    assert world.core | world.borderline == set(world.words)
    assert not world.core & world.borderline


def test_the_priors_are_the_chances_of_the_truth():
    """Over many truths a word of a tier is in as often as its prior says."""
    truths = [draw_true_words(small(), seed) for seed in range(30)]
    for tier, prior in zip(TIERS, PRIORS, strict=True):
        words = [word for word in small().words if small().tiers[word] == tier]
        shares = [sum(word in true for word in words) / len(words) for true in truths]
        assert fmean(shares) == pytest.approx(prior, abs=0.015)
        assert {small().prior(word) for word in words} == {prior}


def test_a_truth_follows_from_its_seed():
    """The same seed draws the same words, another one others."""
    assert draw_true_words(small(), 1) == draw_true_words(small(), 1)
    assert draw_true_words(small(), 1) != draw_true_words(small(), 2)


def test_families_fall_together():
    """Two words of a family and a tier share their fate as often as the weight of families says, and by chance."""
    world = small()
    pairs = [
        (family[0], word)
        for family in world.families
        for word in family[1:]
        if world.tiers[family[0]] == world.tiers[word] == 4
    ]
    truths = [draw_true_words(world, seed) for seed in range(30)]
    together = fmean((one in true) == (other in true) for true in truths for one, other in pairs)
    assert FAMILY_WEIGHT == 0.85
    assert together == pytest.approx(0.7225 + 0.2775 * 0.52, abs=0.02)


def test_chances_of_none_and_of_all():
    """Whoever knows a tier for sure knows all its words, and none of one of which he knows nothing."""
    assert draw_words(small(), (1, 1, 0, 0, 0, 0), Random(1)) == small().core
