"""A statistical test of which identity explains a leaked list, with the chance of accusing an innocent one.

The leaked words are compared with others that were not leaked, taken from a public list. For each word of either kind
it is known which identities were charged for it, and so how many asked it. Let c_k and d_k be the numbers of leaked and
of other words asked by exactly k identities, t_k the number of both that identity i was charged for, and x the number
of leaked ones among these. Suppose that the list came about without regard to who had asked what. Then of the words
asked by k, any c_k could have been those that leaked, so that i is expected to have

    m = sum over k of t_k c_k / (c_k + d_k)    of its    T = sum of t_k

Whether i asks much or little, common words or rare ones, is the same in both kinds and plays no part; nor does a word
that nobody asked, or everybody. Drawing without replacement, in each class of k on its own, gives x or more with at
most the chance (Hoeffding 1963, theorems 1 and 4)

    exp(-T D(x/T, m/T)),    D(a, b) = a ln(a/b) + (1-a) ln((1-a)/(1-b)),    x > m

A list of acceptable words has more than its share of what people ask in earnest, people have tastes, and words come in
families. So the usual deviation is measured on all identities: r is the median of x/m, and f the median of (x - r m)^2
/ (r m (1 - r m/T)) over 0.455, the median of a chi-squared variable, and at least 1, or 3 where the sample is small.
Then m is raised to r m where that is more, and the exponent is divided by f. The chance is multiplied by the number of
identities, since the likeliest of all is looked at (Bonferroni). Below ACCUSED_BELOW an identity explains the list.

Leakers who pooled what they learned are each found by their own part, as long as most identities are honest. The test
cannot tell apart an identity that had a reason of its own to ask what the list was made for (a list of dishes, and a
cook; a list of rare words, and somebody who mines them for themselves), and it cannot judge an identity that is alone
in the meters, since there is nobody to compare it with. A charge tells that a word was asked, not what the answer was;
so nobody is expected to have leaked all that they asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log, log1p
from statistics import median
from typing import Final, NamedTuple

from ordws.guard.charge import MeterOwner
from ordws.guard.leak_report import ChargeHistory
from ordws.guard.price import Pricing

ACCUSED_BELOW: Final = 1e-3
"""An identity is accused if the chance of a wrong accusation, over all identities, is below this."""

_CHI_SQUARED_MEDIAN: Final = 0.455
_MIN_EXPECTED_MATCHES: Final = 5
"""The usual deviation is measured on identities for which at least so many matches are expected."""
_MIN_SAMPLE: Final = 15
"""With fewer such identities, `_DEFAULT_DISPERSION` takes the place of the measured one."""
_DEFAULT_DISPERSION: Final = 3.0


class Evidence(NamedTuple):
    """The charges of one identity: the number of its words, and which of the compared words are among them."""

    subject: MeterOwner
    charged: int
    matched: frozenset[int]
    """Indices into the compared words, of which the leaked ones come first."""


class Suspect(NamedTuple):
    """A measure of how well one identity explains the list."""

    subject: MeterOwner
    charged: int
    matched: int
    """The number of words of the list that the identity was charged for."""
    expected: float
    alone: int
    """The number of matches that no other identity was charged for."""
    log_chance: float
    """The natural logarithm of the chance that any identity at all has so many matches, or more, by accident."""

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
    """Return which words one identity was charged for, by its fingerprints; the leaked words come first."""
    charged = history.words()
    matched = [index for index, word in enumerate(words) if pricing.fingerprint(history.subject, word) in charged]
    return Evidence(history.subject, len(charged), frozenset(matched))


def rank_suspects(evidence: Sequence[Evidence], *, leaked: int) -> list[Suspect]:
    """Rank all identities that were charged for anything, those first that best explain the first `leaked` words."""
    compared = _compare([each for each in evidence if each.charged], leaked)
    ratios = [each.leaked / each.expected for each in compared if each.expected >= _MIN_EXPECTED_MATCHES]
    ratio = median(ratios or [1.0])
    deviations = [
        (each.leaked - m) ** 2 / (m * (1 - m / each.asked))
        for each in compared
        if _MIN_EXPECTED_MATCHES <= (m := ratio * each.expected) < each.asked
    ]
    dispersion = _DEFAULT_DISPERSION
    if len(deviations) >= _MIN_SAMPLE:
        dispersion = max(1.0, median(deviations) / _CHI_SQUARED_MEDIAN)
    suspects = []
    for (subject, charged, _), asked, matched, alone, expected in compared:
        m = min(asked, expected * max(1.0, ratio))
        log_tail_bound = 0.0
        if m < matched:
            # Hoeffding's bound; m is below asked here, so that b is below 1.
            a, b = matched / asked, m / asked
            missed = (1 - a) * (log1p(-a) - log1p(-b)) if a < 1 else 0.0
            log_tail_bound = -asked * (a * log(a / b) + missed)
        log_chance = log_tail_bound / dispersion + log(len(compared))
        suspects.append(Suspect(subject, charged, matched, m, alone, min(0.0, log_chance)))
    return sorted(suspects, key=lambda each: (each.log_chance, -each.matched, each.subject))


def _compare(evidence: Sequence[Evidence], leaked: int) -> list[_Comparison]:
    """Compare the matches of each identity with those expected among words that as many identities asked."""
    askers = Counter([index for each in evidence for index in each.matched])
    words_by_askers = Counter(askers.values())
    leaked_by_askers = Counter([k for index, k in askers.items() if index < leaked])
    compared = []
    for each in evidence:
        asked_by_askers = Counter([askers[index] for index in each.matched])
        matches = [index for index in each.matched if index < leaked]
        alone = sum([askers[index] == 1 for index in matches])
        # Sorted, because a sum of floats depends on its order and a report must not.
        expected = sum(
            [count * leaked_by_askers[k] / words_by_askers[k] for k, count in sorted(asked_by_askers.items())]
        )
        compared.append(_Comparison(each, len(each.matched), len(matches), alone, expected))
    return compared
