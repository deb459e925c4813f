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
from ordws.mining.ledger import Ledger
from ordws.mining.world import FAMILY_WEIGHT, PRIORS, World

KEPT: Final = 0.98
"""The chance that a word fares in the next edition as in the last."""

_CUTS: Final = (0.0, *sorted(PRIORS), 1.0)
_LENGTHS: Final = tuple([high - low for low, high in pairwise(_CUTS)])


def _chances(prior: float) -> tuple[float, ...]:
    """The chance that a word is in, by the part of 0 to 1 where the fate of its family lies."""
    return tuple([FAMILY_WEIGHT * (high <= prior) + (1 - FAMILY_WEIGHT) * prior for high in _CUTS[1:]])


_GIVEN: Final = {prior: _chances(prior) for prior in PRIORS}


class Mind:
    """The public lists and the policy, how words fall in families, and all verdicts told, over all of one's keys."""

    def __init__(self, world: World, rng: Random, policy: Policy) -> None:
        self.world = world
        self.policy = policy
        self.rng = rng
        self.ledger = Ledger()
        self.before: dict[str, bool] = {}
        """What was known of the edition before this one."""
        self._seen: defaultdict[int, list[str]] = defaultdict(list)

    @cached_property
    def family_of(self) -> dict[str, int]:
        return {word: number for number, family in enumerate(self.world.families) for word in family}

    def family(self, word: str) -> Words:
        return self.world.families[self.family_of[word]]

    def told(self, words: Words, verdict: bool) -> None:
        """Take note of a verdict and all that follows from it."""
        for word in self.ledger.told([word for word in words if len(word) > 2], verdict):
            if word in self.family_of:
                self._seen[self.family_of[word]].append(word)

    def forget(self) -> None:
        """Begin anew with the next edition, in which most words are as they were."""
        self.before |= self.ledger.known
        self.ledger = Ledger()

    def is_known(self, word: str) -> bool:
        return word in self.ledger.known

    def chance(self, word: str) -> float:
        """The chance that a word is in, given what is known of its family.

        A family's fate is a number from 0 to 1 that its words share or draw anew, and a word is in where it lies below
        its prior; so the verdicts on a family weigh the parts between the priors, exactly.
        """
        if word in self.ledger.known:
            return float(self.ledger.known[word])
        if word in self.before:
            return KEPT if self.before[word] else 1 - KEPT
        seen = self._seen.get(self.family_of[word])
        if not seen:
            return self.world.prior(word)
        weights = list(_LENGTHS)
        for other in seen:
            given, is_in = _GIVEN[self.world.prior(other)], self.ledger.known.get(other)
            if is_in is not None:
                weights = [weight * (x if is_in else 1 - x) for weight, x in zip(weights, given, strict=True)]
        given = _GIVEN[self.world.prior(word)]
        return sum([weight * x for weight, x in zip(weights, given, strict=True)]) / sum(weights)

    def doubt(self, word: str) -> float:
        """The bits that a verdict on a word would tell."""
        return bits(self.chance(word) if self.ledger.known or self.before else self.world.prior(word))

    def f1(self, truth: frozenset[str]) -> float:
        """How good a list of all words that are rather in than out would be."""
        tiers = self.world.tiers
        touched = {word for number in self._seen for word in self.world.families[number]}
        guessed = {word for word, tier in tiers.items() if PRIORS[tier - 1] > 0.5} - touched
        guessed |= {word for word in touched if self.chance(word) > 0.5}
        return 2 * len(guessed & truth) / (len(guessed) + len(truth))


@lru_cache(maxsize=65_536)
def bits(chance: float) -> float:
    """What a verdict tells that comes out yes by this chance."""
    if chance <= 0 or chance >= 1:
        return 0.0
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)
