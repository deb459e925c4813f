"""A rate limit by network address; its counts are kept in memory alone."""

from __future__ import annotations

import threading
from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

WINDOW_SECONDS: Final = 600
MAX_REFUSALS: Final = 100
"""Refusals of an address in one window: many, since many people may share the address of a proxy or router."""
_SUBSCRIBER_PREFIX_BITS: Final = 64
"""The leading bits of an IPv6 address that all addresses of one household or host share."""


class RateLimiter:
    """A counter of the events of each address within fixed windows of the clock; a new window starts from zero."""

    def __init__(
        self, limit: int = MAX_REFUSALS, *, total_limit: int | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        """Allow `limit` events of one address in a window and, where it is given, `total_limit` of all addresses."""
        self.limit, self._total_limit, self._window_seconds = limit, total_limit, window_seconds
        self._lock, self._window_number = threading.Lock(), 0
        self._counts = Counter[str]()

    def count(self, address: str, now: int) -> None:
        with self._lock:
            self._reset_in_new_window(now)
            self._counts[client_network(address)] += 1

    def seconds_to_wait(self, address: str, now: int) -> int:
        """Return the seconds until this address is under its limit; 0 where it is now."""
        with self._lock:
            return self._seconds_to_wait(address, now)

    def acquire(self, address: str, now: int) -> int:
        """Count an event where the limit allows it; return the seconds to wait, or 0 where it was counted."""
        with self._lock:
            wait = self._seconds_to_wait(address, now)
            if not wait:
                self._counts[client_network(address)] += 1
            return wait

    def _seconds_to_wait(self, address: str, now: int) -> int:
        self._reset_in_new_window(now)
        # A limit for all addresses holds even where somebody has many of them.
        is_full = self._total_limit is not None and self._counts.total() >= self._total_limit
        is_allowed = not is_full and self._counts[client_network(address)] < self.limit
        return 0 if is_allowed else self._window_seconds - now % self._window_seconds

    def _reset_in_new_window(self, now: int) -> None:
        if now // self._window_seconds != self._window_number:
            self._window_number, self._counts = now // self._window_seconds, Counter()


def client_network(address: str) -> str:
    """Return the address or, for IPv6, its subscriber's network: a household can use any address of that."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    is_v6 = isinstance(parsed, IPv6Address)
    return str(ip_network((parsed, _SUBSCRIBER_PREFIX_BITS), strict=False)) if is_v6 else address
