"""Contradictions of a word set: a form that is in while its base is out, and a form that is out while its base is in.

The report of a build counts them (docs/dictionaries.md 9.5). A word that a club bans by a list of its own is none: the
set has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from builders.followers import UNSAFE_PLURALS
from builders.merge import MIN_WORD_LENGTH, MergeResult

EXCEPTIONS: Final[Mapping[str, str]] = {"PEACES": "a plural that no dictionary has (Scrabble I 10.1)"}
"""Words that contradict others for a reason; beside them, plurals on -INGS, -SES, -XES and -ZES are seldom formed."""


def find_stray_forms(merged: MergeResult, words: Set[str]) -> dict[str, str]:
    """Return the words that dictionaries have only as forms of others, all of which are out, each with one of these."""
    found = {}
    dictionaries = [source for source in merged.source_claims if source.options.kind == "dictionary"]
    for word in words - EXCEPTIONS.keys():
        bases = {claim.base for source in dictionaries for claim in source.licensed.get(word, ())}
        if bases and bases.isdisjoint(words) and len(base := min(bases)) >= MIN_WORD_LENGTH:
            found[word] = base
    return found


def find_missing_forms(merged: MergeResult, words: Set[str], common: Set[str]) -> dict[str, str]:
    """Return the common words that are out though a dictionary has them as a form of a word that is in, with that."""
    found = {}
    dictionaries = [source for source in merged.source_claims if source.options.kind == "dictionary"]
    for form in common - words - EXCEPTIONS.keys():
        for source in dictionaries:
            for claim in (*source.licensed.get(form, ()), *source.withheld.get(form, ())):
                is_seldom = claim.slot == "plural" and claim.base.endswith(UNSAFE_PLURALS)
                if claim.base in words and claim.base != form and not is_seldom:
                    found[form] = claim.base
    return found
