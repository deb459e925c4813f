"""The rows of sealed games: append-only, sealed, each bound to its game and its number. (GUARD, decision 11)"""

from __future__ import annotations

import hmac
import os
from typing import Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.errors import Broken

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class GameStore(Protocol):
    """Where rows stand. Each verb is atomic and exact across threads, processes and hosts, or raises StoreDown.

    What `open` and `append` have returned from is not lost any more.
    """

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0; the id was never given before."""

    def append(self, game: str, number: int, row: bytes) -> bytes:
        """The row that stands under a number: this one, or the one that came first.

        Raises StoreDown where the row before it is not there, as when the game was swept meanwhile.
        """

    def rows(self, game: str, now: int) -> list[bytes]:
        """All rows of a game, its header first; none where it is unknown or has expired."""

    def editions(self, now: int) -> frozenset[int]:
        """The editions that games began with which have not expired."""

    def sweep(self, now: int) -> int:
        """Forget games that expired an hour ago, since other hosts may have slower clocks; returns how many."""

    def close(self) -> None:
        """Let go of what is held open."""


def derive_key(key: bytes, purpose: str) -> bytes:
    """The key for one purpose, from the games key; raises Broken where that is none."""
    if len(key) != KEY_BYTES:
        raise Broken(f"the games key has {len(key)} bytes, {KEY_BYTES} were expected")
    return hmac.digest(key, f"ordws games: {purpose}".encode(), "sha256")


class RowCipher:
    """Seals rows: AES-256-GCM-SIV under a key of each game's own, with the game and the number as associated data."""

    def __init__(self, key: bytes) -> None:
        self._key = derive_key(key, "rows")

    def encrypt(self, game: str, number: int, plain: bytes) -> bytes:
        """The row as it is kept."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher(game).encrypt(nonce, plain, _associated_data(game, number))

    def decrypt(self, game: str, number: int, row: bytes) -> bytes:
        """What a row holds; raises Broken where it is damaged, or a row of another game, number or key."""
        try:
            return self._cipher(game).decrypt(row[:_NONCE_BYTES], row[_NONCE_BYTES:], _associated_data(game, number))
        except (InvalidTag, ValueError):
            raise Broken("a row of a sealed game does not open under the games key") from None

    def _cipher(self, game: str) -> AESGCMSIV:
        return AESGCMSIV(hmac.digest(self._key, game.encode(), "sha256"))


def _associated_data(game: str, number: int) -> bytes:
    return f"{game}/{number}".encode()
