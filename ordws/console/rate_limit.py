"""How often each address was refused, or came, of late: in memory alone, never written down."""

from __future__ import annotations

import threading
from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

WINDOW_SECONDS: Final = 600
MAX_REFUSALS: Final = 100
"""Refusals of an address in one window, coarse: behind a proxy, or one router, many people share an address."""
_SUBSCRIBER_PREFIX_BITS: Final = 64
"""Bits of an IPv6 address that are one household's or host's."""


class RateLimiter:
    """How often each address has come within a window of the clock; all counts are forgotten with each window."""

    def __init__(
        self, limit: int = MAX_REFUSALS, *, total_limit: int | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        """`most` of one address in `window` seconds, and `together` of all, where that is limited too."""
        self.limit, self._total_limit, self._window_seconds = limit, total_limit, window_seconds
        self._lock, self._window_number = threading.Lock(), 0
        self._counts = Counter[str]()

    def count(self, address: str, now: int) -> None:
        with self._lock:
            self._reset_in_new_window(now)
            self._counts[client_network(address)] += 1

    def seconds_to_wait(self, address: str, now: int) -> int:
        """How long this address is not heard any more; 0 where it is."""
        with self._lock:
            return self._seconds_to_wait(address, now)

    def acquire(self, address: str, now: int) -> int:
        """As `seconds_to_wait`, and counts whoever need not wait."""
        with self._lock:
            wait = self._seconds_to_wait(address, now)
            if not wait:
                self._counts[client_network(address)] += 1
            return wait

    def _seconds_to_wait(self, address: str, now: int) -> int:
        self._reset_in_new_window(now)
        is_full = self._total_limit is not None and self._counts.total() >= self._total_limit
        is_heard = not is_full and self._counts[client_network(address)] < self.limit
        return 0 if is_heard else self._window_seconds - now % self._window_seconds

    def _reset_in_new_window(self, now: int) -> None:
        if now // self._window_seconds != self._window_number:
            self._window_number, self._counts = now // self._window_seconds, Counter()


def client_network(address: str) -> str:
    """The address, or the network of one subscriber that it is in."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((read, _SUBSCRIBER_PREFIX_BITS), strict=False)) if isinstance(read, IPv6Address) else address
