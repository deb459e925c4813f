"""The games that guests have opened today, by address, in the memory of this process alone."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final

_DAY: Final = 86_400


class GuestOpenings:
    """A limit on the games that guests open from one address on a UTC day. Addresses are never stored or shown."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._day, self._opened = -1, Counter[str]()

    def take(self, address: str, now: int) -> int | None:
        """Count a game of an address; return None, or the seconds until it may open another where it may not today."""
        with self._lock:
            if self._day != now // _DAY:
                self._day, self._opened = now // _DAY, Counter()
            if self._opened[address] >= self._most:
                return _DAY - now % _DAY
            self._opened[address] += 1
        return None

    def give_back(self, address: str, now: int) -> None:
        """Count a game less, which was not opened after all."""
        with self._lock:
            if self._day == now // _DAY and self._opened[address] > 0:
                self._opened[address] -= 1
            # Only addresses that opened a game are kept, of which there are no more than games.
            self._opened = +self._opened
