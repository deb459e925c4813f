"""Client keys: a prefix, 256 random bits, and a checksum that tells a typing error from a key."""

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
    """The key that carries these 32 bytes; a test key asks a toy set and touches no live meter."""
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a key carries {SECRET_BYTES} bytes, not {len(secret)}")
    unchecked = (TEST_PREFIX if test else LIVE_PREFIX) + _base62(int.from_bytes(secret, "big"), _SECRET_LENGTH)
    return unchecked + _checksum(unchecked)


def is_key(text: str) -> bool:
    """Whether the prefix, the length and the checksum are those of a key; says nothing of who has it."""
    return (
        len(text) == _LENGTH
        and text.isascii()
        and text.startswith((LIVE_PREFIX, TEST_PREFIX))
        and _checksum(text[:-_CHECKSUM_LENGTH]) == text[-_CHECKSUM_LENGTH:]
    )


def _checksum(text: str) -> str:
    """Six digits of base 62, written two at a time: every question reads one."""
    number = zlib.crc32(text.encode("ascii"))
    return _PAIRS[number // 62**4] + _PAIRS[number // 62**2 % 62**2] + _PAIRS[number % 62**2]


def _base62(number: int, length: int) -> str:
    digits = ""
    while len(digits) < length:
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    return digits
