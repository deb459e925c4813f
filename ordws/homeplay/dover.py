"""The word rules of the Dover club, in their order, with rule 7 before rule 4 (docs/rules.md 6.7).

For the browser, ordws/web/pages/static/dover.js holds these rules.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.homeplay.affixes import EXTENDED
from ordws.homeplay.book import PlayerAnswers, WordBook
from ordws.homeplay.formatives import DerivationStep, WordDerivation, find_derivations
from ordws.homeplay.word_check import (
    ANOTHER_PLAY,
    TURN_LOST,
    LookupRequest,
    NotDerivable,
    WordCheck,
    WordRuling,
    find_base_derivations,
    refuse_without_base,
)
from ordws.rules.published_lists import (
    DISALLOWED_THREES,
    DISALLOWED_TWOS,
    DOVER_DISQUALIFIED,
    HEBREW_LETTERS,
    SPECIAL_PLURALS,
)

_SECONDARY: Final = {("BALER", "noun"), ("EXPORTER", "noun"), ("HOARDER", "noun"), ("DEMO", "verb"), ("LUGE", "verb")}
"""The secondary entries that the club's rules name, for dictionaries that do not say (docs/rules.md 6.7 rule 6)."""

_PLURAL_AFFIXES: Final = frozenset(
    affix.hyphenated
    for affixes in EXTENDED.suffixes.values()
    for affix in affixes
    if ("noun", "plural") in affix.conversions
)
_ADJECTIVAL_AFFIXES: Final = frozenset({"-Y", "-EY", "-LY", "-ISH", "-FUL", "-SOME", "UN-"})
_RULE_OF_AFFIX: Final = {"RE-": "dover-5-re", "UN-": "dover-5-un", "-ER": "dover-5-er", "-ED": "dover-5-ed"}
_OUT_THOUGH_IN_REFERENCE: Final = frozenset({"dover-5-main-adjective", "dover-6-electronic"})
"""The rules by which a form is out though the OSPD has it."""
MAX_SURE_COST: Final = 2
"""The largest cost of a derivation that shows a headword to be a secondary entry, as BALER in the entry of BALE."""


def rule_by_dover_lists(check: WordCheck) -> WordRuling | None:
    """Return the ruling of the club's word lists, the acceptable two-letter words aside; None if they say nothing."""
    word = check.word
    if word in DOVER_DISQUALIFIED:
        return check.refuse("dover-3-disqualified", follows=ANOTHER_PLAY)
    if word in HEBREW_LETTERS:
        return check.refuse("dover-3-hebrew-letter", follows=ANOTHER_PLAY)
    if word in DISALLOWED_TWOS or word in DISALLOWED_THREES:
        return check.refuse("dover-7-disallowed", follows=ANOTHER_PLAY)
    if word in SPECIAL_PLURALS:
        return check.allow("dover-6-special-3")
    if len(word) > 2:
        return None
    return check.refuse("dover-6-special-4" if word[1] == "S" else "not-on-two-letter-list")


def rule_by_dover(check: WordCheck) -> WordRuling | LookupRequest:
    """Return the ruling of the Dover club on a word that no list decides, or what has to be looked up first."""
    if check.in_dictionary:
        return check.check_label(check.word) or check.allow_by_dictionary("dover-4-in-dictionary")
    if check.in_reference is False and check.in_dictionary is None:
        return check.ask_dictionary()
    derivations = find_base_derivations(check)
    if isinstance(derivations, LookupRequest):
        # What the OSPD lacks is refused whatever the base is, so that no base has to be looked up.
        return derivations if check.in_reference is not False else check.refuse("dover-in-neither")
    if isinstance(derivations, NotDerivable) or not derivations:
        if check.in_dictionary is None:
            return check.ask_dictionary()
        if check.in_reference is False:
            return check.refuse("dover-in-neither")
        return refuse_without_base(check, derivations, "dover-")
    return _rule_on_formative(check, derivations)


def is_good_form(check: WordCheck) -> bool:
    """Return whether `rule_by_dover` would admit a word that the OSPD has and the dictionary, a book, does not show.

    For the builders, who ask about every word of a list and need no sentences.
    """
    derivations = find_base_derivations(check)
    if not isinstance(derivations, tuple):
        return False
    best = next((each for each in derivations if _find_base_fault(check, each.base) is None), None)
    applicable = best and _find_rule(check, best)
    return isinstance(applicable, _ApplicableRule) and applicable.rule not in _OUT_THOUGH_IN_REFERENCE


