"""Other limits, for comparison: the strategies of Flask-Limiter, before the same API without our meters.

They come from the library `limits`, on which Flask-Limiter is built: its default strategy, a fixed window, with its
default key, the address of the caller. Time comes from a storage of our own, a documented extension point.
"""

from __future__ import annotations

from typing import Final

from limits import RateLimitItem, parse_many
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

BASELINES: Final = {
    "none": "",
    "Flask-Limiter 60/minute": "60/minute",
    "Flask-Limiter 50/hour + 200/day": "50/hour;200/day",
    "quota 2500/day": "2500/day",
}
"""The limits of each baseline, as Flask-Limiter takes them."""


class BaselineLimiter:
    """Limits on the requests of each address."""

    def __init__(self, limits: str) -> None:
        self._storage = ClockedStorage()
        self._limiter = FixedWindowRateLimiter(self._storage)
        # Sorted from the finest limit on, as Flask-Limiter checks them.
        self._items: list[RateLimitItem] = sorted(parse_many(limits)) if limits else []

    def retry_after(self, address: str, now: int) -> int:
        """Count a request and return the seconds to wait if it is refused, else 0.

        As in Flask-Limiter, limits are checked from the finest on, up to the first that is breached.
        """
        self._storage.now = now
        for item in self._items:
            if not self._limiter.hit(item, address):
                return max(1, int(self._limiter.get_window_stats(item, address).reset_time) - now)
        return 0


class ClockedStorage(Storage):
    """Counters that end, by a time that is set instead of the system's clock."""

    STORAGE_SCHEME = ["ordws-clock"]  # noqa: RUF012 - as the class that it extends declares it

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self._counters: dict[str, tuple[int, int]] = {}

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        count, ends = self._counter(key, self.now + expiry)
        self._counters[key] = (count + amount, ends)
        return count + amount

    def get(self, key: str) -> int:
        return self._counter(key, self.now)[0]

    def get_expiry(self, key: str) -> float:
        return self._counter(key, self.now)[1]

    def check(self) -> bool:
        return True

    def reset(self) -> int:
        count = len(self._counters)
        self._counters.clear()
        return count

    def clear(self, key: str) -> None:
        self._counters.pop(key, None)

    def _counter(self, key: str, ends: int) -> tuple[int, int]:
        """Return the count and end of a counter, starting at 0 if it has ended or does not exist."""
        found = self._counters.get(key)
        return (0, ends) if found is None or found[1] <= self.now else found
