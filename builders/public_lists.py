"""What the public word lists say, folded: the players' reference, names, abbreviations, and how common a word is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from builders.readers.scowl import ScowlWord
from ordws.fold import find_fold

REGIONS: Final = frozenset({"english", "american", "variant_1", "variant_2", "variant_3"})
"""The lists of SCOWL that make up the players' reference: North American English with its variants. (SOURCES)"""
REFERENCE_SIZE: Final = 80
CORE_SIZE: Final = 50
_NAMES: Final = frozenset({"upper", "proper-names"})
_SYMBOLS: Final = frozenset({"abbreviations", "roman-numerals"})
_VOWELS: Final = frozenset("AEIOUY")
_NUMERAL: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


@dataclass(frozen=True)
class PublicLists:
    """The public lists at one size; nothing in it comes from a dictionary or a decision."""

    reference: frozenset[str]
    """Words up to size 80: the open stand-in for the players' dictionary."""
    bands: dict[str, int]
    """The smallest size at which a word is listed, in any region, as an ordinary word."""
    names: frozenset[str]
    """Listed with a capital and nowhere as an ordinary word."""
    symbols: frozenset[str]
    """Listed as an abbreviation or a Roman numeral, and not in the reference."""

    @property
    def core(self) -> frozenset[str]:
        """What costs a caller nothing: in the reference, and common. (GUARD decision 6)"""
        return frozenset(word for word in self.reference if self.bands.get(word, REFERENCE_SIZE) <= CORE_SIZE)

    def is_symbol(self, word: str) -> bool:
        """Whether a spelling that the reference lacks cannot be read as a word: MPH, LXXVI, EQ."""
        if word in self.reference:
            return False
        return len(word) < 3 or _VOWELS.isdisjoint(word) or _NUMERAL.fullmatch(word) is not None


def classify_scowl_words(scowl_words: Iterable[ScowlWord], published: Iterable[str]) -> PublicLists:
    """Sort what SCOWL lists by what it says of it.

    SCOWL files many two- and three-letter words as abbreviations, so the reference takes in those that the rule
    books publish, and of two letters these alone. (SOURCES 2)
    """
    reference, names, symbols = set(published), set(), set()
    bands: dict[str, int] = {}
    for item in scowl_words:
        if (word := find_fold(item.word)) is None:
            continue
        if item.category == "words":
            bands[word] = min(item.size, bands.get(word, item.size))
            if item.region in REGIONS and item.size <= REFERENCE_SIZE and len(word) > 2:
                reference.add(word)
        elif item.category in _NAMES:
            names.add(word)
        elif item.category in _SYMBOLS:
            symbols.add(word)
    common = {word for word, size in bands.items() if size <= REFERENCE_SIZE}
    return PublicLists(frozenset(reference), bands, frozenset(names - common), frozenset(symbols - reference))
