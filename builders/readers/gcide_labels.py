"""The brackets of GCIDE: labels, and tags that name the work that a paragraph comes from (docs/dictionaries.md 1c)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from builders.readers.terms import UNLABELLED, SenseLabels, parse_gloss_labels, parse_labels

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
    "Vulgar": "slang",
    "Collog": "colloquial",
    "Trade name": "trademark",
    "capitals": "abbreviation",
}
"""Terms of 1913. "Low" and, with a capital, "Vulgar" described speech (they stand at NOODLE and LOUSILY) and are no
reason to exclude a word. Later editors write "vulgar" of what is vulgar today."""

_GCIDE_TERM: Final = re.compile(r"\b(?:" + "|".join(_GCIDE_TERMS) + r")\b")
_REMARK_WORDS: Final = (
    r"(?:(?:an?|the|it|is|in|as|and|or|but|now|older|term|very|highly|always|invariably|usually|generally|often|sometimes"
    r"|used|taken|considered|intended|interpreted|disparaging(?:ly)?|derogator(?:y|ily)|contemptuous(?:ly)?|insulting"
    r"|\(\d{4}\))[ ,]+)*+"
)
_REMARK_TERMS: Final = ("offensive", "obscene", "vulgar", "ethnic slur")
_USAGE_REMARK: Final = re.compile(
    r"(?:--\s*|[.;,]\s(?=[^.;]*\b(?:considered|intended)\b))"
    rf"({_REMARK_WORDS}(?:{'|'.join(_REMARK_TERMS)})\b)"
    r"(?=[.;,]|$| (?:and|or|by|term|name|word|designation|expression)\b)",
    re.IGNORECASE,
)
"""What a later editor says at the end of a definition: "-- now (1998) usually considered offensive"."""

_ETYMOLOGY: Final = re.compile(
    r"\b(?:fr|cf|Cf|akin|from|From|See|see|Written|written|Called|called|Also|Pref|pref|contr|corrupt|dim|Perh|perh"
    r"|Prob|prob|L|LL|NL|Gr|F|OF|E|OE|ME|AS|D|OD|G|OHG|MHG|Sp|Pg|It|Icel|Sw|Dan|Skr|W|Gael|Ir|Heb|Ar|Per|Turk|Russ"
    r"|uncertain|origin|word)\b(?! & Scot)|[+?=]"
)


@cache
def parse_bracket(text: str) -> SenseLabels:
    """Return the labels that a bracket holds; none if it tells an origin or another spelling."""
    if _ETYMOLOGY.search(text):
        return UNLABELLED
    labels = parse_labels(_GCIDE_TERM.sub(lambda match: _GCIDE_TERMS[match[0]], text))
    if "abbreviation" in labels.labels and " " in text:
        return UNLABELLED  # "Abbrev. from ..." tells an origin
    return labels


def parse_gcide_gloss(gloss: str) -> SenseLabels:
    """Return the labels that a definition gives its sense, also in the words of a later editor at its end."""
    labels = parse_gloss_labels(gloss)
    lowered = gloss.lower()
    for remark in _USAGE_REMARK.findall(gloss) if any(map(lowered.__contains__, _REMARK_TERMS)) else ():
        labels = labels.union(parse_labels(remark))
    return labels


def is_from_wordnet(text: str) -> bool:
    """Tell whether an entry comes from WordNet alone, so that it is no independent source beside WordNet.

    Such entries are dropped (docs/dictionaries.md Decision 7).
    """
    if "WordNet" not in text:
        return False
    tags = SOURCE_TAG.findall(text)
    return bool(tags) and all(" ".join(tag.split()) in {"WordNet 1.5", "WordNet 1.6"} for tag in tags)
