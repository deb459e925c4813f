"""Admission of requests: a few run at once, some wait and take turns by sender, and the others are refused.

Every limit here is of one process.
"""

from __future__ import annotations

import threading
from collections import Counter, deque
from typing import Final, NamedTuple

from ordws.web.senders import Sender, SenderName

MAX_CONCURRENT: Final = 8
"""The number of requests that run at once with stores of this host: enough to keep a processor busy.

Threads compete for the interpreter and the stores, and a lock does not serve the longest waiting thread first: with 64
at once, the p99 wait under overload was five times as long.
"""

MAX_CONCURRENT_SHARED: Final = 32
"""The number of requests that run at once with a shared Redis, which flushes its disk once for all that wait.

It answers an eighth more requests than with 8.
"""

MAX_CONCURRENT_GAMES: Final = 10
"""The number of requests to sealed games that run at once with stores of this host.

Turns that wait for the disk together share its flush, so they should be many. But a turn takes four times the processor
of a question, and a busy interpreter serves all threads alike: with 32, games took half of the processor at three times
the load that a worker can bear, and it answered a quarter fewer requests.
"""

MAX_WAITING: Final = 128
"""The length of the queue: the requests answered in a tenth of a second, so that so short a stall refuses none."""

MAX_READ: Final = 64
"""The bodies of one client or device, and of one address, that are read at once: each holds a thread till it came."""

PATIENCE_SECONDS: Final = 1.0
RECENT: Final = 2_048
FREQUENT: Final = 24
"""A sender that had so many of the last 2,048 slots is a frequent one.

Each of fifty keys that ask as much as they can has more, and each of fifty operators on a busy day has fewer.
"""

FREQUENT_SHARE: Final = 8
"""Frequent senders run in an eighth of the slots together: others then compete with few for the interpreter."""

FREQUENT_SHARE_OF_GAMES: Final = 1
"""In all of them for games: who plays asks again and again, and turns that run at once share a flush of the disk."""

FREQUENT_SHARE_OF_SHARED: Final = 2
"""In half of them over Redis, where requests mostly wait for the server."""

_GAMES: Final = "/v1/games"
_PROBES: Final = ("/healthz", "/readyz")
_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES = 2, 60


