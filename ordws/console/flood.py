"""How often one may knock: so many times a minute all together, and each. In memory alone; addresses go nowhere."""

from __future__ import annotations

import threading
from collections import Counter

from ordws.console.floods import network

MINUTE = 60


class Flood:
    """Counts within the minute of the clock, and forgets it with the next."""

    def __init__(self, *, together: int, each: int) -> None:
        self._together, self._each = together, each
        self._lock = threading.Lock()
        self._minute = 0
        self._counts: Counter[str] = Counter()

    def find_wait(self, address: str, now: int) -> int:
        """How many seconds to wait, or 0 for what is let through and counted."""
        with self._lock:
            if now // MINUTE != self._minute:
                self._minute, self._counts = now // MINUTE, Counter()
            who = network(address)
            if self._counts.total() >= self._together or self._counts[who] >= self._each:
                return MINUTE - now % MINUTE
            self._counts[who] += 1
            return 0
