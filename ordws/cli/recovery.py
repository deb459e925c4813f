"""The recovery key, and the envelope that only it opens.

    ordws_recovery_     then 32 random bytes and the first 4 of their SHA-256, in base32, lower case: an X25519 key
    ORDWB1 line feed    then HPKE (RFC 9180) to its public half: X25519, HKDF-SHA256, AES-256-GCM; the magic is `info`

The public half is kept as secret as a key: HPKE does not say who encrypted, so that whoever has it could write a
backup that opens.
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
    """The recovery key that carries these 32 bytes, as it is kept on paper."""
    return PREFIX + base64.b32encode(secret + _checksum(secret)).decode().rstrip("=").lower()


def read_recovery_key(text: str) -> X25519PrivateKey:
    """The key that was typed, in either case and with any spaces; raises BadInput, which does not repeat it."""
    body = "".join(text.split()).lower().removeprefix(PREFIX)
    try:
        data = base64.b32decode(body.upper() + "=" * (-len(body) % 8))
    except ValueError:
        data = b""
    secret, check = data[:SECRET_LENGTH], data[SECRET_LENGTH:]
    if len(data) != SECRET_LENGTH + _CHECKSUM_LENGTH or _checksum(secret) != check:
        raise BadInput(
            "this is not a recovery key: its checksum does not match", hint=f"it begins {PREFIX}; ordws init showed it"
        )
    return X25519PrivateKey.from_private_bytes(secret)


def derive_public_key(secret: bytes) -> bytes:
    """What an installation keeps of its recovery key."""
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def encrypt(plain: bytes, public_key: bytes) -> bytes:
    """An envelope that the other half of the key opens."""
    return MAGIC + _SUITE.encrypt(plain, X25519PublicKey.from_public_bytes(public_key), MAGIC)


def decrypt(data: bytes, key: X25519PrivateKey) -> bytes:
    """What an envelope holds; raises Broken, whether the key is another or the bytes are damaged."""
    if not data.startswith(MAGIC):
        raise BadInput("this is not a backup of ordws, or one of another version")
    try:
        return _SUITE.decrypt(data.removeprefix(MAGIC), key, MAGIC)
    except (InvalidTag, ValueError):
        raise Broken("the backup does not open: it is damaged, or it was made for another recovery key") from None


def _checksum(secret: bytes) -> bytes:
    return hashlib.sha256(secret).digest()[:_CHECKSUM_LENGTH]
