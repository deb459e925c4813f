"""The word rules of the Dover club, in order, with rule 7 before rule 4. (RULES 6.7)"""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.homeplay.affixes import EXTENDED
from ordws.homeplay.book import WordBook
from ordws.homeplay.derivation import DerivationStep, WordDerivation
from ordws.homeplay.formatives import find_derivations
from ordws.homeplay.official import refuse_without_base
from ordws.homeplay.result import ANOTHER_PLAY, TURN_LOST, LookupRequest, WordRuling, allow, refuse
from ordws.homeplay.word_check import NotDerivable, WordCheck, find_base_derivations
from ordws.rules.published_lists import (
    DISALLOWED_THREES,
    DISALLOWED_TWOS,
    DOVER_DISQUALIFIED,
    HEBREW_LETTERS,
    SPECIAL_PLURALS,
)

SECONDARY: Final = {("BALER", "noun"), ("EXPORTER", "noun"), ("HOARDER", "noun"), ("DEMO", "verb"), ("LUGE", "verb")}
"""What the club's rules name as secondary entries, for books that do not say."""

_PLURAL_AFFIXES: Final = frozenset(
    affix.hyphenated
    for affixes in EXTENDED.suffixes.values()
    for affix in affixes
    if ("noun", "plural") in affix.conversions
)
_MAX_SURE_COST: Final = 2
"""What a derivation may cost that tells a headword for a secondary entry, as BALER in the entry of BALE."""


def rule_by_dover(check: WordCheck) -> WordRuling | LookupRequest:
    """The ruling of the Dover club on a word that no list decides."""
    word, dictionary = check.word, check.dictionary
    if isinstance(dictionary, WordBook) and word in dictionary and dictionary.is_offensive(word):
        return refuse(word, "dover-2-label")
    if check.in_dictionary:
        return allow(word, "dover-4-in-dictionary")
    if check.in_reference is False and check.in_dictionary is None:
        return check.ask_dictionary()
    made = find_base_derivations(check)
    if isinstance(made, LookupRequest):
        return made if check.in_reference is not False else refuse(word, "dover-in-neither")
    if isinstance(made, NotDerivable) or not made:
        return _root_not_found(check, made)
    return _rule_on_formative(check, made)


def rule_by_lists(word: str) -> WordRuling | None:
    """What the club's lists of words decide, but for the acceptable twos; None where they do not."""
    if word in DOVER_DISQUALIFIED:
        return refuse(word, "dover-3-disqualified", follows=ANOTHER_PLAY)
    if word in HEBREW_LETTERS:
        return refuse(word, "dover-3-hebrew-letter", follows=ANOTHER_PLAY)
    if word in DISALLOWED_TWOS or word in DISALLOWED_THREES:
        return refuse(word, "dover-7-disallowed", follows=ANOTHER_PLAY)
    if word in SPECIAL_PLURALS:
        return allow(word, "dover-6-special-3")
    if len(word) > 2:
        return None
    return refuse(word, "dover-6-special-4" if word[1] == "S" else "not-on-two-letter-list")


def _root_not_found(check: WordCheck, made: object) -> WordRuling | LookupRequest:
    if check.in_dictionary is None:
        return check.ask_dictionary()
    if check.in_reference is False:
        return refuse(check.word, "dover-in-neither")
    return refuse_without_base(check, made, "dover-")


def _rule_on_formative(check: WordCheck, derivations: tuple[WordDerivation, ...]) -> WordRuling | LookupRequest:
    clean = [each for each in derivations if _exclusion_rule(check, each.base) is None]
    if not clean:
        return refuse(check.word, _exclusion_rule(check, derivations[0].base) or "dover-no-base", derivations[0])
    best = clean[0]
    found = _find_rule(check, best)
    if isinstance(found, LookupRequest):
        return found
    if found.rule == "dover-5-main-adjective":
        return refuse(check.word, found.rule, best)
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True if found.rule == "dover-6-electronic":
            return refuse(check.word, found.rule, best, ANOTHER_PLAY)
        case True:
            return allow(check.word, found.rule, best, under=found.stem, kind=found.part_of_speech)
        case False:
            is_plural = found.part_of_speech == "noun" and len(best.steps) == 1
            return refuse(check.word, "dover-6-neither" if is_plural else "dover-5-missing", best, TURN_LOST)


def _exclusion_rule(check: WordCheck, base: str) -> str | None:
    """The rule that strikes a base out, and what is made of it with it."""
    if base in DOVER_DISQUALIFIED or base in HEBREW_LETTERS:
        return "dover-3-base"
    is_out = isinstance(check.dictionary, WordBook) and check.dictionary.is_offensive(base)
    return "dover-2-label-base" if is_out else None


