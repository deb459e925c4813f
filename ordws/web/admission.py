"""Admission of requests: a few run at once, some wait in a queue, and the others are refused."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

MAX_CONCURRENT: Final = 8
"""The number of requests that run at once with stores of this host: enough to keep a processor busy.

Threads compete for the interpreter and the stores, and a lock does not serve the longest waiting thread first: with 64
at once, the p99 wait under overload was five times as long.
"""

MAX_CONCURRENT_SHARED: Final = 32
"""The number of requests that run at once with a shared Redis, which flushes its disk once for all that wait.

It answers an eighth more requests than with 8.
"""

MAX_WAITING: Final = 128
"""The length of the queue: the requests answered in a tenth of a second, so that so short a stall refuses none."""

PATIENCE_SECONDS: Final = 1.0
_GAMES: Final = "/v1/games"
_PROBES: Final = ("/healthz", "/readyz")
_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES = 2, 30


class AdmissionQueue:
    """A few slots, and a queue for them that is served in the order of arrival."""

    def __init__(
        self, max_concurrent: int = MAX_CONCURRENT, max_waiting: int = MAX_WAITING, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._lock = threading.Lock()
        self._free_slots, self._max_waiting, self._patience = max_concurrent, max_waiting, patience
        self._queue: deque[threading.Lock] = deque()

    @property
    def waiting(self) -> int:
        """The number of requests in the queue."""
        return len(self._queue)

    def acquire(self) -> bool:
        """Take a slot, at once or after waiting; return False where the queue is full, or the wait too long."""
        with self._lock:
            if self._free_slots > 0:
                self._free_slots -= 1
                return True
            if len(self._queue) >= self._max_waiting:
                return False
            # A held lock stands for the wait: `release` opens the lock of the request that is next.
            turn = threading.Lock()
            turn.acquire()
            self._queue.append(turn)
        if turn.acquire(timeout=self._patience):
            return True
        with self._lock:
            # The slot may have been handed over between the timeout and this lock; then it has to be used.
            if turn not in self._queue:
                return True
            self._queue.remove(turn)
            return False

    def release(self) -> None:
        """Hand the slot to the request that has waited longest, or free it."""
        with self._lock:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._free_slots += 1


class Admission:
    """Separate queues for requests that wait for different things, so that none of them crowds out the others.

    Turns of games wait for the disk. Health probes must get through when the service is busy, or a supervisor would
    restart it; they have few slots of their own, so that a store that hangs shows.
    """

    def __init__(self, max_concurrent: int = MAX_CONCURRENT, max_waiting: int = MAX_WAITING) -> None:
        self._others = AdmissionQueue(max_concurrent, max_waiting)
        self._games = AdmissionQueue(max_concurrent, max_waiting // 2)
        self._probes = {path: AdmissionQueue(_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES) for path in _PROBES}

    def queue_for(self, path: str) -> AdmissionQueue:
        """Return the queue for a request of this path."""
        return self._games if path.startswith(_GAMES) else self._probes.get(path, self._others)
