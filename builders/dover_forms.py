"""The forms that are good under Dover though the word set lacks them (docs/rules.md 6.7 rules 5 and 6).

The word set stands for the club's dictionary, and the players' reference for the OSPD. The same functions rule at home
(ordws/homeplay), so that both agree. The word set tells which nouns take a plural, as the electronic edition of the
club's dictionary does.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from contextlib import AbstractContextManager
from typing import Final

from builders.merge import UNINFLECTED_LABELS, MergeResult
from builders.processes import FilteredWords, begin_filter
from ordws.homeplay.book import DictionaryEntry, WordBook
from ordws.homeplay.dover import MAX_SURE_COST, is_good_form, rule_by_dover_lists
from ordws.homeplay.formatives import find_derivations
from ordws.homeplay.word_check import WordCheck
from ordws.rules.ruleset import RULE_SETS, published_word_lists

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


def begin_dover_forms(
    words: frozenset[str], reference: Set[str], labelled: Set[str], merged: MergeResult
) -> AbstractContextManager[FilteredWords]:
    """Begin to find the words of the players' reference that Dover's rules make of words of the set, and it lacks.

    A word that is labelled in every sense is none, and nothing is made of it.
    """
    # With the labelled words in the book PISSANTS is of PISSANT, which strikes it out, and not of PISS.
    book, twos = (
        make_word_set_book(words.union(labelled), labelled, merged),
        published_word_lists(RULE_SETS["dover"]).twos,
    )

    def is_good(word: str) -> bool:
        check = WordCheck(
            word=word, dictionary=book, reference=reference, twos=twos, bars_labelled=True, edition="electronic"
        )
        listed = rule_by_dover_lists(check)
        return is_good_form(check) if listed is None else listed.acceptable

    return begin_filter([word for word in reference - words - labelled if len(word) > 2], is_good)
