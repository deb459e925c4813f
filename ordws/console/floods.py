"""How often each address was refused of late: in memory alone, never written down."""

from __future__ import annotations

import threading
from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

WINDOW: Final = 600
MOST: Final = 100
"""Refusals of an address in one window, coarse: behind a proxy, or one router, many people share an address."""
_ONE_SUBSCRIBER: Final = 64
"""Bits of an IPv6 address that are one household's or host's."""


class Floods:
    """Whether an address has been refused too often; all counts are forgotten with each window."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self._window, self._lock = most, 0, threading.Lock()
        self._counts = Counter[str]()

    def count(self, address: str, now: int) -> None:
        with self._lock:
            self._turn(now)
            self._counts[network(address)] += 1

    def seconds_to_wait(self, address: str, now: int) -> int:
        """How long this address is not heard any more; 0 where it is."""
        with self._lock:
            self._turn(now)
            is_heard = self._counts[network(address)] < self.most
        return 0 if is_heard else WINDOW - now % WINDOW

    def _turn(self, now: int) -> None:
        if now // WINDOW != self._window:
            self._window, self._counts = now // WINDOW, Counter()


def network(address: str) -> str:
    """The address, or the network of one subscriber that it is in."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((read, _ONE_SUBSCRIBER), strict=False)) if isinstance(read, IPv6Address) else address
