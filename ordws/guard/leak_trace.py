"""A test of who explains a leaked list, with the chance of accusing somebody who has nothing to do with it.

The leaked words are compared with others that were not leaked, taken from a public list. For each word of either kind
it is known who was charged for it, and so by how many it was asked. Let c_k and d_k be how many leaked and how many
other words were asked by just k identities, t_k how many of both identity i was charged for, and x how many leaked
ones. Suppose that the list came about without regard to who had asked what. Then of the words asked by k, any c_k could
have been those that leaked, so that i is expected to have

    m = sum over k of t_k c_k / (c_k + d_k)    of its    T = sum of t_k

Whether i asks much or little, common words or rare ones, is the same in both kinds and plays no part; nor does a word
that nobody asked, or everybody. Drawing without replacement, in each class of k on its own, gives x or more with at
most the chance (Hoeffding 1963, theorems 1 and 4)

    exp(-T D(x/T, m/T)),    D(a, b) = a ln(a/b) + (1-a) ln((1-a)/(1-b)),    x > m

A list of acceptable words has more than its share of what people ask in earnest, they have tastes, and words come in
families. So what is usual is measured on all identities: r is the median of x/m, and f the median of (x - r m)^2 /
(r m (1 - r m/T)) over 0.455, the median of a chi-squared variable, and at least 1, or 3 where few tell. Then m is
raised to r m where that is more, and the exponent divided by f. The chance is multiplied by the number of identities,
since the likeliest of all is looked at (Bonferroni). Below ACCUSED_BELOW an identity explains the list.

Leakers who pooled what they learned are found each by the part he brought, as long as most identities are honest. What
the test cannot tell apart: an identity that had a reason of its own to ask what the list was made for (a list of
dishes, and a cook; a list of rare words, and somebody who mines them for himself), and one that is alone in the meters,
to whom nobody can be compared. A charge tells that a word was asked, not what the answer was; so nobody is expected to
have leaked all that he asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, log1p
from statistics import median
from typing import Final, NamedTuple

from ordws.guard.leak_report import ChargeHistory
from ordws.guard.price import Pricing

ACCUSED_BELOW: Final = 1e-3
"""The chance of a wrong accusation, over all identities, under which one is accused."""

_CHI_SQUARED_MEDIAN: Final = 0.455
_MIN_EXPECTED_MATCHES: Final = 5
"""What is usual is measured on identities of whom so many matches are to be expected;"""
_MIN_SAMPLE: Final = 15
"""where fewer tell, this is taken for their scatter."""
_DEFAULT_DISPERSION: Final = 3.0


class Evidence(NamedTuple):
    """What is known of one identity: how many words it was charged for, and which of those compared are among them."""

    key: str
    charged: int
    matched: frozenset[int]
    """Places; first come the leaked words."""


class Suspect(NamedTuple):
    """How well one identity explains the list."""

    key: str
    charged: int
    matched: int
    """Words of the list."""
    expected: float
    alone: int
    """Of the matches, those that nobody else was charged for."""
    log_chance: float
    """Natural logarithm of the chance that so many matches, or more, of anybody at all come by accident."""

    @property
    def is_accused(self) -> bool:
        return self.log_chance < log(ACCUSED_BELOW)


class _Comparison(NamedTuple):
    evidence: Evidence
    asked: int
    leaked: int
    alone: int
    expected: float


def match_words(pricing: Pricing, history: ChargeHistory, words: Sequence[str]) -> Evidence:
    """What the trails of one identity tell about words, the leaked ones first."""
    trails = history.words()
    matched = [place for place, word in enumerate(words) if pricing.fingerprint(history.key, word) in trails]
    return Evidence(history.key, len(trails), frozenset(matched))


def rank_suspects(evidence: Sequence[Evidence], *, leaked: int) -> list[Suspect]:
    """All identities that were charged for anything, those first that explain best the words at the first places."""
    compared = _compare([each for each in evidence if each.charged], leaked)
    ratio = _median_ratio(compared)
    scatter = _dispersion(compared, ratio)
    findings = []
    for (name, charged, _), asked, matched, alone, expected in compared:
        m = min(asked, expected * max(1.0, ratio))
        chance = _log_tail_bound(matched, m, asked) / scatter + log(len(compared))
        findings.append(Suspect(name, charged, matched, m, alone, min(0.0, chance)))
    return sorted(findings, key=lambda each: (each.log_chance, -each.matched, each.key))


def _compare(evidence: Sequence[Evidence], leaked: int) -> list[_Comparison]:
    """What each identity was charged for, against what is expected of it among words asked by as many."""
    askers = Counter([place for each in evidence for place in each.matched])
    everything = Counter(askers.values())
    leaks = Counter([k for place, k in askers.items() if place < leaked])
    compared = []
    for each in evidence:
        mine = Counter([askers[place] for place in each.matched])
        leaky = [place for place in each.matched if place < leaked]
        alone = sum([askers[place] == 1 for place in leaky])
        expected = sum([often * leaks[k] / everything[k] for k, often in sorted(mine.items())])
        compared.append(_Comparison(each, len(each.matched), len(leaky), alone, expected))
    return compared


def _median_ratio(compared: Sequence[_Comparison]) -> float:
    """How many times what is expected people have in the list."""
    return median([each.leaked / each.expected for each in compared if each.expected >= _MIN_EXPECTED_MATCHES] or [1.0])


def _dispersion(compared: Sequence[_Comparison], ratio: float) -> float:
    """How many times more than by chance alone the matches of the middle identity scatter."""
    squares = [
        (each.leaked - m) ** 2 / (m * (1 - m / each.asked))
        for each in compared
        if _MIN_EXPECTED_MATCHES <= (m := ratio * each.expected) < each.asked
    ]
    return max(1.0, median(squares) / _CHI_SQUARED_MEDIAN) if len(squares) >= _MIN_SAMPLE else _DEFAULT_DISPERSION


def _log_tail_bound(matched: int, expected: float, asked: int) -> float:
    """Hoeffding's bound on the logarithm of the chance of so many matches or more."""
    if matched <= expected or expected >= asked:
        return 0.0
    a, b = matched / asked, expected / asked
    missed = (1 - a) * (log1p(-a) - log1p(-b)) if a < 1 else 0.0
    return -asked * (a * log(a / b) + missed)
