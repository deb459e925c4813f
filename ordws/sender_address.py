"""The address that a request counts for: an IPv4 address, or the networks of an IPv6 one."""

from __future__ import annotations

import ipaddress
from typing import Final

_NETWORK_BITS: Final = 64
_LARGER_NETWORKS: Final = ((56, 4), (48, 16))
"""The larger networks of IPv6 that one subscriber may have whole, and how many of those of 64 bits each counts for."""
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""The prefix of IPv4 addresses that a translator puts into IPv6 (RFC 6052)."""


def network_of(address: str) -> str:
    """Return an address as it counts; for IPv6 the network of 64 bits, which one sender has whole.

    An IPv4 address inside an IPv6 one, as a socket for both or a translator shows it, is that IPv4 address. A text that
    is no address stays as it is.
    """
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if (mapped := parsed.ipv4_mapped) is not None:
        return str(mapped)
    if parsed in _NAT64:
        return str(ipaddress.IPv4Address(parsed.packed[-4:]))
    return str(ipaddress.IPv6Network((parsed, _NETWORK_BITS), strict=False))


def networks_of(network: str) -> tuple[tuple[str, int], ...]:
    """Return what an address counts for, as `network_of` returns it, and how many times a limit each may reach.

    For IPv6 the networks of 56 and 48 bits count too: whoever has one of those has very many of 64 bits.
    """
    if not network.endswith(f"::/{_NETWORK_BITS}"):
        return ((network, 1),)
    parsed = ipaddress.IPv6Network(network)
    return (network, 1), *[(str(parsed.supernet(new_prefix=bits)), times) for bits, times in _LARGER_NETWORKS]
