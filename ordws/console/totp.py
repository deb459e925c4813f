"""The second factor beside a password: codes of six digits from an app, each used once. (RFC 6238)"""

from __future__ import annotations

import hmac
import io
from typing import Final

import pyotp
import segno

STEP_SECONDS: Final = 30
DECOY: Final = pyotp.random_base32()
"""The secret of nobody."""


def new_secret() -> str:
    return pyotp.random_base32()


def find_step(secret: str, code: str, now: int) -> int | None:
    """The time step that a code is of: this one or, for slow clocks and fingers, one beside it; None for none."""
    given = "".join(code.split()).encode()
    totp = pyotp.TOTP(secret)
    newest = now // STEP_SECONDS + 1
    steps = (newest, newest - 1, newest - 2)
    return next((step for step in steps if hmac.compare_digest(totp.generate_otp(step).encode(), given)), None)


def qr_code_svg(secret: str, name: str) -> bytes:
    """A QR code for the app, as SVG, light behind it in the dark as well."""
    address = pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name="ORDWS")
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", scale=4, light="white", title="QR code")
    return drawn.getvalue()


def format_secret(secret: str) -> str:
    """A secret as people type it."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
