"""The public word lists: the players' reference and the core words, from SCOWL and the rule books alone.

A question's price follows from these lists, so nothing of the word set may reach them: this module reads no dictionary,
no decision and no edition (docs/guard.md Decision 2, Decision 6).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

from builders.readers.scowl import ScowlWord, files, read_scowl_words
from ordws.fold import find_fold
from ordws.rules.published_lists import DISALLOWED_THREES, TWOS_101

REGIONS: Final = frozenset({"english", "american", "variant_1", "variant_2", "variant_3"})
"""The regions of SCOWL that make up the reference: North American English with variants (docs/dictionaries.md 2)."""
REFERENCE_SIZE: Final = 80
CORE_SIZE: Final = 50
COMMON_SIZE: Final = 35
"""The size up to which 11 of 12 printed dictionaries have the words, by SCOWL's account."""
NEVER: Final = 96
"""A size above all of SCOWL's: that of words which are not listed."""
_NAMES: Final = frozenset({"upper", "proper-names"})
_SYMBOLS: Final = frozenset({"abbreviations", "roman-numerals"})
_VOWELS: Final = frozenset("AEIOUY")
_NUMERAL: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


@dataclass(frozen=True)
class PublicLists:
    """The public lists, folded; nothing in them comes from a dictionary or a decision."""

    reference: frozenset[str]
    """Words up to size 80: the open stand-in for the players' dictionary."""
    bands: dict[str, int]
    """The smallest size at which a word is listed, in any region, as an ordinary word."""
    names: frozenset[str]
    """Words that are listed with a capital and nowhere as an ordinary word."""
    symbols: frozenset[str]
    """Words that are listed as an abbreviation or a Roman numeral, and are not in the reference."""
    name_bands: dict[str, int] = field(default_factory=dict)
    """The smallest size at which a word is listed with a capital."""
    northern_bands: dict[str, int] = field(default_factory=dict)
    """The smallest size at which a word is listed outside Australia: BLOWIE is small there alone."""
    variants: frozenset[str] = frozenset()
    """Words that are listed as a variant or for other countries alone: BRUSK, PROGRAMME."""

    @cached_property
    def core(self) -> frozenset[str]:
        """The words that cost a caller nothing: common words of the reference (docs/guard.md Decision 6)."""
        return frozenset(word for word in self.reference if self.bands.get(word, REFERENCE_SIZE) <= CORE_SIZE)

    @cached_property
    def common(self) -> frozenset[str]:
        """The words that most people know; the computer player plays no others where it plays weakly."""
        return frozenset(word for word in self.core if self.bands.get(word, REFERENCE_SIZE) <= COMMON_SIZE)

    def is_rather_name(self, word: str) -> bool:
        """Tell whether a word is listed with a capital at a smaller size than as an ordinary word: SABBATH."""
        return self.name_bands.get(word, NEVER) < self.bands.get(word, NEVER)

    def is_symbol(self, word: str) -> bool:
        """Tell whether a spelling that the reference lacks cannot be read as a word: MPH, LXXVI, EQ."""
        if word in self.reference:
            return False
        return len(word) < 3 or _VOWELS.isdisjoint(word) or _NUMERAL.fullmatch(word) is not None


def read_public_lists(scowl: Path) -> PublicLists:
    """Return the public lists that SCOWL's folder and the rule books give; raises Missing and BadSource.

    Without one of its lists the reference would lose words unnoticed, so every list of words is asked for.
    """
    for region in sorted(REGIONS):
        files(scowl / f"{region}-words.{REFERENCE_SIZE}")
    return classify_scowl_words(read_scowl_words(scowl), [*TWOS_101, *DISALLOWED_THREES])


def classify_scowl_words(scowl_words: Iterable[ScowlWord], published: Iterable[str]) -> PublicLists:
    """Sort the words of SCOWL by their lists.

    SCOWL files many two- and three-letter words as abbreviations, so the reference includes those that the rule books
    publish, and of two letters these alone (docs/dictionaries.md 2).
    """
    reference, symbols, american = set(published), set(), set[str]()
    bands: dict[str, int] = {}
    northern_bands: dict[str, int] = {}
    name_bands: dict[str, int] = {}
    for item in scowl_words:
        if (word := find_fold(item.word)) is None:
            continue
        if item.category == "words":
            bands[word] = min(item.size, bands.get(word, item.size))
            if not item.region.startswith("australian"):
                northern_bands[word] = min(item.size, northern_bands.get(word, item.size))
            if item.region in ("english", "american"):
                american.add(word)
            if item.region in REGIONS and item.size <= REFERENCE_SIZE and len(word) > 2:
                reference.add(word)
        elif item.category in _NAMES:
            name_bands[word] = min(item.size, name_bands.get(word, item.size))
        elif item.category in _SYMBOLS:
            symbols.add(word)
    common = {word for word, size in bands.items() if size <= REFERENCE_SIZE}
    names = frozenset(name_bands.keys() - common)
    symbols, variants = symbols - reference, frozenset(bands.keys() - american)
    return PublicLists(frozenset(reference), bands, names, frozenset(symbols), name_bands, northern_bands, variants)


def encode_word_list(words: Iterable[str]) -> bytes:
    """Return a public list as it is stored: a word a line, sorted."""
    return "".join(f"{word}\n" for word in sorted(words)).encode("ascii")


def digest_word_list(data: bytes) -> str:
    """Return the digest of a stored public list that an edition's header carries."""
    return hashlib.sha256(data).hexdigest()
