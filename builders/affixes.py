"""A table of affixes that English headwords are made with: the parts of speech of base and result.

It groups families for the curators; whether a word may be played is never read off it (docs/dictionaries.md 4).
"""

from __future__ import annotations

from typing import Final, NamedTuple

SUFFIXES: Final[dict[str, str]] = {
    "NESS": "adjective>noun",
    "LY": "adjective>adverb participle>adverb noun>adjective",
    "LESS": "noun>adjective verb>adjective",
    "LIKE": "noun>adjective",
    "SHIP": "noun>noun",
    "HOOD": "noun>noun",
    "DOM": "noun>noun",
    "FUL": "noun>adjective noun>noun",
    "SOME": "noun>adjective",
    "WARD": "noun>adverb noun>adjective",
    "WISE": "noun>adverb",
    "ER": "verb>noun noun>noun",
    "OR": "verb>noun",
    "ABLE": "verb>adjective noun>adjective",
    "IBLE": "verb>adjective",
    "MENT": "verb>noun",
    "ATION": "verb>noun",
    "ION": "verb>noun",
    "IVE": "verb>adjective",
    "ORY": "verb>adjective",
    "AGE": "noun>noun",
    "ANCE": "verb>noun",
    "ENCE": "verb>noun",
    "EE": "verb>noun",
    "ING": "verb>noun verb>adjective",
    "ED": "noun>adjective verb>adjective",
    "ISH": "noun>adjective adjective>adjective",
    "Y": "noun>adjective verb>adjective",
    "IZE": "adjective>verb noun>verb",
    "ISE": "adjective>verb noun>verb",
    "IFY": "adjective>verb noun>verb",
    "EN": "adjective>verb noun>adjective",
    "ISM": "adjective>noun noun>noun",
    "IST": "noun>noun adjective>noun",
    "ITY": "adjective>noun",
    "AL": "noun>adjective verb>noun",
    "ICAL": "noun>adjective",
    "IC": "noun>adjective",
    "OUS": "noun>adjective",
    "IAN": "noun>noun",
    "AN": "noun>adjective",
    "ESS": "noun>noun",
    "RY": "noun>noun",
    "ERY": "noun>noun",
    "STER": "noun>noun",
    "LET": "noun>noun",
    "LING": "noun>noun",
    "KIN": "noun>noun",
    "ETTE": "noun>noun",
}
"""By suffix: the parts of speech of base and result, the likeliest first; likelier suffixes come first too."""

PREFIXES: Final[dict[str, str]] = {
    "UN": "adjective participle>adjective verb adverb noun",
    "RE": "verb noun",
    "NON": "noun adjective",
    "MIS": "verb noun",
    "OUT": "verb noun",
    "OVER": "verb noun adjective",
    "UNDER": "verb noun",
    "DIS": "verb noun adjective",
    "DE": "verb",
    "PRE": "verb noun adjective",
    "FORE": "verb noun",
    "UP": "verb noun",
    "IN": "adjective noun",
    "IM": "adjective noun",
    "IR": "adjective noun",
    "ANTI": "noun adjective noun>adjective",
    "COUNTER": "noun verb",
    "INTER": "verb adjective noun",
    "TRANS": "adjective",
    "SUB": "noun adjective verb",
    "SUPER": "noun adjective",
    "CO": "noun verb",
    "SEMI": "noun adjective",
    "MULTI": "adjective noun",
    "BI": "adjective noun",
    "TRI": "adjective noun",
    "EN": "noun>verb adjective>verb",
    "EM": "noun>verb",
    "BE": "noun>verb",
    "AFTER": "noun",
    "MICRO": "noun adjective",
    "MINI": "noun",
    "MID": "noun",
    "ULTRA": "adjective",
    "HYPER": "adjective noun",
    "HYPO": "noun adjective",
    "PSEUDO": "noun adjective",
    "PARA": "noun adjective",
    "PERI": "adjective",
    "POST": "adjective noun",
    "PRO": "noun adjective",
    "EXTRA": "adjective",
    "INTRA": "adjective",
    "AUTO": "noun adjective",
    "NEO": "noun",
    "PROTO": "noun",
    "META": "noun adjective",
    "THERMO": "noun adjective",
    "ELECTRO": "noun adjective",
    "HYDRO": "noun adjective",
    "PHOTO": "noun adjective",
}
"""By prefix: the part of speech of the base; that of the result stands behind the > if it is another."""


class AffixRule(NamedTuple):
    """One way to make a headword of another: RE- and a verb make a verb."""

    rank: int
    """The lower, the likelier."""
    pattern: str
    """The rule as the curators read it: RE- + verb, verb + -ER."""
    base_pos: str
    result_pos: str


def _parse_table(table: dict[str, str], pattern: str, first_rank: int) -> dict[str, tuple[AffixRule, ...]]:
    rules: dict[str, tuple[AffixRule, ...]] = {}
    rows = [(letters, kind) for letters, kinds in table.items() for kind in kinds.split()]
    for rank, (letters, kind) in enumerate(rows, first_rank):
        base, _, result = kind.partition(">")
        rules[letters] = (*rules.get(letters, ()), AffixRule(rank, pattern.format(letters, base), base, result or base))
    return rules


BY_SUFFIX: Final = _parse_table(SUFFIXES, "{1} + -{0}", 0)
BY_PREFIX: Final = _parse_table(PREFIXES, "{0}- + {1}", 1_000)
COMPOUND: Final = AffixRule(2_000, "noun + noun", "noun", "noun")
PLURAL: Final = AffixRule(0, "noun without number + -S", "noun", "noun")
MAX_AFFIX_LENGTH: Final = max(map(len, (*SUFFIXES, *PREFIXES)))
