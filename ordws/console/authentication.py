"""The verification of passkeys (WebAuthn level 3), and of passwords, never without a code (RFC 6238).

Passwords are for members who cannot have a passkey. They are hashed by Argon2id, which takes a tenth of a second and
64 MiB, so that each hash is computed in `application.costly_check`.
"""

from __future__ import annotations

import hmac
import io
import os
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import pyotp
import segno
import webauthn
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
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

from ordws.console.accounts import Accounts, fold_member_name, insert_incident
from ordws.console.credentials import KnownPasskey, Passkey, find_passkey, find_password, use_code, use_passkey
from ordws.frame import sessions

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


def authenticate_by_passkey(
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


STEP_SECONDS: Final = 30
DECOY_SECRET: Final = pyotp.random_base32()
"""A secret that no account has, so that a code for an unknown name takes as long to check."""


def new_secret() -> str:
    return pyotp.random_base32()


def find_step(secret: str, code: str, now: int) -> int | None:
    """Return the time step of a code: the present one or, for slow clocks and fingers, a neighbour; None for none."""
    typed = "".join(code.split()).encode()
    totp = pyotp.TOTP(secret)
    newest = now // STEP_SECONDS + 1
    steps = (newest, newest - 1, newest - 2)
    return next((step for step in steps if hmac.compare_digest(totp.generate_otp(step).encode(), typed)), None)


def qr_code_svg(secret: str, name: str) -> bytes:
    """Return a QR code of the secret for an app, as SVG; its background is light in dark mode too, as scanners need."""
    address = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="ORDWS")
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, light="white", title="QR code")
    return drawn.getvalue()


def format_secret(secret: str) -> str:
    """Return a secret in groups of four letters, as people type it."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))


MIN_PASSWORD_LENGTH: Final = 12
MAX_PASSWORD_LENGTH: Final = 1_000

HASHER = PasswordHasher()
"""Argon2id with 64 MiB and three passes (RFC 9106 4, second recommendation)."""
DECOY = (
    "$argon2id$v=19$m=65536,t=3,p=4$ZXRJM/EU5Co9jOhVnqa7dg$U8a5RJVTyOA1uOfFbPForq5rFAyV6MPWgWu30Usunvw"  # of nothing
)
"""A hash that is checked where an account has none, so that the check takes as long."""


def find_password_fault(password: str) -> str | None:
    """Return why a text cannot be a password, or None; its length alone decides (NIST SP 800-63B 3.1.1)."""
    if len(password) < MIN_PASSWORD_LENGTH:
        return f"a password has at least {MIN_PASSWORD_LENGTH} characters"
    return f"a password has at most {MAX_PASSWORD_LENGTH} characters" if len(password) > MAX_PASSWORD_LENGTH else None


def hash_password(password: str) -> str:
    return HASHER.hash(_normalize(password))


def verify_password(stored_hash: str | None, password: str) -> bool:
    """Return whether a password has the stored hash; takes as long where nothing is stored."""
    try:
        # The rest of a huge password is cut off unread: it is too long for any account in either case.
        HASHER.verify(stored_hash or DECOY, _normalize(password[: MAX_PASSWORD_LENGTH + 1]))
    except VerifyMismatchError:
        return False
    return stored_hash is not None


def authenticate_by_password(
    accounts: Accounts, name: str, password: str, code: str, now: int, device_token: str = ""
) -> str | None:
    """Return the member whom a name, a password and a code identify, or None, which is recorded.

    Failures are counted against the device, if the member has signed in from it before, else against all others.
    Neither the reply nor its timing tells an unknown name, a locked account and a wrong secret apart.
    """
    folded = fold_member_name(name[:MAX_PASSWORD_LENGTH])
    with accounts.connection() as db:
        stored = find_password(db, folded)
    # Both secrets are checked in any case, so that the time does not tell which of them was wrong.
    is_right = verify_password(stored.hash if stored else None, password)
    step = find_step(stored.totp_secret if stored else DECOY_SECRET, code, now)
    # The attempt is counted in one transaction. The secrets were checked outside it, so the account is read again: of
    # many guesses at the same moment no more are tried than of as many in a row, and a code that was used meanwhile is
    # not good again.
    with accounts.transaction() as db:
        found = find_password(db, folded)
        if found is None:
            insert_incident(db, "wrong-password", None, now)
            return None
        count = sessions.find_count(db, found.member, device_token)
        if now < count.locked_until:
            insert_incident(db, "locked", found.member, now)
            return None
        is_unchanged = stored is not None and stored.hash == found.hash
        if is_right and is_unchanged and step is not None and step > found.totp_step:
            use_code(db, found.member, step)
            return found.member
        sessions.record_failure(db, found.member, count, now)
        insert_incident(db, "wrong-password", found.member, now)
        return None


def _normalize(password: str) -> str:
    """Return one spelling for texts that look alike, whatever keyboard they were typed on."""
    return unicodedata.normalize("NFKC", password)
