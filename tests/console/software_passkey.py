"""An authenticator in software, which can also give answers that no honest one gives."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from typing import Any

from console_installation import HOST
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class SoftwarePasskey:
    """One credential, whose fields a test may set to false values."""

    origin: str = HOST
    rp_id: str = "localhost"
    flags: int = PRESENT | VERIFIED
    count: int = 0
    id: bytes = field(default_factory=lambda: os.urandom(32))
    handle: bytes = b""

    def __post_init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer the options of a registration."""
        self.handle = base64url_to_bytes(asked["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + encode_cbor(public)
        made = {"fmt": "none", "attStmt": {}, "authData": self._data(ATTESTED) + attested}
        client = self._client("webauthn.create", asked["challenge"])
        return self._answer(clientDataJSON=client, attestationObject=encode_cbor(made))

    def use(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Answer the options of a sign-in."""
        data, client = self._data(0), self._client("webauthn.get", asked["challenge"])
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature, userHandle=self.handle)

    def _data(self, more: int) -> bytes:
        return hashlib.sha256(self.rp_id.encode()).digest() + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _client(self, type: str, challenge: str) -> bytes:
        return json.dumps({"type": type, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def _answer(self, **response: bytes) -> dict[str, Any]:
        id = bytes_to_base64url(self.id)
        written = {name: bytes_to_base64url(value) for name, value in response.items()}
        return {"id": id, "rawId": id, "type": "public-key", "response": written}
