"""The setup of a process: its memory is kept from others, its life bound to its parent, its garbage collector tuned.

A full collection of the cyclic garbage collector stops all threads of a worker, looks at every object, and takes a
tenth of a second for a hundred thousand of them. In that time a hundred requests come, which are refused or start a
hundred threads. So it runs often, and what it leaves is frozen: no later one looks at that again, and what is dropped
is freed as ever. Only a reference cycle that is dropped after it was frozen stays, until so many objects are frozen
that all are looked at once.
"""

from __future__ import annotations

import ctypes
import gc
import os
import resource
import signal
import sys
from typing import Any, Final

from ordws.errors import OrdwsError

_OLD_GENERATION_THRESHOLD: Final = 4
"""The number of middle collections before a full one: under load some twenty seconds."""
_SPARE_OBJECTS: Final = 1_000_000
"""How many more objects may be frozen than lived at the last look at all of them: many more than full caches hold."""
_COUNTED_EVERY: Final = 64
"""The number of full collections after which the frozen objects are counted, which takes as long as a collection."""


def tune_gc() -> None:
    """Freeze the objects that exist at start, and from then on those that full collections leave."""
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OLD_GENERATION_THRESHOLD)
    gc.callbacks.append(_Freezer())


class _Freezer:
    """A callback of the collector that freezes what a full collection leaves."""

    def __init__(self) -> None:
        self._most = gc.get_freeze_count() + _SPARE_OBJECTS
        self._collections = 0
        self._looks_at_all = False

    def __call__(self, phase: str, info: dict[str, Any]) -> None:
        if info["generation"] < 2:
            return
        if phase == "start":
            self._collections += 1
            is_counted = self._collections % _COUNTED_EVERY == 0
            self._looks_at_all = is_counted and gc.get_freeze_count() > self._most
            if self._looks_at_all:
                gc.unfreeze()
        else:
            gc.freeze()
            if self._looks_at_all:
                self._most = gc.get_freeze_count() + _SPARE_OBJECTS


_PR_SET_PDEATHSIG: Final = 1  # linux/prctl.h
_PR_SET_DUMPABLE: Final = 4


def protect_memory() -> None:
    """Keep the memory of this process from others of the same user, and forbid core files (docs/guard.md 4.4).

    Root can still read the memory.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _prctl(_PR_SET_DUMPABLE, 0, "the process cannot be made undumpable")


def die_with_parent(parent: int) -> None:
    """Have SIGTERM sent to this process when the parent with this id ends, however that happens.

    Raises OrdwsError where the parent has ended already.
    """
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, "the process cannot be bound to its parent")
    # The parent may have ended before the call, and then no signal would ever come.
    if os.getppid() != parent:
        raise OrdwsError("the main process is gone")


def _prctl(option: int, value: int, message: str) -> None:
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OrdwsError(message)