class _ApplicableRule(NamedTuple):
    """The rule that speaks of a formative, and the word that its last affix was put to."""

    rule: str
    stem: str
    part_of_speech: str = ""
    """What that word is inflected as."""


def _find_rule(check: WordCheck, derivation: WordDerivation) -> _ApplicableRule | LookupRequest:
    """Which rule speaks of a formative; what it says is still to be seen in the OSPD."""
    last, under = derivation.steps[-1], derivation.words[-2]
    if last.affix in _PLURAL_AFFIXES and _may_be_part_of_speech(check, derivation, "noun"):
        return _find_plural_rule(check, derivation, under)
    if len(derivation.steps) == 1 and last.affix in ("-S", "-ED", "-ING") and _is_secondary(check, under, "verb"):
        return _ApplicableRule("dover-6-special-1", under, "verb")
    if last.affix in ("-ER", "-EST") and _is_adjective(check, derivation, last):
        if len(derivation.steps) == 1 and check.dictionary.has_main_entry(under, "adjective"):
            return _ApplicableRule("dover-5-main-adjective", under)
        return _ApplicableRule("dover-5-comparative" if last.affix == "-ER" else "dover-5-superlative", under)
    return _ApplicableRule(_RULE_OF_AFFIX.get(last.affix, "dover-5-affix"), under)


_RULE_OF_AFFIX: Final = {"RE-": "dover-5-re", "UN-": "dover-5-un", "-ER": "dover-5-er", "-ED": "dover-5-ed"}


def _find_plural_rule(check: WordCheck, derivation: WordDerivation, stem: str) -> _ApplicableRule | LookupRequest:
    if _is_gerund(check, derivation, stem):
        return _ApplicableRule("dover-6-special-2", stem, "noun")
    is_secondary = len(derivation.steps) > 1 or _is_secondary(check, stem, "noun")
    if is_secondary:
        return _ApplicableRule("dover-6-special-1", stem, "noun")
    if check.edition == "print":
        return _ApplicableRule("dover-6-print", stem, "noun")
    if is_secondary is None:
        return LookupRequest(word=check.word, about="main-entry", words=(stem,))
    return _ApplicableRule("dover-6-electronic", stem, "noun")


def _is_gerund(check: WordCheck, derivation: WordDerivation, stem: str) -> bool:
    """Whether a plural is one of verb-INGS, the -ING being a headword or not."""
    if len(derivation.steps) > 1:
        return derivation.steps[-2].affix == "-ING"
    if not stem.endswith("ING") or not isinstance(check.dictionary, WordBook):
        return False
    return any(
        each.steps == (DerivationStep(stem, "-ING"),)
        for each in find_derivations(stem, check.dictionary, check.affixes)
    )


def _is_secondary(check: WordCheck, word: str, part_of_speech: str) -> bool | None:
    """Whether a headword is named in the entry of another word alone; None where nobody has said.

    Of a file that does not say, a headword that is surely made of another one is taken for secondary.
    """
    is_main = check.dictionary.has_main_entry(word, part_of_speech)
    if is_main is not None:
        return not is_main
    if (word, part_of_speech) in SECONDARY:
        return True
    if not isinstance(check.dictionary, WordBook):
        return None
    if part_of_speech == "verb":
        return False
    return any(each.cost <= _MAX_SURE_COST for each in find_derivations(word, check.dictionary, check.affixes))


def _may_be_part_of_speech(check: WordCheck, derivation: WordDerivation, part_of_speech: str) -> bool:
    """Whether what the last affix was put to may be that part of speech."""
    if len(derivation.steps) > 1 or not isinstance(check.dictionary, WordBook):
        return True
    kinds = check.dictionary.parts_of_speech(derivation.base)
    return not kinds or part_of_speech in kinds


def _is_adjective(check: WordCheck, derivation: WordDerivation, last: DerivationStep) -> bool:
    if last.affix == "-EST":
        return True
    if len(derivation.steps) > 1:
        return derivation.steps[-2].affix in _ADJECTIVAL_AFFIXES
    kinds = check.dictionary.parts_of_speech(derivation.base) if isinstance(check.dictionary, WordBook) else ()
    return "adjective" in kinds and "verb" not in kinds and "noun" not in kinds


_ADJECTIVAL_AFFIXES: Final = frozenset({"-Y", "-LY", "-ISH", "-FUL", "-SOME", "UN-"})
