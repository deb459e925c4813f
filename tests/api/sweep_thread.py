"""A helper that waits for the sweep thread of Housekeeping."""

from __future__ import annotations

import threading

from ordws.api.services import SWEEP_THREAD


def wait_for_sweep():
    """Wait until no sweep is running."""
    for thread in threading.enumerate():
        if thread.name == SWEEP_THREAD:
            thread.join()
