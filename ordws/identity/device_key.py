"""The public key of a paired device, by which what the device did without a connection can be told from inventions.

The device makes the pair of keys itself, with WebCrypto, and no script can read the private one. Keys are ECDSA over
P-256 with SHA-256; a signature is the 64 bytes that WebCrypto gives, r and then s.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error as NotBase64
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from ordws.errors import BadInput

_SIZE: Final = 32
_UNCOMPRESSED: Final = b"\x04"
_ALGORITHM: Final = ECDSA(SHA256())


class DeviceKey:
    """A public key of P-256, read from the 65 bytes of its uncompressed point."""

    def __init__(self, point: bytes) -> None:
        self._key = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), point)

    def has_signed(self, text: str, signature: str) -> bool:
        """Return whether a signature, 64 bytes in base64url, is that of a text under this key."""
        raw = _read_bytes(signature, 2 * _SIZE)
        if raw is None:
            return False
        r, s = int.from_bytes(raw[:_SIZE], "big"), int.from_bytes(raw[_SIZE:], "big")
        try:
            self._key.verify(encode_dss_signature(r, s), text.encode(), _ALGORITHM)
        except InvalidSignature:
            return False
        return True


def read_point(x: str, y: str) -> bytes:
    """Return the point of the coordinates of a JSON Web Key, in base64url; raises BadInput for none of P-256."""
    parts = [_read_bytes(text, _SIZE) for text in (x, y)]
    point = b"".join([_UNCOMPRESSED, *(part for part in parts if part is not None)])
    try:
        DeviceKey(point)
    except ValueError as err:
        raise BadInput("the coordinates are not those of a point of P-256") from err
    return point


def _read_bytes(text: str, size: int) -> bytes | None:
    """Return so many bytes from base64url without padding; None for any other text."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4)) if text.isascii() else b""
    except (NotBase64, ValueError):
        return None
    return raw if len(raw) == size else None
