"""Formatives: words made of a base in a dictionary, of a base that a player names, or of one that looks likely.

A formative is reached from its base by affixes, at most two and an inflection; a compound of two free words is none
(docs/rules.md A-36, docs/dictionaries.md 4). For the browser, ordws/web/pages/static/formatives.js holds these
functions.
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
from ordws.homeplay.plausibility import is_base, looks_made, oddness
from ordws.homeplay.spelling import possible_bases

MAX_COST: Final = 5
"""The largest cost of a derivation from a dictionary: beyond it most are chance spellings."""
MAX_COST_NAMED: Final = 9
"""The largest cost if a player names the base, since it is then hardly there by chance."""
MAX_COST_UNSEEN: Final = 4
"""The largest cost if there is no dictionary in which bases could be looked up."""
MAX_CANDIDATES: Final = 8
_USUAL_COST: Final = 2
"""An affix that costs less speaks for its base, one that costs more against it."""


def find_derivations(word: str, book: Container[str], affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return the derivations of a folded word from words of a book, the likeliest first."""
    return tuple(search_derivations(word, book, affixes, MAX_COST))


def derivations_from(word: str, base: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return the derivation of a word from the base that a player names, or none."""
    return tuple(search_derivations(word, frozenset({base}), affixes, MAX_COST_NAMED))


def find_candidate_bases(word: str, affixes: Affixes = EXTENDED) -> tuple[WordDerivation, ...]:
    """Return derivations from bases that a player might look up, the likeliest first.

    Here the cost is only a rank: a base without common affixes comes before one that still has them.
    """
    candidates: list[WordDerivation] = []
    level = [(word, SearchState(), 0)]
    for _ in range(MAX_STEPS):
        deeper = []
        for remainder, state, odd in level:
            for affix, stripped in strip_affixes(remainder, state, affixes, MAX_COST_UNSEEN):
                for base in possible_bases(remainder, affix):
                    # An inflection costs nothing, but speaks no more for its base than a productive affix.
                    total_odd = odd + oddness(base, affix, affixes) + (affix.cost == 0)
                    deeper.append((base, stripped, total_odd))
                    # UNIT is the base of UNITS, but after a second affix UNHAP is not that of UNHAPPIER.
                    is_made = len(stripped.steps) > 1 and looks_made(base)
                    rank = stripped.cost - _USUAL_COST * len(stripped.steps) + total_odd + is_made
                    if is_base(base):
                        candidates.append(WordDerivation(base, stripped.steps, rank))
        level = deeper
    candidates.sort(key=lambda derivation: (derivation.cost, len(derivation.steps), len(derivation.base)))
    return tuple(rank_by_cost(candidates)[:MAX_CANDIDATES])
