"""Passwords, for members who cannot have a passkey: hashed by Argon2id, and never without a code (RFC 6238).

A hash takes a tenth of a second and 64 MiB, so that each is computed in `turns.costly_check`.
"""

from __future__ import annotations

import hmac
import io
import unicodedata
from typing import Final

import pyotp
import segno
from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from ordws.console.accounts import Accounts, insert_incident
from ordws.console.credentials import find_password, use_code
from ordws.console.member_names import fold_member_name
from ordws.frame import devices

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


def find_fault(password: str) -> str | None:
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


def authenticate(
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
        count = devices.find_count(db, found.member, device_token)
        if now < count.locked_until:
            insert_incident(db, "locked", found.member, now)
            return None
        is_unchanged = stored is not None and stored.hash == found.hash
        if is_right and is_unchanged and step is not None and step > found.totp_step:
            use_code(db, found.member, step)
            return found.member
        devices.record_failure(db, found.member, count, now)
        insert_incident(db, "wrong-password", found.member, now)
        return None


def _normalize(password: str) -> str:
    """Return one spelling for texts that look alike, whatever keyboard they were typed on."""
    return unicodedata.normalize("NFKC", password)
