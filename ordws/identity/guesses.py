"""A limit on the wrong codes that a process checks in a second, counted in memory alone: guessing writes nothing."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Final, NamedTuple

MAX_WRONG_PER_SECOND: Final = 600
"""The number of wrong codes that a process checks in a second, from all callers together."""
MAX_WRONG_PER_ADDRESS: Final = 60
"""The number of wrong codes that a process checks in a second from one address, so that none uses up the total."""


class TooManyGuesses(NamedTuple):
    """The refusal to check a code because too many wrong codes came in this second, from its address or in all."""

    retry_after_seconds: int


class WrongGuesses:
    """The wrong codes of the present second, by the address they came from."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._second, self._wrong_codes = -1, Counter[str]()

    def check(self, address: str, now: int) -> TooManyGuesses | None:
        """Return the refusal of a code from this address, or None where it may be checked."""
        with self._lock:
            if self._second == now and (
                self._wrong_codes[address] >= MAX_WRONG_PER_ADDRESS or self._wrong_codes.total() >= MAX_WRONG_PER_SECOND
            ):
                return TooManyGuesses(1)
        return None

    def count(self, address: str, now: int) -> None:
        """Count a wrong code from this address."""
        with self._lock:
            if self._second != now:
                self._second, self._wrong_codes = now, Counter()
            self._wrong_codes[address] += 1
