"""The plausibility of a base by its looks alone, for players without a dictionary at hand: FLING rather than FLINGE.

For the browser, ordws/web/pages/static/plausibility.js holds these functions.
"""

from __future__ import annotations

import re
from typing import Final

from ordws.homeplay.affixes import Affix, Affixes, read_affix_table

_VOWELS: Final = frozenset("AEIOUY")
_ONSET: Final = re.compile("(?:[^AEIOU][^AEIOUY]*)?")
"""The consonants that a word begins with; Y is one at the very beginning."""

_IMPLAUSIBLE: Final = 3
_DOUBTFUL: Final = 2
_LOOKS: Final = read_affix_table()["looks"]
_SILENT_E: Final = tuple(_LOOKS["silent_e"].split())
_BEGINS: Final = frozenset(_LOOKS["begins"].split())
_NEVER_ENDS: Final = tuple(_LOOKS["never_ends"].split())
_NO_BASE: Final = tuple(_LOOKS["no_base"].split())
_MADE: Final = tuple(_LOOKS["made"].split())


def is_base(text: str) -> bool:
    """Return whether a text may be asked for as a base: KINDNES and HAPPEY look like none."""
    return not text.endswith(_NO_BASE)


def looks_made(base: str) -> bool:
    """Return whether a base looks as if it were made of another one, as UNHAP of HAP."""
    return base.startswith(_MADE)


def oddness(base: str, affix: Affix, affixes: Affixes) -> int:
    """Return how little a base looks like the word that an affix was added to; 0 if nothing about it is odd."""
    onset = _ONSET.match(base)
    odd = 1 if len(base) == 3 else 0
    if onset and onset[0] and onset[0] not in _BEGINS:
        odd += _IMPLAUSIBLE
    if base.endswith(_NEVER_ENDS):
        odd += _IMPLAUSIBLE
    if affix.spelling == "irregular":
        front = base[: len(base) - len(affix.drops[0])]
        return odd + (_IMPLAUSIBLE if front and front not in affixes.prefixes else 0)
    if affix.spelling in ("learned", "turned"):
        odd += 1
    if affix.spelling in ("native", "learned"):
        # BLAZ and RELAT look as if a silent E had stood at their end, BASH and SEAL do not.
        stem = base.removesuffix("E")
        is_closed = len(stem) < 3 or stem[-1] in _VOWELS or stem[-2] not in _VOWELS or stem[-3] not in _VOWELS
        has_lost_e = stem.endswith(_SILENT_E) and is_closed
        odd += 0 if has_lost_e == (stem != base) else _DOUBTFUL
    return odd
