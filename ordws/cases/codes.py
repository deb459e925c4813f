"""The codes with which players read and answer their cases: 60 bits, as people type them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

CODE_LENGTH: Final = 12
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: I, L, O and U are misread
_MISREAD: Final = str.maketrans("ILO", "110")


def draw_code(draw: Callable[[int], int]) -> str:
    """Return a new code as XXXX-XXXX-XXXX; `draw(n)` returns a random number below n."""
    letters = [_ALPHABET[draw(len(_ALPHABET))] for _ in range(CODE_LENGTH)]
    return "-".join(["".join(letters[start : start + 4]) for start in range(0, CODE_LENGTH, 4)])


def read_code(text: str) -> str | None:
    """Return a code as it was drawn, however it was typed; None for what can be no code."""
    letters = "".join([letter for letter in text.upper() if letter.isalnum()]).translate(_MISREAD)
    if len(letters) != CODE_LENGTH or set(letters) - set(_ALPHABET):
        return None
    return "-".join([letters[start : start + 4] for start in range(0, CODE_LENGTH, 4)])
