"""Time-based codes of six digits, each used once: the second factor beside a password (RFC 6238)."""

from __future__ import annotations

import hmac
import io
from typing import Final

import pyotp
import segno

STEP_SECONDS: Final = 30
DECOY: Final = pyotp.random_base32()
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
