"""What an attacker knows for certain, and what it believes of all other words."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property, lru_cache
from itertools import pairwise
from math import log2
from random import Random
from typing import Final

from ordws.guard.policy import Policy
from ordws.mining.attackers.steps import Words
from ordws.mining.inference import VerdictInference
from ordws.mining.synthetic_lexicon import FAMILY_WEIGHT, PRIORS, SyntheticLexicon

UNCHANGED_CHANCE: Final = 0.98
"""The chance that a word fares in the next edition as in the last."""

_BOUNDARIES: Final = (0.0, *sorted(PRIORS), 1.0)
_INTERVALS: Final = tuple([high - low for low, high in pairwise(_BOUNDARIES)])


def _chances(prior: float) -> tuple[float, ...]:
    """The chance that a word is in, by the part of 0 to 1 where the fate of its family lies."""
    return tuple([FAMILY_WEIGHT * (high <= prior) + (1 - FAMILY_WEIGHT) * prior for high in _BOUNDARIES[1:]])


_CHANCES: Final = {prior: _chances(prior) for prior in PRIORS}


class Knowledge:
    """The public lists and the policy, how words fall in families, and all verdicts told, over all of one's keys."""

    def __init__(self, lexicon: SyntheticLexicon, rng: Random, policy: Policy) -> None:
        self.lexicon = lexicon
        self.policy = policy
        self.rng = rng
        self.inference = VerdictInference()
        self.previous_edition: dict[str, bool] = {}
        """What was known of the edition before this one."""
        self._settled_by_family: defaultdict[int, list[str]] = defaultdict(list)

    @cached_property
    def family_of(self) -> dict[str, int]:
        return {word: number for number, family in enumerate(self.lexicon.families) for word in family}

    def family(self, word: str) -> Words:
        return self.lexicon.families[self.family_of[word]]

    def record_verdict(self, words: Words, verdict: bool) -> None:
        """Take note of a verdict and all that follows from it."""
        for word in self.inference.record([word for word in words if len(word) > 2], verdict):
            if word in self.family_of:
                self._settled_by_family[self.family_of[word]].append(word)

    def start_next_edition(self) -> None:
        """Begin anew with the next edition, in which most words are as they were."""
        self.previous_edition |= self.inference.known
        self.inference = VerdictInference()

    def is_known(self, word: str) -> bool:
        return word in self.inference.known

    def chance(self, word: str) -> float:
        """The chance that a word is in, given what is known of its family.

        A family's fate is a number from 0 to 1 that its words share or draw anew, and a word is in where it lies below
        its prior; so the verdicts on a family weigh the parts between the priors, exactly.
        """
        if word in self.inference.known:
            return float(self.inference.known[word])
        if word in self.previous_edition:
            return UNCHANGED_CHANCE if self.previous_edition[word] else 1 - UNCHANGED_CHANCE
        seen = self._settled_by_family.get(self.family_of[word])
        if not seen:
            return self.lexicon.prior(word)
        weights = list(_INTERVALS)
        for other in seen:
            given, is_in = _CHANCES[self.lexicon.prior(other)], self.inference.known.get(other)
            if is_in is not None:
                weights = [weight * (x if is_in else 1 - x) for weight, x in zip(weights, given, strict=True)]
        given = _CHANCES[self.lexicon.prior(word)]
        return sum([weight * x for weight, x in zip(weights, given, strict=True)]) / sum(weights)

    def entropy(self, word: str) -> float:
        """The bits that a verdict on a word would tell."""
        return entropy_bits(
            self.chance(word) if self.inference.known or self.previous_edition else self.lexicon.prior(word)
        )

    def f1(self, truth: frozenset[str]) -> float:
        """How good a list of all words that are rather in than out would be."""
        tiers = self.lexicon.tiers
        touched = {word for number in self._settled_by_family for word in self.lexicon.families[number]}
        guessed = {word for word, tier in tiers.items() if PRIORS[tier - 1] > 0.5} - touched
        guessed |= {word for word in touched if self.chance(word) > 0.5}
        return 2 * len(guessed & truth) / (len(guessed) + len(truth))


@lru_cache(maxsize=65_536)
def entropy_bits(chance: float) -> float:
    """What a verdict tells that comes out yes by this chance."""
    if chance <= 0 or chance >= 1:
        return 0.0
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)
