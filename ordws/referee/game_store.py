"""The rows of sealed games: append-only, encrypted, each bound to its game and number (docs/guard.md Decision 11)."""

from __future__ import annotations

import hmac
import os
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.errors import Broken
from ordws.referee.stores.news import SeatHandover

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class GameStore(Protocol):
    """A store of rows. Each method is atomic and exact across threads, processes and hosts, or raises StoreDown.

    A row that `open` or `append` has returned from is durable.
    """

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0. The id must be new."""

    def append(self, game: str, number: int, row: bytes, taken: SeatHandover | None = None) -> bytes:
        """Append a row unless its number is taken, and return the row that now has the number.

        `taken` is the seat that the row gives to another browser; the store tells its news without the games key.
        Raises StoreDown if the row before it is not there, as when the game was swept meanwhile.
        """

    def rows(self, game: str, now: int) -> list[bytes]:
        """Return all rows of a game, its header first; none if it is unknown or has expired."""

    def expired(self, now: int) -> list[str]:
        """Return the games that the next sweep deletes; `rows` has them for a moment before their end."""

    def editions(self, now: int) -> frozenset[int]:
        """Return the numbers of the editions of all games that have not expired."""

    def sweep(self, now: int) -> int:
        """Delete games that expired an hour ago and return their number; other hosts may have slower clocks."""

    def close(self) -> None:
        """Close the connections or files; the next call opens them again."""


def derive_key(key: bytes, purpose: str) -> bytes:
    """Derive the key for one purpose from the games key; raises Broken if that has another length."""
    if len(key) != KEY_BYTES:
        raise Broken(f"the games key has {len(key)} bytes, {KEY_BYTES} were expected")
    return hmac.digest(key, f"ordws games: {purpose}".encode(), "sha256")


class RowCipher:
    """AES-256-GCM-SIV under a key for each game, with the game and the row's number as associated data."""

    def __init__(self, key: bytes, purpose: str = "rows") -> None:
        self._key = derive_key(key, purpose)

    def encrypt(self, game: str, number: int, plain: bytes) -> bytes:
        """Return the row as it is stored: a nonce, then the ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher(game).encrypt(nonce, plain, _associated_data(game, number))

    def decrypt(self, game: str, number: int, row: bytes) -> bytes:
        """Decrypt a row; raises Broken if it is damaged, or belongs to another game, number or key."""
        try:
            return self._cipher(game).decrypt(row[:_NONCE_BYTES], row[_NONCE_BYTES:], _associated_data(game, number))
        # All kinds of damage are one error, and its cause is not shown.
        except (InvalidTag, ValueError):
            raise Broken("a row of a sealed game does not open under the games key") from None

    def _cipher(self, game: str) -> AESGCMSIV:
        return AESGCMSIV(hmac.digest(self._key, game.encode(), "sha256"))


def _associated_data(game: str, number: int) -> bytes:
    return f"{game}/{number}".encode()
