"""The synthetic lexicon that is mined: what the public lists tell of its words, and which of them are true."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cached_property, lru_cache
from math import log2
from random import Random
from typing import Final

from ordws.fairplay.synthetic_lexicon import PRIORS, SIZE, SyntheticLexicon, draw_words, make_lexicon

CORE_TIER: Final = 2
REFERENCE_TIER: Final = 4


class MinedLexicon(SyntheticLexicon):
    """A synthetic lexicon with its public lists, and with the public probabilities of its words."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words in alphabetical order."""
        return tuple(sorted(self.tiers))

    @cached_property
    def core(self) -> frozenset[str]:
        """The public list of words that cost nothing."""
        return self._up_to(CORE_TIER)

    @cached_property
    def reference(self) -> frozenset[str]:
        """The players' public reference, which contains the core list."""
        return self._up_to(REFERENCE_TIER)

    @cached_property
    def borderline(self) -> frozenset[str]:
        """All words outside the core list."""
        return frozenset(self.tiers) - self.core

    @cached_property
    def dover_bases(self) -> Mapping[str, tuple[str, ...]]:
        """The forms that are good under Dover where one of their bases is true, each with these bases.

        All forms of a family that the players' reference has are taken for such: 003 leaves fewer to it.
        """
        bases: dict[str, tuple[str, ...]] = {}
        for first, *forms in self.families:
            for form in forms:
                # ERS is of the base, and of ER.
                between = [other for other in forms if form == f"{other}S" or form == f"{other}ES"]
                if form in self.reference:
                    bases[form] = (first, *between)
        return bases

    @cached_property
    def dover_charged(self) -> frozenset[str]:
        """The core words that are charged under Dover: a base of theirs is not core."""
        return frozenset(
            [form for form, bases in self.dover_bases.items() if form in self.core and not self.core.issuperset(bases)]
        )

    def dover_forms(self, words: Container[str]) -> frozenset[str]:
        """Return the words that only Dover's rules make good where these words are true."""
        good = [form for form, bases in self.dover_bases.items() if any(base in words for base in bases)]
        return frozenset([form for form in good if form not in words])

    def prior(self, word: str) -> float:
        """Return the public probability that a word is true."""
        return PRIORS[self.tiers[word] - 1]

    def entropy(self, word: str) -> float:
        """Return the bits that the verdict on a word tells to somebody who has its public probability."""
        return entropy_bits(self.prior(word))

    def _up_to(self, last: int) -> frozenset[str]:
        return frozenset([word for word, tier in self.tiers.items() if tier <= last])


@lru_cache(maxsize=65_536)
def entropy_bits(chance: float) -> float:
    """Return the entropy, in bits, of a verdict with this probability of yes."""
    if chance <= 0 or chance >= 1:
        return 0.0
    return -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def make_mined_lexicon(seed: int, size: int = SIZE) -> MinedLexicon:
    """Make the lexicon of a seed, with so many words."""
    made = make_lexicon(seed, size)
    return MinedLexicon(made.families, made.tiers)


def draw_true_words(lexicon: SyntheticLexicon, seed: int) -> frozenset[str]:
    """Draw the true words."""
    return draw_words(lexicon, PRIORS, Random(seed))
