"""One-time links and cookies: what a browser holds is random, what the database holds is its digest."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_token() -> str:
    """256 random bits that can stand in a path and in a cookie."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is kept of a token: enough to know it again, nothing to use it by."""
    return sha256(token.encode()).hexdigest()
