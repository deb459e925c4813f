"""A rate limit by network address; its counts are kept in memory alone."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final

from ordws.sender_address import network_of, networks_of

WINDOW_SECONDS: Final = 600
MAX_REFUSALS: Final = 100
"""Refusals of an address in one window: many, since many people may share the address of a proxy or router."""


class RateLimiter:
    """A counter of the events of each address within fixed windows of the clock; a new window starts from zero."""

    def __init__(
        self, limit: int = MAX_REFUSALS, *, total_limit: int | None = None, window_seconds: int = WINDOW_SECONDS
    ) -> None:
        """Allow `limit` events of one address in a window and, where it is given, `total_limit` of all addresses."""
        self.limit, self._total_limit, self._window_seconds = limit, total_limit, window_seconds
        self._lock, self._window_number, self._total = threading.Lock(), 0, 0
        self._counts = Counter[str]()

    def acquire(self, address: str, now: int) -> int:
        """Count an event where the limit allows it; return the seconds to wait, or 0 where it was counted."""
        with self._lock:
            wait = self._seconds_to_wait(address, now)
            if not wait:
                self._count(address)
            return wait

    def forgive(self, address: str, now: int) -> None:
        """Take back an event that was counted, where its window still runs."""
        with self._lock:
            self._reset_in_new_window(now)
            if self._counts[network_of(address)]:
                self._count(address, -1)

    def _count(self, address: str, more: int = 1) -> None:
        self._total += more
        for network, _ in networks_of(network_of(address)):
            self._counts[network] += more

    def _seconds_to_wait(self, address: str, now: int) -> int:
        self._reset_in_new_window(now)
        # A limit for all addresses holds even where somebody has many of them.
        is_full = self._total_limit is not None and self._total >= self._total_limit
        networks = networks_of(network_of(address))
        is_allowed = not is_full and all(self._counts[each] < self.limit * times for each, times in networks)
        return 0 if is_allowed else self._window_seconds - now % self._window_seconds

    def _reset_in_new_window(self, now: int) -> None:
        if now // self._window_seconds != self._window_number:
            self._window_number, self._counts, self._total = now // self._window_seconds, Counter(), 0