def _rule_on_formative(check: WordCheck, derivations: tuple[WordDerivation, ...]) -> WordRuling | LookupRequest:
    """Return the ruling on a word that the dictionary does not show and that is made of words that it has."""
    best = next((each for each in derivations if _find_base_fault(check, each.base) is None), None)
    if best is None:
        return check.refuse(_find_base_fault(check, derivations[0].base) or "dover-no-base", derivations[0])
    if check.in_reference is not False and (label := check.check_label(best.base, best)):
        return label
    applicable = _find_rule(check, best)
    if isinstance(applicable, LookupRequest):
        return applicable
    rule, stem, part_of_speech = applicable
    if rule == "dover-5-main-adjective":
        # The dictionary would show the form if it were good: the OSPD is not asked.
        return check.refuse(rule, best)
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True if rule == "dover-6-electronic":
            return check.refuse(rule, best, ANOTHER_PLAY)
        case True:
            return check.allow_by_dictionary(rule, best, under=stem, kind=part_of_speech)
        case False:
            is_plural = part_of_speech == "noun" and len(best.steps) == 1
            return check.refuse("dover-6-neither" if is_plural else "dover-5-missing", best, TURN_LOST)


def _find_base_fault(check: WordCheck, base: str) -> str | None:
    """Return the rule that strikes a base out, and with it all that is made of it; None if there is none."""
    if base in DOVER_DISQUALIFIED or base in HEBREW_LETTERS:
        return "dover-3-base"
    return "dover-2-label-base" if check.is_barred(base) else None


class _ApplicableRule(NamedTuple):
    """The rule that a formative falls under, and the word to which its last affix was added."""

    rule: str
    stem: str
    part_of_speech: str = ""
    """The part of speech as which that word is inflected."""


def _find_rule(check: WordCheck, derivation: WordDerivation) -> _ApplicableRule | LookupRequest:
    """Return the rule that a formative falls under; whether the OSPD has it is asked later."""
    steps, stem = derivation.steps, derivation.words[-2]
    affix, is_direct = steps[-1].affix, len(steps) == 1
    kinds = check.dictionary.parts_of_speech(derivation.base) if is_direct else ()
    if affix in _PLURAL_AFFIXES and (not kinds or "noun" in kinds):
        return _find_plural_rule(check, steps, stem)
    if is_direct and affix in ("-S", "-ED", "-ING") and _is_secondary(check, stem, "verb"):
        return _ApplicableRule("dover-6-special-1", stem, "verb")
    if affix == "-EST" or (affix == "-ER" and _is_comparative(check, derivation)):
        is_main = is_direct and check.dictionary.has_main_entry(stem, "adjective")
        if is_main is None and isinstance(check.dictionary, PlayerAnswers):
            return LookupRequest(word=check.word, about="main-entry", words=(stem,))
        if is_main:
            return _ApplicableRule("dover-5-main-adjective", stem)
        return _ApplicableRule("dover-5-comparative" if affix == "-ER" else "dover-5-superlative", stem)
    return _ApplicableRule(_RULE_OF_AFFIX.get(affix, "dover-5-affix"), stem)


def _is_comparative(check: WordCheck, derivation: WordDerivation) -> bool:
    """Return whether -ER makes a comparative here, rather than one that does it."""
    if len(derivation.steps) > 1:
        return derivation.steps[-2].affix in _ADJECTIVAL_AFFIXES
    if kinds := check.dictionary.parts_of_speech(derivation.base):
        return "adjective" in kinds and "verb" not in kinds and "noun" not in kinds
    if isinstance(check.reference, PlayerAnswers):
        # Few bases on -Y are verbs, and the -ER forms of those stand in dictionaries: CARRIER, WORRIER.
        return check.word.endswith("IER")
    return check.word.removesuffix("ER") + "EST" in check.reference


def _find_plural_rule(
    check: WordCheck, steps: tuple[DerivationStep, ...], stem: str
) -> _ApplicableRule | LookupRequest:
    """Return the rule that a plural falls under, of which the electronic edition may have to be asked."""
    if len(steps) > 1:
        is_gerund = steps[-2].affix == "-ING"
    else:
        # A dictionary may have the -ING itself as a headword.
        is_gerund = (
            stem.endswith("ING")
            and isinstance(check.dictionary, WordBook)
            and any(
                each.steps == (DerivationStep(stem, "-ING"),)
                for each in find_derivations(stem, check.dictionary, check.affixes)
            )
        )
    if is_gerund:
        return _ApplicableRule("dover-6-special-2", stem, "noun")
    is_secondary = len(steps) > 1 or _is_secondary(check, stem, "noun")
    if is_secondary:
        return _ApplicableRule("dover-6-special-1", stem, "noun")
    if check.edition == "print":
        return _ApplicableRule("dover-6-print", stem, "noun")
    if is_secondary is None:
        return LookupRequest(word=check.word, about="main-entry", words=(stem,))
    return _ApplicableRule("dover-6-electronic", stem, "noun")


def _is_secondary(check: WordCheck, word: str, part_of_speech: str) -> bool | None:
    """Return whether a headword is named only in the entry of another word; None if the player has to be asked.

    In a dictionary that does not say, a headword that is surely made of another one is taken for secondary.
    """
    is_main = check.dictionary.has_main_entry(word, part_of_speech)
    if is_main is not None:
        return not is_main
    if (word, part_of_speech) in _SECONDARY:
        return True
    if not isinstance(check.dictionary, WordBook):
        return None
    if part_of_speech == "verb":
        return False
    return any(each.cost <= MAX_SURE_COST for each in find_derivations(word, check.dictionary, check.affixes))
