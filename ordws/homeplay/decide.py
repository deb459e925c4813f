"""The ruling on a word at home, under any rule set (docs/rules.md 6.3, 6.7, 6.8).

For the browser, ordws/web/pages/static/decide.js holds these rules.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from ordws.homeplay.affixes import EXTENDED, Affixes
from ordws.homeplay.book import PlayerAnswers, WordBook
from ordws.homeplay.dover import rule_by_dover, rule_by_dover_lists
from ordws.homeplay.word_check import (
    PLAYERS_COPY,
    BookEdition,
    LookupRequest,
    NotDerivable,
    WordCheck,
    WordRuling,
    find_base_derivations,
    refuse_without_base,
)
from ordws.rules.published_lists import HEBREW_LETTERS, TWO_LETTER_LISTS
from ordws.rules.ruleset import HomeRules, Offensive, RuleSet, published_word_lists

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
    reference_name: str = PLAYERS_COPY,
) -> WordRuling | LookupRequest:
    """Return the ruling on a folded word, or what has to be looked up first.

    With `by_exclusion` the players' reference and the published lists decide, and there is no dictionary (docs/rules.md
    6.8). Lists are asked before books, so that a player looks nothing up in vain. `reference_name` stands in the
    reasons.
    """
    twos = published_word_lists(rules).twos
    check = WordCheck(
        word=word,
        dictionary=dictionary,
        reference=reference,
        twos=twos,
        twos_name=two_letter_list_name(rules),
        bars_labelled=rules.offensive is Offensive.DISALLOWED,
        reference_name=reference_name,
        edition=edition,
        affixes=affixes,
    )
    if word in rules.allow:
        return check.allow("own-list-good")
    if word in rules.strike:
        return check.refuse("own-list-out")
    if word in twos:
        return check.allow("two-letter-list")
    if rules.home_rules is HomeRules.DOVER and (listed := rule_by_dover_lists(check)) is not None:
        return listed
    if len(word) == 2:
        return check.refuse("not-on-two-letter-list")
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
                return check.refuse("exclusion-q-without-u")
            if word in _TABOO_HEBREW_LETTERS or word.removesuffix("S") in _TABOO_HEBREW_LETTERS:
                return check.refuse("exclusion-hebrew-letter")
            return _rule_by_reference(check, "exclusion-fair", "exclusion-missing")


def two_letter_list_name(rules: RuleSet) -> str:
    """Return the published list that decides two-letter words, or `own` for a list that a game has changed."""
    name = rules.two_letter_words
    return name if published_word_lists(rules).twos == TWO_LETTER_LISTS[name] else "own"


def _rule_by_reference(check: WordCheck, yes: str, no: str) -> WordRuling | LookupRequest:
    """Return the ruling of the players' reference alone, by the rule `yes` or the rule `no`."""
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True:
            return check.allow(yes)
        case False:
            return check.refuse(no)


def _rule_by_two_books(check: WordCheck) -> WordRuling | LookupRequest:
    """Return the ruling of home play in the Scrabble I family (docs/rules.md 6.3, A-36).

    The base has to be in the player's dictionary, and the form in the OSPD. The player is asked in the order in which
    people would look words up.
    """
    if check.in_dictionary:
        return check.check_label(check.word) or check.allow_by_dictionary("in-dictionary")
    if check.in_reference is False and check.in_dictionary is None:
        return check.ask_dictionary()
    derivations = find_base_derivations(check)
    if check.in_reference is False:
        if isinstance(derivations, tuple) and derivations:
            return check.refuse("base-not-in-reference", derivations[0])
        return check.refuse("in-neither")
    if isinstance(derivations, LookupRequest):
        return derivations
    if isinstance(derivations, NotDerivable) or not derivations:
        return check.ask_dictionary() if check.in_dictionary is None else refuse_without_base(check, derivations)
    best = next((each for each in derivations if not check.is_barred(each.base)), derivations[0])
    if label := check.check_label(best.base, best):
        return label
    if check.in_reference is None:
        return check.ask_reference()
    return check.allow_by_dictionary("formative-of-two" if len(best.base) == 2 else "formative", best)