class SenderCounts:
    """Numbers of requests by client or device and by address, each with the same limit. It is not safe for threads."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._counts: dict[SenderName, int] = {}

    def has_room(self, sender: Sender) -> bool:
        """Return True where neither the client or device nor the address has reached the limit."""
        return all(self._counts.get(name, 0) < self._limit for name in sender.names)

    def add(self, sender: Sender) -> None:
        for name in sender.names:
            self._counts[name] = self._counts.get(name, 0) + 1

    def remove(self, sender: Sender) -> None:
        for name in sender.names:
            left = self._counts.pop(name) - 1
            if left:
                self._counts[name] = left


class RunSlot(NamedTuple):
    """The right to run, which has to be released."""

    is_frequent: bool
    """True if it is one of those that frequent senders share."""


class _Waiting:
    """A request in the queue. The held lock stands for the wait: opening it ends the wait, with a slot or without."""

    def __init__(self, sender: Sender) -> None:
        self.sender, self.name = sender, sender.names[0]
        self.slot: RunSlot | None = None
        self.turn = threading.Lock()
        self.turn.acquire()


class AdmissionQueue:
    """A few slots, and a queue for them in which senders take turns.

    The next slot goes to the sender who had the fewest of the last ones, so that somebody who asks now and then waits
    for none of the many requests of another. Of equal senders, and of one sender's requests, the first comes first.
    """

    def __init__(
        self,
        max_concurrent: int = MAX_CONCURRENT,
        max_waiting: int = MAX_WAITING,
        patience: float = PATIENCE_SECONDS,
        frequent_share: int = FREQUENT_SHARE,
    ) -> None:
        self._lock = threading.Lock()
        self._free, self._free_for_frequent = max_concurrent, max(1, max_concurrent // frequent_share)
        self._max_waiting, self._patience = max_waiting, patience
        self._places = SenderCounts(max(1, max_waiting // 2))
        self._queue: dict[_Waiting, None] = {}
        self._waiting: Counter[SenderName] = Counter()
        self._most_of_one = 0
        """The number of requests in the queue of the sender with the most."""
        self._given: deque[SenderName] = deque()
        self._shares: Counter[SenderName] = Counter()

    @property
    def waiting(self) -> int:
        """The number of requests in the queue."""
        return len(self._queue)

    def would_refuse(self, sender: Sender) -> bool:
        """Return True where `acquire` would refuse at once.

        It takes no lock, for which hundreds of threads would wait under overload: a moment later it may be otherwise.
        """
        return not self._may_run(sender) and not self._has_place(sender)

    def acquire(self, sender: Sender) -> RunSlot | None:
        """Take a slot, at once or after waiting; return None where there is no place to wait, or none comes free."""
        with self._lock:
            if self._may_run(sender):
                return self._give_slot(sender)
            if not self._has_place(sender):
                return None
            if len(self._queue) >= self._max_waiting:
                self._oust_one()
            waiting = _Waiting(sender)
            self._queue[waiting] = None
            self._waiting[waiting.name] += 1
            self._most_of_one = max(self._most_of_one, self._waiting[waiting.name])
            self._places.add(sender)
        if not waiting.turn.acquire(timeout=self._patience):
            with self._lock:
                # The slot may have been handed over between the timeout and this lock; then it has to be used.
                if waiting in self._queue:
                    self._end_wait(waiting)
        return waiting.slot

    def release(self, slot: RunSlot) -> None:
        """Free a slot, and hand it to the next request."""
        with self._lock:
            self._free += 1
            self._free_for_frequent += slot.is_frequent
            while self._queue:
                waiting = self._next()
                if not self._may_run(waiting.sender):
                    break
                waiting.slot = self._give_slot(waiting.sender)
                self._end_wait(waiting)

    def _next(self) -> _Waiting:
        """Return the first request of the sender with the fewest of the last slots."""
        shares, least, first = self._shares.get, RECENT + 1, next(iter(self._queue))
        for waiting in self._queue:
            if (share := shares(waiting.name, 0)) < least:
                least, first = share, waiting
                # Nobody has fewer than none. Under overload most have none, and the queue is not read to its end.
                if not share:
                    break
        return first

    def _is_frequent(self, sender: Sender) -> bool:
        return self._shares.get(sender.names[0], 0) >= FREQUENT

    def _may_run(self, sender: Sender) -> bool:
        return self._free > 0 and (self._free_for_frequent > 0 or not self._is_frequent(sender))

    def _give_slot(self, sender: Sender) -> RunSlot:
        slot = RunSlot(self._is_frequent(sender))
        self._free -= 1
        self._free_for_frequent -= slot.is_frequent
        self._given.append(sender.names[0])
        self._shares[sender.names[0]] += 1
        if len(self._given) > RECENT:
            oldest = self._given.popleft()
            self._shares[oldest] -= 1
            if not self._shares[oldest]:
                del self._shares[oldest]
        return slot

    def _has_place(self, sender: Sender) -> bool:
        """Return True where a sender may wait: in a full queue, in the place of one who has more requests there."""
        if not self._places.has_room(sender):
            return False
        return len(self._queue) < self._max_waiting or self._most_of_one > self._waiting.get(sender.names[0], 0) + 1

    def _oust_one(self) -> None:
        """Refuse the last request of the sender with the most in the queue."""
        greediest = next(name for name, number in self._waiting.items() if number == self._most_of_one)
        self._end_wait(next(each for each in reversed(self._queue) if each.name == greediest))

    def _end_wait(self, waiting: _Waiting) -> None:
        del self._queue[waiting]
        number = self._waiting.pop(waiting.name)
        if number > 1:
            self._waiting[waiting.name] = number - 1
        if number == self._most_of_one:
            self._most_of_one = max(self._waiting.values(), default=0)
        self._places.remove(waiting.sender)
        waiting.turn.release()


class Admission:
    """Separate queues for requests that wait for different things, so that none of them crowds out the others.

    Turns of games wait for the disk. Health probes must get through when the service is busy, or a supervisor would
    restart it; they have few slots of their own, so that a store that hangs shows.
    """

    def __init__(
        self,
        max_concurrent: int = MAX_CONCURRENT,
        max_waiting: int = MAX_WAITING,
        max_concurrent_games: int = MAX_CONCURRENT_GAMES,
        frequent_share: int = FREQUENT_SHARE,
        frequent_share_of_games: int = FREQUENT_SHARE_OF_GAMES,
    ) -> None:
        self._others = AdmissionQueue(max_concurrent, max_waiting, frequent_share=frequent_share)
        self._games = AdmissionQueue(max_concurrent_games, max_waiting, frequent_share=frequent_share_of_games)
        self._probes = {path: AdmissionQueue(_MAX_CONCURRENT_PROBES, _MAX_WAITING_PROBES) for path in _PROBES}
        self._lock = threading.Lock()
        self._read = SenderCounts(MAX_READ)

    @classmethod
    def over_redis(cls) -> Admission:
        """Return the queues of a process whose stores are in a shared Redis."""
        return cls(
            MAX_CONCURRENT_SHARED,
            max_concurrent_games=MAX_CONCURRENT_SHARED,
            frequent_share=FREQUENT_SHARE_OF_SHARED,
            frequent_share_of_games=FREQUENT_SHARE_OF_SHARED,
        )

    def queue_for(self, path: str) -> AdmissionQueue:
        """Return the queue for a request of this path."""
        return self._games if path.startswith(_GAMES) else self._probes.get(path, self._others)

    def begin_body(self, sender: Sender) -> bool:
        """Count a body that is about to be read; return False where its sender has too many."""
        with self._lock:
            if not self._read.has_room(sender):
                return False
            self._read.add(sender)
            return True

    def end_body(self, sender: Sender) -> None:
        with self._lock:
            self._read.remove(sender)
