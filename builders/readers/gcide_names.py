"""Which headwords of GCIDE its own text suggests to be names, as case in a headword says nothing. (SOURCES 1c)"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

_NOT_PROSE: Final = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|--\s*[A-Z][^\n]*")
_LETTERS: Final = bytes(byte if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256))
_IN_A_SENTENCE: Final = re.compile(r"[a-z,;] ([A-Z][a-z]+)")
_OF_A_NAME: Final = re.compile(
    r".{0,30}?\b(?:[Gg]enus of\b"
    r"|(?:[Nn]atives?|[Ii]nhabitants?|[Pp]ertaining|[Rr]elating)\b[a-z ,]{0,40}?\b(?:of|in|to) (?:the )?[A-Z])"
)


class Uses(NamedTuple):
    """The words of a text as they are written, and how often each has a capital inside a sentence."""

    written: set[bytes]
    capital: Counter[str]


def read_uses(texts: Iterable[str]) -> Uses:
    """The uses in running text: heads, brackets, cross references and names of authors are no part of it."""
    uses = Uses(set(), Counter())
    for text in texts:
        prose = _NOT_PROSE.sub(" ", text.rpartition("\\")[2])
        uses.written.update(prose.encode("ascii", "replace").translate(_LETTERS).split())
        uses.capital.update(_IN_A_SENTENCE.findall(prose))
    return uses


def is_like_a_name(word: str, gloss: str, uses: Uses) -> bool:
    """Whether a capitalised headword is never written small, and is written or explained as names are."""
    if word.islower() or word.lower().encode() in uses.written:
        return False
    return uses.capital[word] >= 2 or bool(_OF_A_NAME.match(gloss))
