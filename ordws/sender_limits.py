"""The limits on senders of requests: the address that counts, events in a window, and turns for threads and slots.

A few requests run at once, some wait and take turns by sender, and the others are refused. All counts are kept in the
memory of one process alone.
"""

from __future__ import annotations

import ipaddress
import threading
from collections import Counter
from collections.abc import Hashable
from enum import IntEnum
from time import monotonic, thread_time
from typing import Final, Protocol, TypeAlias

_NETWORK_BITS: Final = 64
_LARGER_NETWORKS: Final = ((56, 4), (48, 16))
"""The larger networks of IPv6 that one subscriber may have whole, and how many of those of 64 bits each counts for."""
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""The prefix of IPv4 addresses that a translator puts into IPv6 (RFC 6052)."""


def network_of(address: str) -> str:
    """Return an address as it counts; for IPv6 the network of 64 bits, which one sender has whole.

    An IPv4 address inside an IPv6 one, as a socket for both or a translator shows it, is that IPv4 address. A text that
    is no address stays as it is.
    """
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return address
    if (mapped := parsed.ipv4_mapped) is not None:
        return str(mapped)
    if parsed in _NAT64:
        return str(ipaddress.IPv4Address(parsed.packed[-4:]))
    return str(ipaddress.IPv6Network((parsed, _NETWORK_BITS), strict=False))


def networks_of(network: str) -> tuple[tuple[str, int], ...]:
    """Return what an address counts for, as `network_of` returns it, and how many times a limit each may reach.

    For IPv6 the networks of 56 and 48 bits count too: whoever has one of those has very many of 64 bits.
    """
    if not network.endswith(f"::/{_NETWORK_BITS}"):
        return ((network, 1),)
    parsed = ipaddress.IPv6Network(network)
    return (network, 1), *[(str(parsed.supernet(new_prefix=bits)), times) for bits, times in _LARGER_NETWORKS]


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


_WINDOW_SECONDS: Final = 1.0
"""Processor time counts for so long at least, and at most for twice as long."""


Names: TypeAlias = tuple[tuple[Hashable, int], ...]
"""The names that a request counts under while it holds a thread, each with its limit."""


class Kind(IntEnum):
    """The kinds of senders, in the order in which they get slots."""

    KNOWN = 0
    SEATED = 1
    STRANGER = 2


class _Waiting:
    """A request in a queue. The held lock stands for the wait: opening it ends the wait, with a slot or without."""

    def __init__(self, name: Hashable) -> None:
        self.name = name
        self.has_slot = False
        self.turn = threading.Lock()
        self.turn.acquire()


class TurnTaker(Protocol):
    """The sender of a request, by the name under which it takes turns."""

    @property
    def kind(self) -> Kind: ...

    @property
    def name(self) -> Hashable: ...


class ThreadHolder(TurnTaker, Protocol):
    """The sender of a request that holds a thread: where it is not known, its address counts."""

    @property
    def address(self) -> str: ...


class HeldThreads:
    """The threads that requests hold: so many in all, of strangers, of one that is known, and of one address."""

    def __init__(self, most: int, *, of_strangers: int, of_one: int, of_address: int) -> None:
        self._most, self._of_strangers, self._of_one, self._of_address = most, of_strangers, of_one, of_address
        self._lock = threading.Lock()
        self._held: dict[Hashable, int] = {}
        self._held_by_strangers = 0
        self.count = 0
        """The number of threads that are held."""

    def enter(self, sender: ThreadHolder, *, always: bool = False) -> Names | None:
        """Count a request, and return the names that it counts under; None where too many are held already.

        With `always`, it is counted all the same.
        """
        names, is_stranger = self._names(sender), sender.kind is Kind.STRANGER
        with self._lock:
            held = self._held
            if not always and (
                self.count >= self._most
                or (is_stranger and self._held_by_strangers >= self._of_strangers)
                or any(held.get(name, 0) >= limit for name, limit in names)
            ):
                return None
            for name, _ in names:
                held[name] = held.get(name, 0) + 1
            self._held_by_strangers += is_stranger
            self.count += 1
            return names

    def leave(self, sender: ThreadHolder, names: Names) -> None:
        """Count a request as answered; `names` is what `enter` returned."""
        with self._lock:
            for name, _ in names:
                if left := self._held.pop(name) - 1:
                    self._held[name] = left
            self._held_by_strangers -= sender.kind is Kind.STRANGER
            self.count -= 1

    def _names(self, sender: ThreadHolder) -> Names:
        if sender.kind is Kind.KNOWN:
            return ((sender.name, self._of_one),)
        return tuple([(name, times * self._of_address) for name, times in networks_of(sender.address)])


class SlotQueue:
    """A few slots, for which senders take turns; each is released by the thread that acquired it.

    The next is a sender with the fewest requests that run, and of these the one that took the least processor time of
    late: fifty keys that ask without a pause do not delay others who ask now and then, and costly requests count more.
    """

    def __init__(self, slots: int, max_waiting: int, patience: float, *, most_of_one: int | None = None) -> None:
        """Make so many slots, of which one sender has at most `most_of_one`, even where nobody else waits."""
        self._lock = threading.Lock()
        self._free, self._max_waiting, self._patience = slots, max_waiting, patience
        self._most_of_one = slots if most_of_one is None else most_of_one
        self._queues: tuple[list[_Waiting], ...] = tuple([[] for _ in Kind])
        self.waiting = 0
        """The number of requests in the queues."""
        self._running: dict[Hashable, int] = {}
        self._strangers = 0
        """The number of strangers' requests that run."""
        self._used: dict[Hashable, float] = {}
        self._used_before: dict[Hashable, float] = {}
        """The processor time of each sender in this window, and in the one before."""
        self._window_ends = 0.0
        self._began = threading.local()

    def acquire(self, sender: TurnTaker) -> bool:
        """Take a slot, at once or after waiting; return False where too many wait, or none comes free in time.

        Of those that wait one sender has half at most.
        """
        has_slot = self._wait(sender.kind, sender.name)
        self._began.at = thread_time()
        return has_slot

    def release(self, sender: TurnTaker) -> None:
        """Free a slot, and hand it to the next request."""
        used = thread_time() - self._began.at
        with self._lock:
            self._charge(sender.name, used)
            self._free += 1
            if sender.kind is Kind.STRANGER:
                self._strangers -= 1
            if left := self._running.pop(sender.name) - 1:
                self._running[sender.name] = left
            if self.waiting:
                self._hand_over()

    def _wait(self, kind: Kind, name: Hashable) -> bool:
        with self._lock:
            if self._free and self._running.get(name, 0) < self._most_of_one:
                self._give(kind, name)
                return True
            queue = self._queues[kind]
            if (
                self.waiting >= self._max_waiting
                or sum([each.name == name for each in queue]) >= self._max_waiting // 2
            ):
                return False
            waiting = _Waiting(name)
            queue.append(waiting)
            self.waiting += 1
        if not waiting.turn.acquire(timeout=self._patience):
            with self._lock:
                # The slot may have been handed over between the timeout and this lock; then it has to be used.
                if not waiting.has_slot:
                    queue.remove(waiting)
                    self.waiting -= 1
        return waiting.has_slot

    def _hand_over(self) -> None:
        """Give a slot to the next request; keep it free where all that wait are of senders who have their most."""
        may_run = [kind for kind in Kind if any(self._has_room(each) for each in self._queues[kind])]
        if not may_run:
            return
        # Strangers keep one slot, or a busy evening would leave none for those who have yet to pair or take a seat.
        kind = Kind.STRANGER if Kind.STRANGER in may_run and not self._strangers else may_run[0]
        waiting = min(self._queues[kind], key=self._claim)
        self._queues[kind].remove(waiting)
        self.waiting -= 1
        self._give(kind, waiting.name)
        waiting.has_slot = True
        waiting.turn.release()

    def _has_room(self, waiting: _Waiting) -> bool:
        return self._running.get(waiting.name, 0) < self._most_of_one

    def _claim(self, waiting: _Waiting) -> tuple[int, float]:
        """Return the smallest pair for the sender who is next."""
        name = waiting.name
        return self._running.get(name, 0), self._used.get(name, 0.0) + self._used_before.get(name, 0.0)

    def _give(self, kind: Kind, name: Hashable) -> None:
        self._free -= 1
        if kind is Kind.STRANGER:
            self._strangers += 1
        self._running[name] = self._running.get(name, 0) + 1

    def _charge(self, name: Hashable, seconds: float) -> None:
        if (now := monotonic()) >= self._window_ends:
            before = self._used if now < self._window_ends + _WINDOW_SECONDS else {}
            self._used, self._used_before, self._window_ends = {}, before, now + _WINDOW_SECONDS
        self._used[name] = self._used.get(name, 0.0) + seconds
