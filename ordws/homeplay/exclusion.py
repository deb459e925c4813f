"""Play with nothing but an OSPD, or on other people's servers: all of it is fair but for short lists. (RULES 6.8)"""

from __future__ import annotations

from typing import Final

from ordws.homeplay.case import Case
from ordws.homeplay.ruling import Ask, Ruling, allow, refuse
from ordws.rules.lists import HEBREW_LETTERS

_HEBREW: Final = HEBREW_LETTERS | {
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


def rule_by_exclusion(case: Case) -> Ruling | Ask:
    """Scrabble I's own approximation: no Q without U, no Hebrew letters, everything else that the list has."""
    if "Q" in case.word.replace("QU", ""):
        return refuse(case.word, "exclusion-q-without-u")
    if case.word in _HEBREW or case.word.removesuffix("S") in _HEBREW:
        return refuse(case.word, "exclusion-hebrew-letter")
    match case.in_reference:
        case None:
            return case.ask_reference()
        case True:
            return allow(case.word, "exclusion-fair")
        case False:
            return refuse(case.word, "exclusion-missing")


def rule_by_listed_ospd(case: Case) -> Ruling | Ask:
    """Dover's: any version of the OSPD, for a word that the club's lists do not decide."""
    match case.in_reference:
        case None:
            return case.ask_reference()
        case True:
            return allow(case.word, "dover-lists-fair")
        case False:
            return refuse(case.word, "dover-lists-missing")
