"""Short forms of longer headwords: contractions and initials."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_BETWEEN_WORDS: Final = re.compile(r"[ _-]")
_MAX_CLIP_LENGTH: Final = 3
"""A longer beginning of another word is mostly its base, as "courage" is of "courageousness"."""


def is_shortened(word: str, others: Iterable[str]) -> bool:
    """Whether one of the others, for the same sense, is the word in full: "rbi" of "run_batted_in"."""
    return any(len(other) >= 2 * len(word) and _is_short_form(word.lower(), other.lower()) for other in others)


def _is_short_form(short: str, long: str) -> bool:
    """Whether a short form is the initials of a long one, or leaves letters out of it and keeps their order."""
    parts = _BETWEEN_WORDS.split(long)
    if len(parts) > 1:
        return short == "".join(part[:1] for part in parts)
    if long.startswith(short):
        return len(short) <= _MAX_CLIP_LENGTH
    rest = iter(long)
    return short[0] == long[0] and all(letter in rest for letter in short)
