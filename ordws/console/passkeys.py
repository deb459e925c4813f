"""Passkeys: what a browser is asked, and what its answer proves. (WebAuthn level 3)"""

from __future__ import annotations

import hmac
import os
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import (
    base64url_to_bytes,
    bytes_to_base64url,
    options_to_json,
    parse_authentication_credential_json,
    parse_client_data_json,
    parse_registration_credential_json,
)
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ordws.console.accounts import Accounts, insert_incident
from ordws.console.credentials import Passkey
from ordws.curation.sqlcipher import Database

SIGN_IN_PURPOSE: Final = "sign-in"
"""What a challenge is for that any passkey may answer."""
TIMEOUT_SECONDS: Final = 300
"""How long a browser may take to answer, in seconds."""
_INVALID_ANSWER_ERRORS: Final = (WebAuthnException, ValueError, TypeError, KeyError, OverflowError)
"""What the library raises for answers that nobody's browser gives."""
_REQUIRED: Final = UserVerificationRequirement.REQUIRED
_TIME_BYTES: Final = 8
_RANDOM_BYTES: Final = 16


@dataclass(frozen=True)
class Site:
    """Where the console is reached; a passkey holds to it."""

    origin: str

    @property
    def rp_id(self) -> str:
        return urlsplit(self.origin).hostname or ""

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https:")


class WebauthnChallenges:
    """Challenges are signed, not stored, so that asking for them fills nothing; each is answered once."""

    def __init__(self) -> None:
        self._key, self._consumed, self._lock = os.urandom(32), dict[bytes, int](), threading.Lock()

    def issue(self, purpose: str, now: int) -> bytes:
        body = (now + TIMEOUT_SECONDS).to_bytes(_TIME_BYTES, "big") + os.urandom(_RANDOM_BYTES)
        return body + self._sign(purpose, body)

    def is_valid(self, challenge: bytes, purpose: str, now: int) -> bool:
        """Whether it was issued here, for this, and is not too old."""
        body, signature = challenge[: _TIME_BYTES + _RANDOM_BYTES], challenge[_TIME_BYTES + _RANDOM_BYTES :]
        return hmac.compare_digest(signature, self._sign(purpose, body)) and now < _expires_at(body)

    def consume(self, challenge: bytes, now: int) -> bool:
        """Whether this is the first good answer to it."""
        with self._lock:
            self._consumed = {each: end for each, end in self._consumed.items() if now < end}
            is_first = challenge not in self._consumed
            self._consumed[challenge] = _expires_at(challenge)
        return is_first

    def _sign(self, purpose: str, body: bytes) -> bytes:
        return hmac.digest(self._key, purpose.encode() + b"\0" + body, "sha256")


def authentication_options(site: Site, challenge: bytes) -> str:
    """What a browser is asked to sign in, as JSON: any passkey of this site, and proof that its owner is there."""
    return options_to_json(
        webauthn.generate_authentication_options(
            rp_id=site.rp_id, challenge=challenge, timeout=TIMEOUT_SECONDS * 1000, user_verification=_REQUIRED
        )
    )


def registration_options(site: Site, challenge: bytes, name: str, handle: str, exclude: Iterable[str]) -> str:
    """What a browser is asked to make a passkey, as JSON; not on a device that holds one of the known."""
    return options_to_json(
        webauthn.generate_registration_options(
            rp_id=site.rp_id,
            rp_name="ORDWS",
            user_name=name,
            user_id=bytes.fromhex(handle),
            challenge=challenge,
            timeout=TIMEOUT_SECONDS * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_REQUIRED
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=base64url_to_bytes(each)) for each in exclude],
        )
    )


def verify_registration(
    site: Site, challenges: WebauthnChallenges, purpose: str, answer: dict[str, Any], label: str, now: int
) -> Passkey | None:
    """The passkey that a browser made when it was asked, or None."""
    try:
        credential = parse_registration_credential_json(answer)
        challenge = _read_challenge(credential.response.client_data_json)
        if not challenges.is_valid(challenge, purpose, now):
            return None
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    except _INVALID_ANSWER_ERRORS:
        return None
    if not challenges.consume(challenge, now):
        return None
    key = bytes_to_base64url(made.credential_public_key)
    return Passkey(bytes_to_base64url(made.credential_id), key, made.sign_count, label)


def authenticate(
    accounts: Accounts, site: Site, challenges: WebauthnChallenges, answer: dict[str, Any], now: int
) -> str | None:
    """The member whom a passkey lets in, or None, which is recorded."""
    known = _find_passkey(accounts, answer.get("id"))
    uses = _verify_authentication(site, challenges, answer, known, now) if known else None
    with accounts.transaction() as db:
        if known is None or uses is None or not _update_sign_count(db, known, uses):
            insert_incident(db, "bad-passkey", known.member if known else None, now)
            return None
    return known.member


@dataclass(frozen=True)
class _StoredPasskey:
    id: str
    public_key: str
    sign_count: int
    member: str
    handle: str


def _find_passkey(accounts: Accounts, id: object) -> _StoredPasskey | None:
    with accounts.connection() as db:
        row = db.execute(
            "SELECT id, public_key, uses, member, handle FROM passkeys JOIN members ON member = name"
            " WHERE id = ? AND ended IS NULL",
            (id if isinstance(id, str) else "",),
        ).fetchone()
    return _StoredPasskey(*row) if row else None


def _verify_authentication(
    site: Site, challenges: WebauthnChallenges, answer: dict[str, Any], stored: _StoredPasskey, now: int
) -> int | None:
    """How often a passkey says it was used, where its answer is good; None where it is not."""
    try:
        credential = parse_authentication_credential_json(answer)
        challenge = _read_challenge(credential.response.client_data_json)
        if not challenges.is_valid(challenge, SIGN_IN_PURPOSE, now):
            return None
        used = webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.rp_id,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(stored.public_key),
            credential_current_sign_count=stored.sign_count,
            require_user_verification=True,
        )
    except _INVALID_ANSWER_ERRORS:
        return None
    is_his = credential.response.user_handle == bytes.fromhex(stored.handle)
    return used.new_sign_count if is_his and challenges.consume(challenge, now) else None


def _update_sign_count(db: Database, stored: _StoredPasskey, sign_count: int) -> bool:
    """Note that a passkey was used; false where it is gone, or a copy of it was used in the meantime."""
    sql = "UPDATE passkeys SET uses = ? WHERE id = ? AND member = ? AND uses = ?"
    return db.execute(sql, (sign_count, stored.id, stored.member, stored.sign_count)).rowcount == 1


def _read_challenge(client_data: bytes) -> bytes:
    """The challenge that an answer answers; raises ValueError for one from inside a foreign page."""
    read = parse_client_data_json(client_data)
    if read.cross_origin:
        raise ValueError("the answer was made inside another site's page")
    return read.challenge


def _expires_at(challenge: bytes) -> int:
    return int.from_bytes(challenge[:_TIME_BYTES], "big")
