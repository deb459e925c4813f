"""Play with nothing but an OSPD, or on other people's servers: all of it is fair but for short lists. (RULES 6.8)"""

from __future__ import annotations

from typing import Final

from ordws.homeplay.result import LookupRequest, WordRuling, allow, refuse
from ordws.homeplay.word_check import WordCheck
from ordws.rules.published_lists import HEBREW_LETTERS

_HEBREW_LETTERS: Final = HEBREW_LETTERS | {
    "FEH",
    "HEH",
    "HET",
    "KAF",
    "MEM",
    "PEH",
    "TAV",
    "TET",
    "VAU",
    "VAV",
    "VAW",
    "WAW",
    "YOD",
}


def rule_by_exclusion(check: WordCheck) -> WordRuling | LookupRequest:
    """Scrabble I's own approximation: no Q without U, no Hebrew letters, everything else that the list has."""
    if "Q" in check.word.replace("QU", ""):
        return refuse(check.word, "exclusion-q-without-u")
    if check.word in _HEBREW_LETTERS or check.word.removesuffix("S") in _HEBREW_LETTERS:
        return refuse(check.word, "exclusion-hebrew-letter")
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True:
            return allow(check.word, "exclusion-fair")
        case False:
            return refuse(check.word, "exclusion-missing")


def rule_by_listed_ospd(check: WordCheck) -> WordRuling | LookupRequest:
    """Dover's: any version of the OSPD, for a word that the club's lists do not decide."""
    match check.in_reference:
        case None:
            return check.ask_reference()
        case True:
            return allow(check.word, "dover-lists-fair")
        case False:
            return refuse(check.word, "dover-lists-missing")
