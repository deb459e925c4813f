"""Every base that a word could come from, whatever the dictionary has: for prices, which must not know the dictionary.

The guard asks for it and the builders do; a page knows no prices, so that it has no counterpart in the browser.
"""

from __future__ import annotations

from collections.abc import Iterator

from ordws.homeplay.affixes import EXTENDED
from ordws.homeplay.derivation import LONG_WORD, MAX_STEPS, SearchState, length_penalty, strip_affixes
from ordws.homeplay.formatives import MAX_COST
from ordws.homeplay.spelling import possible_bases


def find_possible_bases(word: str) -> Iterator[str]:
    """Yield every base of which `find_derivations` could make a word with some dictionary; a base may come twice.

    Most are no words at all. A search in a dictionary stops at words that it has, and at derivations that are much
    likelier than others; here nothing stops it, since either may be missing.
    """
    level = [(word, SearchState())]
    for _ in range(MAX_STEPS):
        deeper = []
        for remainder, state in level:
            for affix, stripped in strip_affixes(remainder, state, EXTENDED, MAX_COST):
                for base in possible_bases(remainder, affix):
                    if stripped.cost + length_penalty(base, stripped) <= MAX_COST:
                        yield base
                    deeper.append((base, stripped))
        level = [(left, state) for left, state in deeper if state.cost < MAX_COST + (len(left) > LONG_WORD)]
