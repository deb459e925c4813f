"""Client keys: a prefix, 256 random bits, and a checksum that catches typing errors."""

from __future__ import annotations

import zlib
from typing import Final

LIVE_PREFIX: Final = "ordws_live_"
TEST_PREFIX: Final = "ordws_test_"
_DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PAIRS: Final = tuple(high + low for high in _DIGITS for low in _DIGITS)
SECRET_BYTES: Final = 32
_SECRET_LENGTH: Final = 43  # 62 ** 43 > 2 ** 256
_CHECKSUM_LENGTH: Final = 6  # 62 ** 6 > 2 ** 32
_LENGTH: Final = len(LIVE_PREFIX) + _SECRET_LENGTH + _CHECKSUM_LENGTH


def write_key(secret: bytes, *, test: bool = False) -> str:
    """Write 32 secret bytes as a key; a test key is for the toy word set and touches no live meter."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a key carries {SECRET_BYTES} bytes, not {len(secret)}")
    number, digits = int.from_bytes(secret, "big"), ""
    while len(digits) < _SECRET_LENGTH:
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    unchecked = (TEST_PREFIX if test else LIVE_PREFIX) + digits
    return unchecked + _checksum(unchecked)


def is_key(text: str) -> bool:
    """Return True where the prefix, the length and the checksum are those of a key, registered or not."""
    return (
        len(text) == _LENGTH
        and text.isascii()
        and text.startswith((LIVE_PREFIX, TEST_PREFIX))
        and _checksum(text[:-_CHECKSUM_LENGTH]) == text[-_CHECKSUM_LENGTH:]
    )


def _checksum(text: str) -> str:
    """Return the CRC-32 of a text as six digits of base 62."""
    number = zlib.crc32(text.encode("ascii"))
    # Two digits at a time, from a table: a request with a key that is not cached computes it.
    return _PAIRS[number // 62**4] + _PAIRS[number // 62**2 % 62**2] + _PAIRS[number % 62**2]
