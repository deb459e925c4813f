"""The lease of a card by a curator; its id is authenticated and holds all of it, so that it survives a crash. Pure.

An id reads `1795262400.17.1.REVOTE.9f2c...`: the time at which the card was dealt, its position among the curator's
cards, the round, the family, and a MAC over these, the curator's name and the card's purpose. Without the key the
purpose cannot be read off the id: a check looks like any other card.
"""

from __future__ import annotations

import hmac
import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Purpose: TypeAlias = Literal["vote", "repeat", "known"]
"""The purpose of a card: a vote; a repeat of a card that the curator has voted on; a known item that others decided."""

_PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
_MAC_BYTES: Final = 16
_ID: Final = re.compile(
    rf"([0-9]{{1,12}})\.([0-9]{{1,9}})\.([0-9]{{1,9}})\.([A-Z]{{2,21}})\.[0-9a-f]{{{2 * _MAC_BYTES}}}"
)


class Lease(NamedTuple):
    """A card that a curator holds."""

    id: str
    base: str
    round: int
    purpose: Purpose
    dealt_at: int
    """In seconds since 1970."""
    expires_at: int = 0
    """The time from which others may have the card, in seconds since 1970."""


def keyed_hash(key: bytes, *texts: str) -> bytes:
    """Return a keyed hash of texts, 32 bytes, which nobody without the key can predict."""
    # The separator keeps two lists of texts with the same letters apart; no name or word holds a zero byte.
    return hmac.digest(key, "\0".join(texts).encode(), "sha256")


def write_lease_id(key: bytes, curator: str, lease: Lease, position: int) -> str:
    """Return the id of a lease that is the curator's card of this position."""
    payload = f"{lease.dealt_at}.{position}.{lease.round}.{lease.base}"
    return f"{payload}.{_mac(key, payload, curator, lease.purpose)}"


def read_lease_id(key: bytes, curator: str, id: str) -> Lease | None:
    """Return the lease of an id; None if the id was not made for this curator with this key."""
    match = _ID.fullmatch(id)
    if match is None:
        return None
    payload, _, mac = id.rpartition(".")
    # The purpose stands nowhere in the id: it is the one whose MAC fits.
    fitting = [each for each in _PURPOSES if hmac.compare_digest(_mac(key, payload, curator, each), mac)]
    return Lease(id, match[4], int(match[3]), fitting[0], int(match[1])) if fitting else None


def _mac(key: bytes, payload: str, curator: str, purpose: Purpose) -> str:
    return keyed_hash(key, "lease", payload, curator, purpose)[:_MAC_BYTES].hex()
