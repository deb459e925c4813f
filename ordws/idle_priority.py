"""The priority of processes that have all day."""

from __future__ import annotations

import os
from pathlib import Path


def become_idle() -> None:
    """Give this process only the time that nobody else wants."""
    if hasattr(os, "SCHED_IDLE"):
        # Numpy starts threads as it is imported, and each thread has a priority of its own; later ones inherit it.
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
