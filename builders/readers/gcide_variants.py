"""Other spellings of a GCIDE headword: "[Written also {honour}.]". A variant is in a dictionary too. (RULES A-37)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from builders.readers.terms import is_word

_VARIANT_BRACKET: Final = re.compile(
    r"\[(?:(?:[Ww]ritten|[Ss]pelled|[Ss]pelt)\s+also|Also\s+(?:written|spelled|spelt))\s([^][()]{2,120}?)[.,;]*\]"
)
_VARIANT_SEPARATOR: Final = re.compile(r"[\s,.;]+(?:or|and|also)\s+|[,;]\s*")


def read_variants(text: str) -> Iterator[str]:
    """The spellings that an entry gives beside its own, as printed."""
    for bracket in _VARIANT_BRACKET.finditer(text):
        for spelling in _VARIANT_SEPARATOR.split(" ".join(bracket[1].split())):
            variant = spelling.strip("{}. ")
            if is_word(variant) and variant != "etc":
                yield variant
