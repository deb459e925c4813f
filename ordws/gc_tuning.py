"""The settings of the cyclic garbage collector, which stops all threads of a worker while it runs.

A full collection takes a tenth of a second for a few hundred thousand objects, and by default would run every few
seconds.
"""

from __future__ import annotations

import gc
from typing import Final

_OLD_GENERATION_THRESHOLD: Final = 200
"""The number of middle collections before a full one: under load about a quarter of an hour.

Full collections stay on, because requests that Flask's router refuses leave reference cycles that fill the memory.
"""


def tune_gc() -> None:
    """Freeze the objects that exist at start and make full collections rare."""
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OLD_GENERATION_THRESHOLD)
