"""A word set as the dictionary of the rules at home, with what the merged dictionaries say of its words."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from builders.merge import UNINFLECTED_LABELS, MergeResult
from ordws.homeplay.book import DictionaryEntry, WordBook
from ordws.homeplay.dover import MAX_SURE_COST
from ordws.homeplay.formatives import find_derivations

_UNKNOWN: Final = ""
_KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "past": ("past", "adjective"),
    "participle": ("participle", "adjective"),
    "gerund": ("noun", "adjective"),
    "form": (_UNKNOWN,),
}
"""What an inflected form may be as a base. The others are none: REVOTES is of REVOTE, and BITESIZE not of BITES."""


class WordSetBook(WordBook):
    """The word set as a dictionary at home: the words that may be bases, with their parts of speech."""

    def has_main_entry(self, word: str, part_of_speech: str) -> bool | None:
        """Return whether an adjective is no word of the set with an affix, so that the set would show its comparative.

        None for other parts of speech: the rules at home infer it.
        """
        if part_of_speech != "adjective":
            return None
        return all(made.cost > MAX_SURE_COST for made in find_derivations(word, self))


def make_word_set_book(words: frozenset[str], labelled: Set[str], merged: MergeResult) -> WordSetBook:
    """Return the book of a word set; a word that no dictionary of the merge has may be any part of speech."""
    kinds_by_word: dict[str, set[str]] = {}
    for source in merged.source_claims:
        if source.options.kind != "dictionary":
            continue
        for form in source.licensed.keys() & words:
            kinds = kinds_by_word.setdefault(form, set())
            for claim in source.licensed[form]:
                if claim.slot != "base":
                    kinds.update(_KINDS.get(claim.slot, ()))
                elif claim.entry.labels.isdisjoint(UNINFLECTED_LABELS):
                    kinds.add(_UNKNOWN if claim.entry.pos == "other" else claim.entry.pos)
    return WordSetBook(
        {
            word: tuple([DictionaryEntry(kind, None, word in labelled) for kind in kinds])
            for word in words
            if (kinds := kinds_by_word.get(word, {_UNKNOWN}))
        }
    )
