"""The ruling on a word at home, under any rule set (docs/rules.md 6.3, 6.7, 6.8).

For the browser, ordws/web/pages/static/decide.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import PlayerAnswers, WordBook
from ordws.homeplay.dover import rule_by_dover, rule_by_dover_lists
from ordws.homeplay.result import LookupRequest, WordRuling, allow, refuse
from ordws.homeplay.word_check import (
    BookEdition,
    NotDerivable,
    WordCheck,
    find_base_derivations,
    refuse_without_base,
)
from ordws.rules.published_lists import HEBREW_LETTERS
from ordws.rules.ruleset import HomeRules, RuleSet
from ordws.rules.rulesets import published_word_lists

NO_ANSWERS: Final = PlayerAnswers({})
_TABOO_HEBREW_LETTERS: Final = HEBREW_LETTERS.union(
    ("FEH", "HEH", "HET", "KAF", "MEM", "PEH", "TAV", "TET", "VAU", "VAV", "VAW", "WAW", "YOD")
)
"""HEBREW_LETTERS has the names of four letters and more, since other lists of Dover's strike the shorter ones out."""


def decide_word(
    word: str,
    rules: RuleSet,
    dictionary: WordBook | PlayerAnswers = NO_ANSWERS,
    reference: Container[str] | PlayerAnswers = NO_ANSWERS,
    edition: BookEdition = "print",
    *,
    affixes: Affixes = EXTENDED,
    by_exclusion: bool = False,
) -> WordRuling | LookupRequest:
    """Return the ruling on a folded word, or what has to be looked up first.

    With `by_exclusion` the players' reference and the published lists decide, and there is no dictionary (docs/rules.md
    6.8). Lists are asked before books, so that a player looks nothing up in vain.
    """
    twos = published_word_lists(rules).twos
    if word in twos:
        return allow(word, "two-letter-list")
    if rules.home_rules is HomeRules.DOVER and (listed := rule_by_dover_lists(word)) is not None:
        return listed
    if len(word) == 2:
        return refuse(word, "not-on-two-letter-list")
    check = WordCheck(
        word=word, dictionary=dictionary, reference=reference, twos=twos, edition=edition, affixes=affixes
    )
    match rules.home_rules:
        case HomeRules.REFERENCE:
            return _rule_by_reference(check, "in-reference", "not-in-reference")
        case HomeRules.DOVER if by_exclusion:
            return _rule_by_reference(check, "dover-lists-fair", "dover-lists-missing")
        case HomeRules.DOVER:
            return rule_by_dover(check)
        case HomeRules.TWO_BOOKS if not by_exclusion:
            return _rule_by_two_books(check)
        case HomeRules.TWO_BOOKS:
            if "Q" in word.replace("QU", ""):
                return refuse(word, "exclusion-q-without-u")
            if word in _TABOO_HEBREW_LETTERS or word.removesuffix("S") in _TABOO_HEBREW_LETTERS:
                return refuse(word, "exclusion-hebrew-letter")
            return _rule_by_reference(check, "exclusion-fair", "exclusion-missing")


def _rule_by_reference(check: WordCheck, yes: str, no: str) -> WordRuling | LookupRequest:
    """Return the ruling of the players' reference alone, by the rule `yes` or the rule `no`."""
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True:
            return allow(check.word, yes)
        case False:
            return refuse(check.word, no)


def _rule_by_two_books(check: WordCheck) -> WordRuling | LookupRequest:
    """Return the ruling of home play in the Scrabble I family (docs/rules.md 6.3, A-36).

    The base has to be in the player's dictionary, and the form in the OSPD. The player is asked in the order in which
    people would look words up.
    """
    if check.in_dictionary:
        return allow(check.word, "in-dictionary")
    if check.in_reference is False and check.in_dictionary is None:
        return check.ask_dictionary()
    derivations = find_base_derivations(check)
    if check.in_reference is False:
        if isinstance(derivations, tuple) and derivations:
            return refuse(check.word, "base-not-in-reference", derivations[0])
        return refuse(check.word, "in-neither")
    if isinstance(derivations, LookupRequest):
        return derivations
    if isinstance(derivations, NotDerivable) or not derivations:
        return check.ask_dictionary() if check.in_dictionary is None else refuse_without_base(check, derivations)
    if check.in_reference is None:
        return check.ask_reference()
    return allow(check.word, "formative-of-two" if len(derivations[0].base) == 2 else "formative", derivations[0])
