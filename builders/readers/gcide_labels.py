"""The brackets of GCIDE: labels, and the tags that say which work a paragraph comes from. (SOURCES 1c)"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from builders.readers.terms import SenseLabels, parse_labels

UNLABELLED: Final = SenseLabels()
SOURCE_TAG: Final = re.compile(r"\[(?=[^\[\]{}]*+\])([^\[\]{}]*(?:Webster|WordNet|PJC|Century Dict)[^\[\]{}]*)\]")
LABEL_BRACKET: Final = re.compile(r"\[([A-Za-z][^\[\]{}]{0,70})\]")

_GCIDE_TERMS: Final = {
    "R": "rare",
    "Prov": "dialect",
    "Prev": "dialect",
    "Local": "dialect",
    "Scot": "dialect",
    "Scotch": "dialect",
    "North of Eng": "dialect",
    "dialectic": "dialect",
    "Obs": "obsolete",
    "obs": "obsolete",
    "Obsoles": "archaic",
    "obsolescent": "archaic",
    "Obsolescent": "archaic",
    "Poet": "poetic",
    "Cant": "slang",
    "cant": "slang",
    "Low": "slang",
    "Collog": "colloquial",
    "Trade name": "trademark",
    "capitals": "abbreviation",
}
"""Terms of 1913. "Low" was said of speech, of LAMBASTE and NOODLE, and is no reason to exclude a word."""

_GCIDE_TERM: Final = re.compile(r"\b(?:" + "|".join(_GCIDE_TERMS) + r")\b")
_ETYMOLOGY: Final = re.compile(
    r"\b(?:fr|cf|Cf|akin|from|From|See|see|Written|written|Called|called|Also|Pref|pref|contr|corrupt|dim|Perh|perh"
    r"|Prob|prob|L|LL|NL|Gr|F|OF|E|OE|ME|AS|D|OD|G|OHG|MHG|Sp|Pg|It|Icel|Sw|Dan|Skr|W|Gael|Ir|Heb|Ar|Per|Turk|Russ"
    r"|uncertain|origin|word)\b(?! & Scot)|[+?=]"
)


@cache
def parse_bracket(text: str) -> SenseLabels:
    """The labels that a bracket holds; none where it tells where a word comes from or how else it is written."""
    if _ETYMOLOGY.search(text):
        return UNLABELLED
    said = parse_labels(_GCIDE_TERM.sub(lambda found: _GCIDE_TERMS[found[0]], text))
    if "abbreviation" in said.labels and " " in text:
        return UNLABELLED  # "Abbrev. from ..." is where a word comes from
    return said


def is_from_wordnet(text: str) -> bool:
    """Whether an entry comes from WordNet alone, and is no second voice beside it. (SOURCES, Decisions)"""
    if "WordNet" not in text:
        return False
    tags = SOURCE_TAG.findall(text)
    return bool(tags) and all(" ".join(tag.split()) in {"WordNet 1.5", "WordNet 1.6"} for tag in tags)
