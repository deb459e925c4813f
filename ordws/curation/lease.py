"""The right of a curator to vote on a family: its id says all of it to whoever has the key, and survives a crash. Pure.

An id reads `1795262400.17.1.REVOTE.9f2c...`: when it was dealt, the how-manieth card of its curator it is, the round,
the family, and a seal over these, the curator's name and the purpose of the card. What the purpose is cannot be read
off it without the key: a check looks like any other card.
"""

from __future__ import annotations

import hmac
import re
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Purpose: TypeAlias = Literal["vote", "repeat", "known"]
"""A card to be voted on; one that the curator has voted on before; one on which others have decided."""

_PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
_MAC_BYTES: Final = 16
_ID: Final = re.compile(
    rf"([0-9]{{1,12}})\.([0-9]{{1,9}})\.([0-9]{{1,9}})\.([A-Z]{{2,21}})\.[0-9a-f]{{{2 * _MAC_BYTES}}}"
)


class Lease(NamedTuple):
    """One card in a curator's hand."""

    id: str
    base: str
    round: int
    purpose: Purpose
    dealt_at: int
    """When it was dealt, in seconds since 1970."""
    expires_at: int = 0
    """From when on others may have the card."""


def keyed_hash(key: bytes, *texts: str) -> bytes:
    """A hash of texts that nobody without the key can foretell."""
    return hmac.digest(key, "\0".join(texts).encode(), "sha256")


def write_lease_id(key: bytes, curator: str, lease: Lease, position: int) -> str:
    """The id of a curator's lease, as his card of that position."""
    shown = f"{lease.dealt_at}.{position}.{lease.round}.{lease.base}"
    return f"{shown}.{_mac(key, shown, curator, lease.purpose)}"


def read_lease_id(key: bytes, curator: str, id: str) -> Lease | None:
    """The lease that an id stands for; None where it was not made for this curator."""
    found = _ID.fullmatch(id)
    if found is None:
        return None
    shown, _, seal = id.rpartition(".")
    fits = [each for each in _PURPOSES if hmac.compare_digest(_mac(key, shown, curator, each), seal)]
    return Lease(id, found[4], int(found[3]), fits[0], int(found[1])) if fits else None


def _mac(key: bytes, payload: str, curator: str, purpose: Purpose) -> str:
    return keyed_hash(key, "lease", payload, curator, purpose)[:_MAC_BYTES].hex()
