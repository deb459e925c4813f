"""Protection of a process that holds keys and words against others of the same user."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import Final

from ordws.errors import OrdwsError

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
