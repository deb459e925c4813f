"""How often each address was refused, or came, of late: in memory alone, never written down."""

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
    """How often each address has come within a window of the clock; all counts are forgotten with each window."""

    def __init__(self, most: int = MOST, *, together: int | None = None, window: int = WINDOW) -> None:
        """`most` of one address in `window` seconds, and `together` of all, where that is limited too."""
        self.most, self._together, self._window = most, together, window
        self._lock, self._number = threading.Lock(), 0
        self._counts = Counter[str]()

    def count(self, address: str, now: int) -> None:
        with self._lock:
            self._turn(now)
            self._counts[network(address)] += 1

    def seconds_to_wait(self, address: str, now: int) -> int:
        """How long this address is not heard any more; 0 where it is."""
        with self._lock:
            return self._wait(address, now)

    def let_in(self, address: str, now: int) -> int:
        """As `seconds_to_wait`, and counts whoever need not wait."""
        with self._lock:
            wait = self._wait(address, now)
            if not wait:
                self._counts[network(address)] += 1
            return wait

    def _wait(self, address: str, now: int) -> int:
        self._turn(now)
        is_full = self._together is not None and self._counts.total() >= self._together
        is_heard = not is_full and self._counts[network(address)] < self.most
        return 0 if is_heard else self._window - now % self._window

    def _turn(self, now: int) -> None:
        if now // self._window != self._number:
            self._number, self._counts = now // self._window, Counter()


def network(address: str) -> str:
    """The address, or the network of one subscriber that it is in."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((read, _ONE_SUBSCRIBER), strict=False)) if isinstance(read, IPv6Address) else address
