"""Whether a word is a formative of a base: by a dictionary, by a base that is named, or by its looks alone. (SOURCES 4)

A form that is reached from its base by affixes, at most two and an inflection; no compound of two free words.
(RULES A-36)
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.derivation import (
    MAX_STEPS,
    SearchState,
    WordDerivation,
    rank_by_cost,
    search_derivations,
    strip_affixes,
)
from ordws.homeplay.plausibility import oddness
from ordws.homeplay.spelling import possible_bases

MAX_COST: Final = 5
"""What a derivation may cost: beyond it most are chance spellings."""
MAX_COST_NAMED: Final = 9
"""The same where a player names the base: then a chance is not likely."""
MAX_COST_UNSEEN: Final = 4
"""The same where there is no dictionary to hold a base against."""
MAX_CANDIDATES: Final = 8
_USUAL_COST: Final = 2
"""An affix that costs less speaks for its base, one that costs more against it."""


def find_derivations(word: str, book: Container[str], affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """How a folded word may have been made of words of the book, the likeliest first; none where it was not."""
    return tuple(search_derivations(word, book, affixes, MAX_COST))


def derivations_from(word: str, base: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """How a word may have been made of the base that a player names; at most one."""
    return tuple(search_derivations(word, frozenset({base}), affixes, MAX_COST_NAMED))


def find_candidate_bases(word: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """The bases that one might look up, the likeliest first, where there is no dictionary to ask.

    Here the cost is a rank: what is stripped of good affixes comes before what still bears them.
    """
    found: list[WordDerivation] = []
    level = [(word, SearchState(), 0)]
    for _ in range(MAX_STEPS):
        deeper = []
        for left, path, odd in level:
            for affix, onward in strip_affixes(left, path, affixes, MAX_COST_UNSEEN):
                for base in possible_bases(left, affix):
                    odder = odd + oddness(base, affix, affixes)
                    deeper.append((base, onward, odder))
                    found.append(
                        WordDerivation(base, onward.steps, onward.cost - _USUAL_COST * len(onward.steps) + odder)
                    )
        level = deeper
    found.sort(key=lambda derivation: (derivation.cost, len(derivation.steps), len(derivation.base)))
    return tuple(rank_by_cost(found)[:MAX_CANDIDATES])
