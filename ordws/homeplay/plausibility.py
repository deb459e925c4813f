"""What can be said of a base by its looks alone, where no dictionary is at hand: FLING rather than FLINGE."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from ordws.homeplay.affixes import Affix, Affixes, read_affix_table

_VOWELS: Final = frozenset("AEIOUY")
_IMPLAUSIBLE: Final = 3
_DOUBTFUL: Final = 2


class _SpellingPatterns(NamedTuple):
    silent_e: tuple[str, ...]
    begins: frozenset[str]
    never_ends: tuple[str, ...]


@cache
def _read_patterns() -> _SpellingPatterns:
    table = read_affix_table()["looks"]
    return _SpellingPatterns(
        tuple(table["silent_e"].split()), frozenset(table["begins"].split()), tuple(table["never_ends"].split())
    )


def oddness(base: str, affix: Affix, affixes: Affixes) -> int:
    """How little a base looks like the word that an affix was put to; 0 where nothing is odd."""
    looks, onset = _read_patterns(), _onset(base)
    odd = 1 if len(base) == 3 else 0
    if onset and onset not in looks.begins:
        odd += _IMPLAUSIBLE
    if base.endswith(looks.never_ends):
        odd += _IMPLAUSIBLE
    if affix.spelling == "irregular":
        front = base[: len(base) - len(affix.drops[0])]
        return odd + (_IMPLAUSIBLE if front and front not in affixes.prefixes else 0)
    if affix.spelling in ("learned", "turned"):
        odd += 1
    if affix.spelling in ("native", "learned"):
        stem = base.removesuffix("E")
        odd += 0 if has_lost_e(stem) == (stem != base) else _DOUBTFUL
    return odd


def has_lost_e(stem: str) -> bool:
    """Whether a stem looks as if a silent E had stood at its end: BLAZ and RELAT, not BASH or SEAL."""
    if not stem.endswith(_read_patterns().silent_e):
        return False
    return len(stem) < 3 or stem[-1] in _VOWELS or stem[-2] not in _VOWELS or stem[-3] not in _VOWELS


def _onset(base: str) -> str:
    """The consonants that a word begins with."""
    for place, letter in enumerate(base):
        if letter in _VOWELS and (letter != "Y" or place > 0):
            return base[:place]
    return base
