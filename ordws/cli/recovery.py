"""The recovery key, and the encrypted form of a backup.

    recovery key    ordws_recovery_, then 32 random bytes and the first 4 of their SHA-256, in base32, lower case; the
                    bytes are an X25519 private key
    backup          ORDWB1 and a line feed, then HPKE (RFC 9180) to the public key, with X25519, HKDF-SHA256 and
                    AES-256-GCM; the first line is the `info` of HPKE

The public key is kept secret too: HPKE does not authenticate the sender, so anybody who has the public key could write
a backup that opens.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from ordws.errors import BadInput, Broken

MAGIC: Final = b"ORDWB1\n"
PREFIX: Final = "ordws_recovery_"
SECRET_LENGTH: Final = 32
_CHECKSUM_LENGTH: Final = 4
_SUITE: Final = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)


def write_recovery_key(secret: bytes) -> str:
    """Return the recovery key of these 32 bytes, in the form that is kept on paper."""
    return PREFIX + base64.b32encode(secret + _checksum(secret)).decode().rstrip("=").lower()


def read_recovery_key(text: str) -> X25519PrivateKey:
    """Read a recovery key, typed in either case and with any spaces; raise BadInput, which does not repeat it."""
    body = "".join(text.split()).lower().removeprefix(PREFIX)
    try:
        data = base64.b32decode(body.upper() + "=" * (-len(body) % 8))
    except ValueError:
        data = b""
    secret, check = data[:SECRET_LENGTH], data[SECRET_LENGTH:]
    if len(data) != SECRET_LENGTH + _CHECKSUM_LENGTH or _checksum(secret) != check:
        raise BadInput(
            "this is not a recovery key: its checksum does not match",
            hint=f"it begins with {PREFIX}; ordws init showed it",
        )
    return X25519PrivateKey.from_private_bytes(secret)


def derive_public_key(secret: bytes) -> bytes:
    """Return the public key, which is all that an installation keeps of its recovery key."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def encrypt(plain: bytes, public_key: bytes) -> bytes:
    """Encrypt a backup to a public key."""
    return MAGIC + _SUITE.encrypt(plain, X25519PublicKey.from_public_bytes(public_key), MAGIC)


def decrypt(data: bytes, key: X25519PrivateKey) -> bytes:
    """Decrypt a backup; raise BadInput if it is none, and Broken if the key is wrong or the bytes are damaged."""
    if not data.startswith(MAGIC):
        raise BadInput("this is not a backup of ordws, or it is of another version")
    try:
        return _SUITE.decrypt(data.removeprefix(MAGIC), key, MAGIC)
    except (InvalidTag, ValueError):
        raise Broken("the backup does not open: it is damaged, or it was made for another recovery key") from None


def _checksum(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()[:_CHECKSUM_LENGTH]
