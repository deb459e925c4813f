"""The forms that are good under Dover though the word set lacks them (docs/rules.md 6.7 rules 5 and 6).

The word set stands for the club's dictionary, and the players' reference for the OSPD. The same functions rule at home
(ordws/homeplay), so that both agree. The word set tells which nouns take a plural, as the electronic edition of the
club's dictionary does.
"""

from __future__ import annotations

from collections.abc import Set
from contextlib import AbstractContextManager

from builders.merge import MergeResult
from builders.processes import FilteredWords, begin_filter
from builders.word_set_book import make_word_set_book
from ordws.homeplay.dover import is_good_form, rule_by_dover_lists
from ordws.homeplay.word_check import WordCheck
from ordws.rules.rulesets import RULE_SETS, published_word_lists


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
