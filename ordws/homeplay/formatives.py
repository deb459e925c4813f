"""Whether a word is a formative of a base: by a dictionary, by a base that is named, or by its looks alone. (SOURCES 4)

A form that is reached from its base by affixes, at most two and an inflection; no compound of two free words.
(RULES A-36)
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.derivation import MOST_STEPS, Derivation, Path, ranked, search, shorter
from ordws.homeplay.looks import oddness
from ordws.homeplay.spelling import bases

MOST: Final = 5
"""What a derivation may cost: beyond it most are chance spellings."""
MOST_NAMED: Final = 9
"""The same where a player names the base: then a chance is not likely."""
MOST_UNSEEN: Final = 4
"""The same where there is no dictionary to hold a base against."""
MOST_CANDIDATES: Final = 8
_USUAL: Final = 2
"""An affix that costs less speaks for its base, one that costs more against it."""


def derivations(word: str, book: Container[str], affixes: Affixes = EXTENDED) -> tuple[Derivation, ...]:
    """How a folded word may have been made of words of the book, the likeliest first; none where it was not."""
    return tuple(search(word, book, affixes, MOST))


def ways(word: str, base: str, affixes: Affixes = EXTENDED) -> tuple[Derivation, ...]:
    """How a word may have been made of the base that a player names; at most one."""
    return tuple(search(word, frozenset({base}), affixes, MOST_NAMED))


def candidates(word: str, affixes: Affixes = EXTENDED) -> tuple[Derivation, ...]:
    """The bases that one might look up, the likeliest first, where there is no dictionary to ask.

    Here the cost is a rank: what is stripped of good affixes comes before what still bears them.
    """
    found: list[Derivation] = []
    level = [(word, Path(), 0)]
    for _ in range(MOST_STEPS):
        deeper = []
        for left, path, odd in level:
            for affix, onward in shorter(left, path, affixes, MOST_UNSEEN):
                for base in bases(left, affix):
                    odder = odd + oddness(base, affix, affixes)
                    deeper.append((base, onward, odder))
                    found.append(Derivation(base, onward.steps, onward.cost - _USUAL * len(onward.steps) + odder))
        level = deeper
    found.sort(key=lambda derivation: (derivation.cost, len(derivation.steps), len(derivation.base)))
    return tuple(ranked(found)[:MOST_CANDIDATES])
