"""Admission of requests: senders take turns for a few slots, and no kind of sender holds all threads.

Recognised keys and devices come first, then seats of games that run, then strangers. Every limit is of one process.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, NamedTuple

from ordws.admission import HeldThreads, Kind, Names, SlotQueue

THREADS: Final = 128
"""The threads of a worker: each request holds one until it is answered, and those that are refused need some too."""

MAX_HELD: Final = THREADS - 16
"""The requests that may be read, wait or run at once; the other threads refuse."""
MAX_HELD_BY_STRANGERS: Final = THREADS // 2
MAX_HELD_BY_ONE: Final = THREADS // 4
"""Those of one recognised key or device."""
MAX_HELD_BY_ADDRESS: Final = THREADS // 8
"""Those of one address among seats and strangers."""

SLOTS: Final = 2
"""The requests that run at once with stores of this host: threads compete for the interpreter, and few of these wait
for a disk."""
SLOTS_OF_GAMES: Final = 10
"""Those to sealed games: turns wait for the disk, and share its flush where they wait together."""
SLOTS_OVER_REDIS: Final = 32
"""Of each of these two, with a shared Redis, which flushes its disk once for all that wait."""
_SLOTS_OF_COMPUTED: Final = 1
_SLOTS_OF_PROBES: Final = 2
_FEW_WAITING: Final = 8

PATIENCE_SECONDS: Final = 1.0


class Sender(NamedTuple):
    """The sender of a request. The address is kept in memory alone, and never logged or shown."""

    address: str
    kind: Kind = Kind.STRANGER
    name: Hashable = None
    """What takes turns: the ids of a client and its device, or the address."""
    registered: Any = None
    """The client or device that was recognised, as the register had it then."""
    has_seat: bool = False
    """True where it sends the cookie of a seat in the game of the path, which may be one that nobody asked for yet."""
    fault: Exception | None = None
    """The error of a register that did not answer."""


class Admission:
    """The threads that requests hold, and the slots for which they wait, apart for requests of different kinds.

    Turns of games wait for the disk. Health probes get through when the service is busy, or a supervisor would restart
    it. Pages that are computed for each request run one at a time, and few wait.
    """

    def __init__(
        self, slots: int = SLOTS, slots_of_games: int = SLOTS_OF_GAMES, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._others = SlotQueue(slots, THREADS, patience)
        self._games = SlotQueue(slots_of_games, THREADS, patience)
        self._computed = SlotQueue(_SLOTS_OF_COMPUTED, _FEW_WAITING, patience)
        self._probes = {path: SlotQueue(_SLOTS_OF_PROBES, _FEW_WAITING, patience) for path in ("/healthz", "/readyz")}
        self._held = HeldThreads(
            MAX_HELD, of_strangers=MAX_HELD_BY_STRANGERS, of_one=MAX_HELD_BY_ONE, of_address=MAX_HELD_BY_ADDRESS
        )

    @property
    def under_way(self) -> int:
        """The number of requests that hold a thread."""
        return self._held.count

    @classmethod
    def over_redis(cls) -> Admission:
        """Return the admission of a process whose stores are in a shared Redis."""
        return cls(SLOTS_OVER_REDIS, SLOTS_OVER_REDIS)

    def queue_for(self, path: str, query: str) -> SlotQueue:
        """Return the slots for which a request waits."""
        if path.startswith("/v1/games"):
            return self._games
        if query and path.startswith("/rules/"):
            return self._computed
        return self._probes.get(path, self._others)

    def enter(self, sender: Sender, path: str) -> Names | None:
        """Count a request that is about to be read, and return its names; None where too many are held already."""
        return self._held.enter(sender, always=path in self._probes)

    def leave(self, sender: Sender, names: Names) -> None:
        """Count a request as answered; `names` is what `enter` returned."""
        self._held.leave(sender, names)
