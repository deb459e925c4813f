"""Tokens of links and cookies, and codes that people type: whoever has one is known by it, and the file by a digest."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from typing import Final

CODE_LENGTH: Final = 12
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: I, L, O and U are misread
_MISREAD: Final = str.maketrans("ILO", "110")


def new_token() -> str:
    """Return 256 random bits as text that fits into a path and a cookie."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest by which a token is recognised; a stolen database gives no token away."""
    return sha256(token.encode()).hexdigest()


def new_code(draw: Callable[[int], int] = secrets.randbelow) -> str:
    """Return a code of 60 bits as XXXX-XXXX-XXXX; `draw(n)` returns a random number below n."""
    return _in_groups("".join([_ALPHABET[draw(len(_ALPHABET))] for _ in range(CODE_LENGTH)]))


def read_code(text: str) -> str | None:
    """Return a code as it was drawn, however it was typed; None for what can be no code."""
    letters = "".join([letter for letter in text.upper() if letter.isalnum()]).translate(_MISREAD)
    return _in_groups(letters) if len(letters) == CODE_LENGTH and not set(letters) - set(_ALPHABET) else None


def _in_groups(letters: str) -> str:
    return "-".join([letters[start : start + 4] for start in range(0, CODE_LENGTH, 4)])
