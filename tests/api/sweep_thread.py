"""The thread that forgets what has ended."""

from __future__ import annotations

import threading

from ordws.api.housekeeping import SWEEP_THREAD


def wait_for_sweep():
    """Wait until nothing is being forgotten any more."""
    for thread in threading.enumerate():
        if thread.name == SWEEP_THREAD:
            thread.join()
