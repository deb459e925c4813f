"""Who explains a leaked list, and how rarely that is said of somebody who has nothing to do with it."""

from __future__ import annotations

from functools import cache
from itertools import accumulate
from math import exp, log
from random import Random

import pytest

from ordws.guard.leak_report import ChargeHistory
from ordws.guard.leak_trace import ACCUSED_BELOW, Evidence, match_words, rank_suspects
from ordws.guard.policy import Policy
from ordws.guard.price import FINGERPRINT_BYTES, Identity, Pricing

PRICING = Pricing(Policy(), b"k" * 32)


@cache
def popularity(words, skew):
    """How often words are asked, the commonest first, added up."""
    return [*accumulate([1 / (place + 20) ** skew for place in range(words)])]


def honest(rng, person, *, words, skew=1.0, taste=0.0, care=0.0, valid=frozenset()):
    """What somebody asks: words by how common they are, of a tenth that he likes, and such as he takes for valid."""
    asked = set()
    many = max(5, round(120 * rng.lognormvariate(-0.3, 0.8)))
    while len(asked) < many:
        (word,) = rng.choices(range(words), cum_weights=popularity(words, skew))
        is_liked = word % 10 == person % 10 or rng.random() >= taste
        if is_liked and (word in valid or rng.random() >= care):
            asked.add(word)
    return asked


def ranked(asked, leaked, words):
    """All identities, compared on a leaked list and on all other words."""
    listed = [*leaked, *sorted(set(range(words)).difference(leaked))]
    places = {word: place for place, word in enumerate(listed)}
    found = [
        Evidence(str(who), len(theirs), frozenset(places[word] for word in theirs)) for who, theirs in enumerate(asked)
    ]
    return rank_suspects(found, leaked=len(leaked))


def test_one_leaker_among_three_hundred():
    """Who asked 300 rare words and gave away the half of them is found by the trails of his charges alone."""
    rng = Random(1)
    spelt = [f"{chr(65 + n // 676)}{chr(65 + n // 26 % 26)}{chr(65 + n % 26)}ING" for n in range(3000)]
    asked = [honest(rng, person, words=3000) for person in range(300)] + [set(rng.sample(range(3000), 300))]
    leaked = sorted(word for word in asked[300] if rng.random() < 0.5)
    compared = [spelt[word] for word in [*leaked, *sorted(set(range(3000)).difference(leaked))]]
    found = []
    for number, theirs in enumerate(asked):
        name = PRICING.identity_key(Identity(str(number), 0))
        trails = frozenset(PRICING.fingerprint(name, spelt[word]) for word in theirs)
        found.append(match_words(PRICING, ChargeHistory(name, {0: len(theirs)}, {0: trails}), compared))
    findings = rank_suspects(found, leaked=len(leaked))
    assert findings[0].key == PRICING.identity_key(Identity("300", 0))
    assert findings[0].matched == len(leaked)
    assert findings[0].log_chance < log(1e-6)
    assert [finding.key for finding in findings if finding.is_accused] == [findings[0].key]


def test_three_who_pooled_what_they_learned():
    """Each is accused by the part that he brought, and nobody else is."""
    rng = Random(2)
    asked = [honest(rng, person, words=6000) for person in range(150)]
    asked += [set(rng.sample(range(6000), 200)) for _ in range(3)]
    leaked = sorted(word for word in set().union(*asked[150:]) if rng.random() < 0.5)
    accused = [finding for finding in ranked(asked, leaked, 6000) if finding.is_accused]
    assert {finding.key for finding in accused} == {"150", "151", "152"}
    assert all(finding.matched < len(leaked) / 2 for finding in accused)


@pytest.mark.parametrize(("skew", "taste", "care"), [(1.4, 0.0, 0.0), (1.0, 0.5, 0.0), (1.0, 0.0, 0.8)])
def test_nobody_is_accused_more_often_than_told(skew, taste, care):
    """In worlds without a leaker the smallest chance told is below a level no more often than that level says.

    Lists by chance, of the commonest words, of the rarest, and of all that are valid; people of different zeal, taste
    and care, with somebody among them who goes through the words at random.
    """
    smallest = []
    for seed in range(32):
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


def test_words_that_all_ask_accuse_nobody():
    """A list of what everybody was charged for tells nothing."""
    asked = [set(range(100)) | {100 + 10 * who + n for n in range(10)} for who in range(30)]
    assert {finding.log_chance for finding in ranked(asked, range(100), 400)} == {0.0}


def test_what_is_expected():
    """Of 4 words asked by one 3 leaked, of 2 asked by two 1: who has 2 of the first and 2 of the others expects 2.5."""
    found = [
        Evidence("a", 10, frozenset({0, 1, 3, 5})),  # 0 to 3 leaked, 4 to 6 did not
        Evidence("b", 10, frozenset({2, 3, 4, 5})),
    ]
    assert [(each.key, each.matched, each.expected, each.alone) for each in rank_suspects(found, leaked=4)] == [
        ("a", 3, 2.5, 2),
        ("b", 2, 2.5, 1),
    ]


def test_a_single_identity_is_not_accused():
    """There is nobody to compare it with."""
    (finding,) = rank_suspects([Evidence("a", 500, frozenset(range(400)))], leaked=300)
    assert (finding.matched, finding.expected, finding.is_accused) == (300, 300.0, False)


def test_few_identities_suffice_for_a_long_list():
    """Among three, the one who asked most is accused by a list that has little of the others' own."""
    miner, ann, bob = set(range(5000)), set(range(2990, 3000)) | set(range(5000, 5290)), set(range(5290, 5590))
    first, *others = ranked([miner, ann, bob], range(3000), 6000)
    assert (first.key, first.matched, first.alone, first.is_accused) == ("0", 3000, 2990, True)
    assert [other.is_accused for other in others] == [False, False]


def test_the_same_evidence_in_another_order_is_the_same():
    """Nothing depends on who is looked at first."""
    rng = Random(3)
    found = [Evidence(str(who), 50, frozenset(rng.sample(range(400), 50))) for who in range(20)]
    assert rank_suspects(found, leaked=100) == rank_suspects(found[::-1], leaked=100)


def test_nothing_charged_tells_nothing():
    """Who was never charged is not ranked, and an empty meter has no findings."""
    assert rank_suspects([Evidence("a", 0, frozenset())], leaked=5) == []
    assert rank_suspects([], leaked=5) == []


def test_a_trail_is_of_one_identity():
    """The same word leaves another trail in each identity's meter, so that two meters cannot be compared."""
    trails = {PRICING.fingerprint(PRICING.identity_key(Identity(str(client), 0)), "LOVERS") for client in range(50)}
    assert len(trails) == 50
    assert {len(trail) for trail in trails} == {FINGERPRINT_BYTES}
