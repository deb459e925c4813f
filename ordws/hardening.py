"""What keeps others out of a process that holds keys and words."""

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
    """Nobody of the same user reads this process's memory, and a crash leaves no core file. (GUARD decision 14)

    Root can do both all the same.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _prctl(_PR_SET_DUMPABLE, 0, "the process cannot be made undumpable")


def die_with_parent(parent: int) -> None:
    """End by SIGTERM when the process of that number is gone, however it went; raises where it is gone already."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, "the process cannot be bound to its parent")
    if os.getppid() != parent:
        raise OrdwsError("the main process is gone")


def _prctl(option: int, value: int, message: str) -> None:
    if sys.platform == "linux" and ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OrdwsError(message)
