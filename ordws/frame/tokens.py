"""Tokens of links and cookies: a browser holds random bits, and the database only their digest."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_token() -> str:
    """Return 256 random bits as text that fits into a path and a cookie."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """Return the digest by which a token is recognised; a stolen database gives no token away."""
    return sha256(token.encode()).hexdigest()
