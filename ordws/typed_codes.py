"""Codes that people type: twelve letters and digits in three groups, read however they were typed."""

from __future__ import annotations

from typing import Final

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: I, L, O and U are misread
_MISREAD: Final = str.maketrans("ILO", "110")
_LENGTH: Final = 12
CODES: Final = len(_ALPHABET) ** _LENGTH
"""The number of all codes (1.15e18)."""


def write_code(number: int) -> str:
    """Return the code of a number as XXXX-XXXX-XXXX; of a number that is not below `CODES` the lowest 60 bits count."""
    return _in_groups("".join([_ALPHABET[number >> 5 * place & 31] for place in range(_LENGTH)]))


def read_code(text: str) -> str | None:
    """Return a code as it was written, however it was typed; None for what can be no code."""
    letters = "".join([letter for letter in text.upper() if letter.isalnum()]).translate(_MISREAD)
    return _in_groups(letters) if len(letters) == _LENGTH and not set(letters) - set(_ALPHABET) else None


def _in_groups(letters: str) -> str:
    return "-".join([letters[start : start + 4] for start in range(0, _LENGTH, 4)])
