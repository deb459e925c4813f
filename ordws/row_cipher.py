"""The encryption of rows and of small records, under keys that are derived for one purpose each."""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.atomic_files import SECRET_MODE, write_new
from ordws.errors import Broken, Missing

KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


def open_key(path: Path, store: Path | None = None) -> bytes:
    """Return the key in a file, which is made, readable by its owner alone, where there is none yet.

    Raises Missing where the store that it opens is there without it, and Broken for a file with something else.
    """
    if not path.exists():
        if store is not None and store.exists():
            raise Missing(f'no key at "{path}"', hint="ordws restore, from a backup")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):  # another process may make the key at the same moment
            write_new(path, os.urandom(KEY_BYTES), SECRET_MODE)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise Broken(f'"{path}" is no key: it has {len(key)} bytes, not {KEY_BYTES}')
    return key


def derive_key(key: bytes, purpose: str) -> bytes:
    """Derive the key for one purpose from a key of an installation; raises Broken if that has another length."""
    if len(key) != KEY_BYTES:
        raise Broken(f"the key of sealed rows has {len(key)} bytes, {KEY_BYTES} were expected")
    return hmac.digest(key, f"ordws games: {purpose}".encode(), "sha256")


class RowCipher:
    """AES-256-GCM-SIV under a key for each subject, such as a game, with it and the row's number as associated data."""

    def __init__(self, key: bytes, purpose: str = "rows") -> None:
        self._key = derive_key(key, purpose)

    def encrypt(self, subject: str, number: int, plain: bytes) -> bytes:
        """Return the row as it is stored: a nonce, then the ciphertext."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher(subject).encrypt(nonce, plain, _associated_data(subject, number))

    def decrypt(self, subject: str, number: int, row: bytes) -> bytes:
        """Decrypt a row; raises Broken if it is damaged, or belongs to another subject, number or key."""
        try:
            return self._cipher(subject).decrypt(
                row[:_NONCE_BYTES], row[_NONCE_BYTES:], _associated_data(subject, number)
            )
        # All kinds of damage are one error, and its cause is not shown.
        except (InvalidTag, ValueError):
            raise Broken("a sealed row does not open under its key") from None

    def _cipher(self, subject: str) -> AESGCMSIV:
        return AESGCMSIV(hmac.digest(self._key, subject.encode(), "sha256"))


def _associated_data(subject: str, number: int) -> bytes:
    return f"{subject}/{number}".encode()
