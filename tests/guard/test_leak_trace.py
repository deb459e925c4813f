"""Tests of the leak trace: it finds the identity that explains a list, and rarely accuses an innocent one."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from math import exp, log
from random import Random

from each_row import each_row

from ordws.guard.charge import FINGERPRINT_BYTES, Identity
from ordws.guard.leaks import ACCUSED_BELOW, ChargeHistory, Evidence, match_words, rank_suspects
from ordws.guard.policy import Policy
from ordws.guard.price import Pricing

PRICING = Pricing(Policy(), b"k" * 32)


@cache
def popularity(words, skew):
    """Return cumulative frequencies with which words are asked, the commonest first."""
    return [*accumulate([1 / (place + 20) ** skew for place in range(words)])]


def honest(rng, person, *, words, skew=1.0, taste=0.0, care=0.0, valid=frozenset()):
    """Return the words that an honest person asks.

    Words are drawn by how common they are, more of the tenth that the person likes (`taste`), and more of those that
    the person takes for valid (`care`).
    """
    asked = set()
    many = max(5, round(120 * rng.lognormvariate(-0.3, 0.8)))
    while len(asked) < many:
        (word,) = rng.choices(range(words), cum_weights=popularity(words, skew))
        is_liked = word % 10 == person % 10 or rng.random() >= taste
        if is_liked and (word in valid or rng.random() >= care):
            asked.add(word)
    return asked


def ranked(asked, leaked, words):
    """Rank all identities by a leaked list, compared with all other words."""
    listed = [*leaked, *sorted(set(range(words)).difference(leaked))]
    places = {word: place for place, word in enumerate(listed)}
    evidence = [
        Evidence(str(number), len(theirs), frozenset(places[word] for word in theirs))
        for number, theirs in enumerate(asked)
    ]
    return rank_suspects(evidence, leaked=len(leaked))


def test_one_leaker_among_three_hundred():
    """An identity that asked 300 rare words and leaked half of them is found by its fingerprints alone."""
    rng = Random(1)
    spelt = [f"{chr(65 + n // 676)}{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}ING" for n in range(3000)]
    asked = [honest(rng, person, words=3000) for person in range(300)] + [set(rng.sample(range(3000), 300))]
    leaked = sorted(word for word in asked[300] if rng.random() < 0.5)
    compared = [spelt[word] for word in [*leaked, *sorted(set(range(3000)).difference(leaked))]]
    evidence = []
    for number, theirs in enumerate(asked):
        name = PRICING.subject(Identity(str(number), 0))
        fingerprints = frozenset(PRICING.fingerprint(name, spelt[word]) for word in theirs)
        evidence.append(match_words(PRICING, ChargeHistory(name, {0: len(theirs)}, {0: fingerprints}), compared))
    suspects = rank_suspects(evidence, leaked=len(leaked))
    assert suspects[0].subject == PRICING.subject(Identity("300", 0))
    assert suspects[0].matched == len(leaked)
    assert suspects[0].log_chance < log(1e-6)
    assert [suspect.subject for suspect in suspects if suspect.is_accused] == [suspects[0].subject]


def test_three_leakers_who_pooled_their_words_are_accused():
    """Three leakers who pooled their words are each accused by their own part, and nobody else is."""
    rng = Random(2)
    asked = [honest(rng, person, words=6000) for person in range(150)]
    asked += [set(rng.sample(range(6000), 200)) for _ in range(3)]
    leaked = sorted(word for word in set().union(*asked[150:]) if rng.random() < 0.5)
    accused = [suspect for suspect in ranked(asked, leaked, 6000) if suspect.is_accused]
    assert {suspect.subject for suspect in accused} == {"150", "151", "152"}
    assert all(suspect.matched < len(leaked) / 2 for suspect in accused)


@each_row(("skew", "taste", "care"), [(1.4, 0.0, 0.0), (1.0, 0.5, 0.0), (1.0, 0.0, 0.8)])
def test_false_accusations_are_no_more_frequent_than_stated(skew, taste, care):
    """Without a leaker the smallest reported chance is below a level no more often than that level says.

    The lists are random, of the commonest words, of the rarest, and of all valid ones. People differ in zeal, taste and
    care, and some go through the words at random.
    """
    smallest = []
    for seed in range(16):
        rng = Random(seed)
        valid = frozenset(rng.sample(range(3000), 1500))
        asked = [honest(rng, each, words=3000, skew=skew, taste=taste, care=care, valid=valid) for each in range(40)]
        if seed % 4 != 2:  # he would have had a reason to ask for the rarest
            asked.append(set(rng.sample(range(3000), 600)))
        leaked = [rng.sample(range(3000), 400), range(400), range(1500, 3000), sorted(valid)][seed % 4]
        smallest.append(exp(ranked(asked, leaked, 3000)[0].log_chance))
    for level in (0.5, 0.2, 0.1, 0.05):
        assert sum(chance < level for chance in smallest) <= level * len(smallest)
    assert min(smallest) > ACCUSED_BELOW


def test_words_charged_to_everybody_accuse_nobody():
    """A list of words that every identity was charged for accuses nobody."""
    asked = [set(range(100)) | {100 + 10 * number + n for n in range(10)} for number in range(30)]
    assert {suspect.log_chance for suspect in ranked(asked, range(100), 400)} == {0.0}


def test_expected_matches():
    """An identity is expected to match each word by the leaked share of the words that as many identities asked.

    Of 4 words asked by one identity 3 leaked, and of 2 asked by both 1: two of each kind expect 2.5.
    """
    evidence = [
        Evidence("a", 10, frozenset({0, 1, 3, 5})),  # 0 to 3 leaked, 4 to 6 did not
        Evidence("b", 10, frozenset({2, 3, 4, 5})),
    ]
    assert [(each.subject, each.matched, each.expected, each.alone) for each in rank_suspects(evidence, leaked=4)] == [
        ("a", 3, 2.5, 2),
        ("b", 2, 2.5, 1),
    ]


def test_a_single_identity_is_not_accused():
    """A single identity is not accused, since there is nobody to compare it with."""
    (suspect,) = rank_suspects([Evidence("a", 500, frozenset(range(400)))], leaked=300)
    assert (suspect.matched, suspect.expected, suspect.is_accused) == (300, 300.0, False)


def test_few_identities_suffice_for_a_long_list():
    """Among three identities, the one that asked most is accused by a list that has little of the others' words."""
    miner, ann, bob = set(range(5000)), set(range(2990, 3000)) | set(range(5000, 5290)), set(range(5290, 5590))
    first, *others = ranked([miner, ann, bob], range(3000), 6000)
    assert (first.subject, first.matched, first.alone, first.is_accused) == ("0", 3000, 2990, True)
    assert [other.is_accused for other in others] == [False, False]


def test_the_same_evidence_in_another_order_is_the_same():
    """The order of the evidence does not matter."""
    rng = Random(3)
    evidence = [Evidence(str(number), 50, frozenset(rng.sample(range(400), 50))) for number in range(20)]
    assert rank_suspects(evidence, leaked=100) == rank_suspects(evidence[::-1], leaked=100)


def test_an_identity_without_charges_is_not_ranked():
    """An identity that was never charged is not ranked, and no evidence gives no suspects."""
    assert rank_suspects([Evidence("a", 0, frozenset())], leaked=5) == []
    assert rank_suspects([], leaked=5) == []


def test_a_fingerprint_is_of_one_identity():
    """The same word has another fingerprint for each identity, so that two meters cannot be compared."""
    fingerprints = {PRICING.fingerprint(PRICING.subject(Identity(str(client), 0)), "LOVERS") for client in range(50)}
    assert len(fingerprints) == 50
    assert {len(fingerprint) for fingerprint in fingerprints} == {FINGERPRINT_BYTES}
