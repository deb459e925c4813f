"""Passkeys: the options that a browser gets, and the verification of its answer (WebAuthn level 3)."""

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
from ordws.console.credentials import KnownPasskey, Passkey, find_passkey, use_passkey

SIGN_IN_PURPOSE: Final = "sign-in"
"""The purpose of a challenge that any passkey may answer."""
TIMEOUT_SECONDS: Final = 300
"""The time that a browser has to answer a challenge."""
_INVALID_ANSWER_ERRORS: Final = (WebAuthnException, ValueError, TypeError, KeyError, OverflowError)
"""The errors that the library raises for answers that no browser gives."""
_REQUIRED: Final = UserVerificationRequirement.REQUIRED
_TIME_BYTES: Final = 8
_RANDOM_BYTES: Final = 16


@dataclass(frozen=True)
class Site:
    """The origin at which browsers reach the console; a passkey is bound to it."""

    origin: str

    @property
    def rp_id(self) -> str:
        return urlsplit(self.origin).hostname or ""

    @property
    def is_secure(self) -> bool:
        return self.origin.startswith("https:")


class WebauthnChallenges:
    """The issuer of challenges, which accepts one answer to each.

    They are signed and not stored, so that a flood of requests for them fills no memory.
    """

    def __init__(self) -> None:
        self._key, self._lock = os.urandom(32), threading.Lock()
        self._consumed: dict[bytes, int] = {}
        """The answered challenges, each with the time at which it would be too old anyway."""

    def issue(self, purpose: str, now: int) -> bytes:
        body = (now + TIMEOUT_SECONDS).to_bytes(_TIME_BYTES, "big") + os.urandom(_RANDOM_BYTES)
        return body + self._sign(purpose, body)

    def is_valid(self, challenge: bytes, purpose: str, now: int) -> bool:
        """Return whether a challenge was issued here for this purpose and is not too old."""
        body, signature = challenge[: _TIME_BYTES + _RANDOM_BYTES], challenge[_TIME_BYTES + _RANDOM_BYTES :]
        return hmac.compare_digest(signature, self._sign(purpose, body)) and now < _expires_at(body)

    def consume(self, challenge: bytes, now: int) -> bool:
        """Return whether this is the first good answer to a challenge; later ones are replays."""
        with self._lock:
            # Challenges that are too old are not valid anyway, so they can be forgotten.
            self._consumed = {each: end for each, end in self._consumed.items() if now < end}
            is_first = challenge not in self._consumed
            self._consumed[challenge] = _expires_at(challenge)
        return is_first

    def _sign(self, purpose: str, body: bytes) -> bytes:
        # The zero byte separates the two, so that no other purpose and body sign alike.
        return hmac.digest(self._key, purpose.encode() + b"\0" + body, "sha256")


def authentication_options(site: Site, challenge: bytes) -> str:
    """Return the options of a sign-in as JSON: any passkey of this site, with its owner verified."""
    return options_to_json(
        webauthn.generate_authentication_options(
            rp_id=site.rp_id, challenge=challenge, timeout=TIMEOUT_SECONDS * 1000, user_verification=_REQUIRED
        )
    )


def registration_options(site: Site, challenge: bytes, name: str, handle: str, exclude: Iterable[str]) -> str:
    """Return the options for making a passkey as JSON; a device that holds an excluded one makes none."""
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
    """Return the passkey that a browser made for a challenge of this purpose, or None where its answer is not good."""
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
    # A good answer alone uses a challenge up; a bad one must not spoil it for an honest browser.
    if not challenges.consume(challenge, now):
        return None
    key = bytes_to_base64url(made.credential_public_key)
    return Passkey(bytes_to_base64url(made.credential_id), key, made.sign_count, label)


def authenticate(
    accounts: Accounts, site: Site, challenges: WebauthnChallenges, answer: dict[str, Any], now: int
) -> str | None:
    """Return the member whom a passkey identifies, or None where its answer is not good, which is recorded."""
    id = answer.get("id")
    stored = find_passkey(accounts, id) if isinstance(id, str) else None
    sign_count = _verify_authentication(site, challenges, answer, stored, now) if stored else None
    with accounts.transaction() as db:
        if stored is not None and sign_count is not None and use_passkey(db, stored, sign_count):
            return stored.member
        insert_incident(db, "bad-passkey", stored.member if stored else None, now)
    return None


def _verify_authentication(
    site: Site, challenges: WebauthnChallenges, answer: dict[str, Any], stored: KnownPasskey, now: int
) -> int | None:
    """Return the passkey's own count of its uses where its answer is good, or None.

    The library refuses a count that is not above the stored one, for a copy of the passkey would send that; 0 comes
    from a passkey that does not count.
    """
    try:
        credential = parse_authentication_credential_json(answer)
        challenge = _read_challenge(credential.response.client_data_json)
        if not challenges.is_valid(challenge, SIGN_IN_PURPOSE, now):
            return None
        verified = webauthn.verify_authentication_response(
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
    is_members = credential.response.user_handle == bytes.fromhex(stored.handle)
    return verified.new_sign_count if is_members and challenges.consume(challenge, now) else None


def _read_challenge(client_data: bytes) -> bytes:
    """Return the challenge that an answer is for; raises ValueError where it was made inside another site's page."""
    parsed = parse_client_data_json(client_data)
    if parsed.cross_origin:
        raise ValueError("the answer was made inside another site's page")
    return parsed.challenge


def _expires_at(challenge: bytes) -> int:
    return int.from_bytes(challenge[:_TIME_BYTES], "big")
