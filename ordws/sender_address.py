"""The address that a request counts for: an IPv4 address, or the whole network of an IPv6 one."""

from __future__ import annotations

import ipaddress
from typing import Final

_NETWORK_BITS: Final = 64
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
