"""The knowledge of an attacker: the words that are settled, and the probabilities of all others."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Final

from ordws.fairplay.synthetic_lexicon import FAMILY_WEIGHT, PRIORS
from ordws.guard.policy import Policy
from tests.mining.attackers.steps import Words
from tests.mining.inference import VerdictInference
from tests.mining.mined_lexicon import MinedLexicon, entropy_bits

UNCHANGED_CHANCE: Final = 0.98
"""The probability that a word's verdict is the same in the next edition."""

_BOUNDARIES: Final = (0.0, *sorted(PRIORS), 1.0)
_INTERVALS: Final = tuple([high - low for low, high in pairwise(_BOUNDARIES)])


_CHANCES: Final = {
    prior: tuple([FAMILY_WEIGHT * (high <= prior) + (1 - FAMILY_WEIGHT) * prior for high in _BOUNDARIES[1:]])
    for prior in PRIORS
}
"""The probability that a word is in, by its prior and the interval of its family's number."""


class Knowledge:
    """The public lists, the policy, the families of words, and all verdicts given to any of the attacker's keys."""

    def __init__(self, lexicon: MinedLexicon, rng: Random, policy: Policy) -> None:
        self.lexicon = lexicon
        self.policy = policy
        self.rng = rng
        self.inference = VerdictInference()
        self.previous_edition: dict[str, bool] = {}
        """The words that were settled in the editions before this one."""
        self._settled_by_family: defaultdict[int, list[str]] = defaultdict(list)

    @cached_property
    def family_of(self) -> dict[str, int]:
        return {word: number for number, family in enumerate(self.lexicon.families) for word in family}

    def family(self, word: str) -> Words:
        return self.lexicon.families[self.family_of[word]]

    def record_verdict(self, words: Words, verdict: bool) -> None:
        """Record a verdict and everything that follows from it."""
        self._note(self.inference.record([word for word in words if len(word) > 2], verdict))

    def record_dover_form(self, form: str, verdict: bool) -> None:
        """Record the verdict on a form under Dover, and everything that follows from it about its bases."""
        self._note(self.inference.record_dover_form([form, *self.lexicon.dover_bases.get(form, ())], verdict))

    def _note(self, settled: Words | list[str]) -> None:
        for word in settled:
            if word in self.family_of:
                self._settled_by_family[self.family_of[word]].append(word)

    def start_next_edition(self) -> None:
        """Start anew with the next edition, in which most words are as they were."""
        self.previous_edition |= self.inference.known
        self.inference = VerdictInference()

    def is_known(self, word: str) -> bool:
        return word in self.inference.known

    def chance(self, word: str) -> float:
        """Return the probability that a word is in, given what is settled of its family.

        Each family has a number from 0 to 1 that its words share, or draw anew; a word is in if its number is below its
        prior. So the verdicts on a family weight the intervals between the priors, exactly.
        """
        if word in self.inference.known:
            return float(self.inference.known[word])
        if word in self.previous_edition:
            return UNCHANGED_CHANCE if self.previous_edition[word] else 1 - UNCHANGED_CHANCE
        settled = self._settled_by_family.get(self.family_of[word])
        if not settled:
            return self.lexicon.prior(word)
        weights = list(_INTERVALS)
        for other in settled:
            given, is_in = _CHANCES[self.lexicon.prior(other)], self.inference.known.get(other)
            if is_in is not None:
                weights = [weight * (x if is_in else 1 - x) for weight, x in zip(weights, given, strict=True)]
        given = _CHANCES[self.lexicon.prior(word)]
        return sum([weight * x for weight, x in zip(weights, given, strict=True)]) / sum(weights)

    def entropy(self, word: str) -> float:
        """Return the entropy, in bits, of the verdict on a word."""
        return entropy_bits(
            self.chance(word) if self.inference.known or self.previous_edition else self.lexicon.prior(word)
        )

    def f1(self, truth: frozenset[str]) -> float:
        """Return the F1 score of a list of all words that are more likely in than out."""
        tiers = self.lexicon.tiers
        # Only words of families with a verdict differ from their priors, which saves computing all others.
        touched = {word for number in self._settled_by_family for word in self.lexicon.families[number]}
        guessed = {word for word, tier in tiers.items() if PRIORS[tier - 1] > 0.5} - touched
        guessed |= {word for word in touched if self.chance(word) > 0.5}
        return 2 * len(guessed & truth) / (len(guessed) + len(truth))
