"""The core words that are charged under Dover: a free answer about them could tell of a word outside the core list.

Under Dover a word is good where a base of it is in the word set, so that UNKEMPT, which is core, would tell of KEMPT,
which is not. Prices must not know the word set, so this module knows the public lists alone: a base is any word that
SCOWL lists, at any size and in any region (docs/guard.md Decision 6).
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from builders.public_lists import PublicLists
from builders.word_filter import FilteredWords, begin_filter
from ordws.homeplay.possible_bases import find_possible_bases


def begin_dover_charged(public_lists: PublicLists) -> AbstractContextManager[FilteredWords]:
    """Begin to find the core words that some base outside the core list could have made."""
    core = public_lists.core
    others = (public_lists.bands.keys() | public_lists.reference) - core
    return begin_filter(core, lambda word: any(base in others for base in find_possible_bases(word)))
