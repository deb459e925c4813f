"""The key of a desk, and what follows from it: its link, its cookies, and how entry codes are kept.

An entry code is 60 random bits as `XXXX-XXXX-XXXX`. The event keeps only a digest under this key, so that a stolen file
gives no code away.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.errors import BadInput
from ordws.tournament.state import TournamentState

CODE_LETTERS: Final = 12
_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: I, L, O and U are misread
_MISREAD: Final = str.maketrans("ILO", "110")
_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12


class DeskKey:
    """The secret of a desk, from which its other secrets are derived."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    @classmethod
    def open(cls, path: Path) -> DeskKey:
        """Return the key in a file, which is made, readable by its owner alone, where there is none yet."""
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(path, os.urandom(_KEY_BYTES), SECRET_MODE)
        secret = path.read_bytes()
        if len(secret) != _KEY_BYTES:
            hint = "remove it: a new one ends all sessions and entry codes"
            raise BadInput(f'"{path}" is no key of a desk', hint=hint)
        return cls(secret)

    @property
    def cookie_scope(self) -> str:
        """The scope in which cookies of a desk with this key are good: another key ends all sessions."""
        return self._derive("cookies").hex()

    @property
    def director_key(self) -> str:
        """The secret in the link with which directors open a desk on a laptop; it stays the same after a restart."""
        return self._derive("director").hex()[:32]

    def is_director_key(self, text: str) -> bool:
        return hmac.compare_digest(text.strip().encode(), self.director_key.encode())

    def seal(self, text: str) -> str:
        """Return a text as a browser may keep it: encrypted, so that this key alone opens it."""
        nonce = os.urandom(_NONCE_BYTES)
        return urlsafe_b64encode(nonce + self._cipher.encrypt(nonce, text.encode(), None)).decode()

    def unseal(self, sealed: str) -> str | None:
        """Return the text that this key has sealed; None for anything else."""
        try:
            raw = urlsafe_b64decode(sealed)
            return self._cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], None).decode()
        except (InvalidTag, ValueError):
            return None

    def code_digest(self, event: TournamentState, code: str) -> str:
        """Return the digest of an entry code as an event keeps it; a code is good for one event."""
        return self._derive(f"entry code {event.event.seed} {read_code(code)}").hex()

    def find_entrant(self, event: TournamentState, code: str) -> int | None:
        """Return the number of the entrant whose code this is; None where it is nobody's."""
        digest = self.code_digest(event, code)
        return next((each.number for each in event.entrants.values() if each.code_digest == digest), None)

    @property
    def _cipher(self) -> AESGCMSIV:
        return AESGCMSIV(self._derive("sealed texts"))

    def _derive(self, purpose: str) -> bytes:
        return hmac.digest(self._secret, purpose.encode(), sha256)


def new_code() -> str:
    """Return a random entry code."""
    letters = [secrets.choice(_ALPHABET) for _ in range(CODE_LETTERS)]
    return "-".join("".join(letters[at : at + 4]) for at in range(0, CODE_LETTERS, 4))


def read_code(text: str) -> str:
    """Return the letters of a code however it was typed: in any case, with signs between, or misread."""
    return re.sub(r"[^0-9A-Z]", "", text.upper()).translate(_MISREAD)
