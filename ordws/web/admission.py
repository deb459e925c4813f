"""How many requests are answered at once, how many wait for that, and that the others are refused."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

MAX_CONCURRENT: Final = 8
"""Enough to keep a processor busy. Threads take the interpreter and the stores from each other, and a lock does not ask
who has waited longest: with 64 at once one in a hundred waited five times as long under overload."""

MAX_CONCURRENT_SHARED: Final = 32
"""Where the stores are another server's, which flushes its disk once for all that wait: an eighth more than with 8."""

MAX_WAITING: Final = 128
"""As many as are answered in a tenth of a second: a stall of that length refuses nobody."""

PATIENCE_SECONDS: Final = 1.0
_GAMES: Final = "/v1/games"
_PROBES: Final = ("/healthz", "/readyz")
_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES = 2, 30


class AdmissionQueue:
    """A few places, and a queue before them in which whoever came first is next."""

    def __init__(
        self, max_concurrent: int = MAX_CONCURRENT, max_waiting: int = MAX_WAITING, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._lock = threading.Lock()
        self._free_slots, self._max_waiting, self._patience = max_concurrent, max_waiting, patience
        self._queue: deque[threading.Lock] = deque()

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._queue)

    def acquire(self) -> bool:
        """A place, at once or in its turn; False where the queue is too long, or takes too long."""
        with self._lock:
            if self._free_slots > 0:
                self._free_slots -= 1
                return True
            if len(self._queue) >= self._max_waiting:
                return False
            turn = threading.Lock()
            turn.acquire()
            self._queue.append(turn)
        return turn.acquire(timeout=self._patience) or not self._leave(turn)

    def release(self) -> None:
        """A place that was taken, to whoever waits longest."""
        with self._lock:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._free_slots += 1

    def _leave(self, turn: threading.Lock) -> bool:
        """Whether it left the queue; not where its turn has come at this moment."""
        with self._lock:
            if turn not in self._queue:
                return False
            self._queue.remove(turn)
            return True


class Admission:
    """Places apart for what waits for different things, so that none of it fills those of the others.

    Turns of games wait for the disk. A supervisor would end what is busy, and wants to know of a store that hangs.
    """

    def __init__(self, max_concurrent: int = MAX_CONCURRENT, max_waiting: int = MAX_WAITING) -> None:
        self._others = AdmissionQueue(max_concurrent, max_waiting)
        self._games = AdmissionQueue(max_concurrent, max_waiting // 2)
        self._probes = {path: AdmissionQueue(_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES) for path in _PROBES}

    def queue_for(self, path: str) -> AdmissionQueue:
        """The places for a request of that path."""
        return self._games if path.startswith(_GAMES) else self._probes.get(path, self._others)
