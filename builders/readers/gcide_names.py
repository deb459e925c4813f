"""Which headwords of GCIDE its own text suggests to be names, as case in a headword says nothing. (SOURCES 1c)"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

_NOT_PROSE: Final = re.compile(r"\[[^\[\]]*\]|\{[^{}]*\}|--\s*[A-Z][^\n]*")
_LETTERS: Final = bytes(byte if chr(byte).isalpha() and byte < 128 else 32 for byte in range(256))
_IN_A_SENTENCE: Final = re.compile(r"[a-z,;] ([A-Z][a-z]+)")
_NAME_GLOSS: Final = re.compile(
    r".{0,30}?\b(?:[Gg]enus of\b"
    r"|(?:[Nn]atives?|[Ii]nhabitants?|[Pp]ertaining|[Rr]elating)\b[a-z ,]{0,40}?\b(?:of|in|to) (?:the )?[A-Z])"
)


class WordUsage(NamedTuple):
    """The words of a text as they are written, and how often each has a capital inside a sentence."""

    spellings: set[bytes]
    capitalised: Counter[str]


def collect_word_usage(texts: Iterable[str]) -> WordUsage:
    """The uses in running text: heads, brackets, cross references and names of authors are no part of it."""
    uses = WordUsage(set(), Counter())
    for text in texts:
        prose = _NOT_PROSE.sub(" ", text.rpartition("\\")[2])
        uses.spellings.update(prose.encode("ascii", "replace").translate(_LETTERS).split())
        uses.capitalised.update(_IN_A_SENTENCE.findall(prose))
    return uses


def looks_like_name(word: str, gloss: str, usage: WordUsage) -> bool:
    """Whether a capitalised headword is never written small, and is written or explained as names are."""
    if word.islower() or word.lower().encode() in usage.spellings:
        return False
    return usage.capitalised[word] >= 2 or bool(_NAME_GLOSS.match(gloss))
