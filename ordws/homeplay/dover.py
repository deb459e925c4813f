"""The word rules of the Dover club, in order, with rule 7 before rule 4. (RULES 6.7)"""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.homeplay.affixes import EXTENDED
from ordws.homeplay.book import WordBook
from ordws.homeplay.case import Case, NotMadeOf, find_bases
from ordws.homeplay.derivation import Derivation, Step
from ordws.homeplay.formatives import derivations
from ordws.homeplay.official import without_base
from ordws.homeplay.ruling import ANOTHER_PLAY, TURN_LOST, Ask, Ruling, allow, refuse
from ordws.rules.lists import (
    DISALLOWED_THREES,
    DISALLOWED_TWOS,
    DOVER_DISQUALIFIED,
    HEBREW_LETTERS,
    SPECIAL_PLURALS,
)

SECONDARY: Final = {("BALER", "noun"), ("EXPORTER", "noun"), ("HOARDER", "noun"), ("DEMO", "verb"), ("LUGE", "verb")}
"""What the club's rules name as secondary entries, for books that do not say."""

_PLURALS: Final = frozenset(
    affix.sign for affixes in EXTENDED.suffixes.values() for affix in affixes if ("noun", "plural") in affix.kinds
)
_SURE: Final = 2
"""What a derivation may cost that tells a headword for a secondary entry, as BALER in the entry of BALE."""


def rule_by_dover(case: Case) -> Ruling | Ask:
    """The ruling of the Dover club on a word that no list decides."""
    word, dictionary = case.word, case.dictionary
    if isinstance(dictionary, WordBook) and word in dictionary and dictionary.is_out(word):
        return refuse(word, "dover-2-label")
    if case.in_dictionary:
        return allow(word, "dover-4-in-dictionary")
    if case.in_reference is False and case.in_dictionary is None:
        return case.ask_dictionary()
    made = find_bases(case)
    if isinstance(made, Ask):
        return made if case.in_reference is not False else refuse(word, "dover-in-neither")
    if isinstance(made, NotMadeOf) or not made:
        return _without_root(case, made)
    return _rule_on_formative(case, made)


def rule_by_lists(word: str) -> Ruling | None:
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


def _without_root(case: Case, made: object) -> Ruling | Ask:
    if case.in_dictionary is None:
        return case.ask_dictionary()
    if case.in_reference is False:
        return refuse(case.word, "dover-in-neither")
    return without_base(case, made, "dover-")


def _rule_on_formative(case: Case, made: tuple[Derivation, ...]) -> Ruling | Ask:
    clean = [each for each in made if _why_out(case, each.base) is None]
    if not clean:
        return refuse(case.word, _why_out(case, made[0].base) or "dover-no-base", made[0])
    best = clean[0]
    found = _rule_of(case, best)
    if isinstance(found, Ask):
        return found
    if found.rule == "dover-5-main-adjective":
        return refuse(case.word, found.rule, best)
    match case.in_reference:
        case None:
            return case.ask_reference()
        case True if found.rule == "dover-6-electronic":
            return refuse(case.word, found.rule, best, ANOTHER_PLAY)
        case True:
            return allow(case.word, found.rule, best, under=found.under, kind=found.kind)
        case False:
            is_plural = found.kind == "noun" and len(best.steps) == 1
            return refuse(case.word, "dover-6-neither" if is_plural else "dover-5-missing", best, TURN_LOST)


def _why_out(case: Case, base: str) -> str | None:
    """The rule that strikes a base out, and what is made of it with it."""
    if base in DOVER_DISQUALIFIED or base in HEBREW_LETTERS:
        return "dover-3-base"
    is_out = isinstance(case.dictionary, WordBook) and case.dictionary.is_out(base)
    return "dover-2-label-base" if is_out else None


class _Found(NamedTuple):
    """The rule that speaks of a formative, and the word that its last affix was put to."""

    rule: str
    under: str
    kind: str = ""
    """What that word is inflected as."""


def _rule_of(case: Case, made: Derivation) -> _Found | Ask:
    """Which rule speaks of a formative; what it says is still to be seen in the OSPD."""
    last, under = made.steps[-1], made.words[-2]
    if last.affix in _PLURALS and _may_be(case, made, "noun"):
        return _rule_of_plural(case, made, under)
    if len(made.steps) == 1 and last.affix in ("-S", "-ED", "-ING") and _is_secondary(case, under, "verb"):
        return _Found("dover-6-special-1", under, "verb")
    if last.affix in ("-ER", "-EST") and _is_adjective(case, made, last):
        if len(made.steps) == 1 and case.dictionary.has_main_entry(under, "adjective"):
            return _Found("dover-5-main-adjective", under)
        return _Found("dover-5-comparative" if last.affix == "-ER" else "dover-5-superlative", under)
    return _Found(_NAMED.get(last.affix, "dover-5-affix"), under)


_NAMED: Final = {"RE-": "dover-5-re", "UN-": "dover-5-un", "-ER": "dover-5-er", "-ED": "dover-5-ed"}


def _rule_of_plural(case: Case, made: Derivation, under: str) -> _Found | Ask:
    if _is_gerund(case, made, under):
        return _Found("dover-6-special-2", under, "noun")
    is_secondary = len(made.steps) > 1 or _is_secondary(case, under, "noun")
    if is_secondary:
        return _Found("dover-6-special-1", under, "noun")
    if case.edition == "print":
        return _Found("dover-6-print", under, "noun")
    if is_secondary is None:
        return Ask(word=case.word, about="main-entry", words=(under,))
    return _Found("dover-6-electronic", under, "noun")


def _is_gerund(case: Case, made: Derivation, under: str) -> bool:
    """Whether a plural is one of verb-INGS, the -ING being a headword or not."""
    if len(made.steps) > 1:
        return made.steps[-2].affix == "-ING"
    if not under.endswith("ING") or not isinstance(case.dictionary, WordBook):
        return False
    return any(each.steps == (Step(under, "-ING"),) for each in derivations(under, case.dictionary, case.affixes))


def _is_secondary(case: Case, word: str, kind: str) -> bool | None:
    """Whether a headword is named in the entry of another word alone; None where nobody has said.

    Of a file that does not say, a headword that is surely made of another one is taken for secondary.
    """
    is_main = case.dictionary.has_main_entry(word, kind)
    if is_main is not None:
        return not is_main
    if (word, kind) in SECONDARY:
        return True
    if not isinstance(case.dictionary, WordBook):
        return None
    if kind == "verb":
        return False
    return any(each.cost <= _SURE for each in derivations(word, case.dictionary, case.affixes))


def _may_be(case: Case, made: Derivation, kind: str) -> bool:
    """Whether what the last affix was put to may be that part of speech."""
    if len(made.steps) > 1 or not isinstance(case.dictionary, WordBook):
        return True
    kinds = case.dictionary.kinds(made.base)
    return not kinds or kind in kinds


def _is_adjective(case: Case, made: Derivation, last: Step) -> bool:
    if last.affix == "-EST":
        return True
    if len(made.steps) > 1:
        return made.steps[-2].affix in _ADJECTIVAL
    kinds = case.dictionary.kinds(made.base) if isinstance(case.dictionary, WordBook) else ()
    return "adjective" in kinds and "verb" not in kinds and "noun" not in kinds


_ADJECTIVAL: Final = frozenset({"-Y", "-LY", "-ISH", "-FUL", "-SOME", "UN-"})
