"""When the interpreter looks for objects that hold each other: while it does, nobody is answered.

To look through all of them takes a tenth of a second for a few hundred thousand, and would be done every few seconds.
"""

from __future__ import annotations

import gc
from typing import Final

_NEVER: Final = 2**31 - 1


def search_the_young_alone() -> None:
    """Look through what is there by now no more, and through what has grown old only where `Cycles` is swept."""
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _NEVER)


class Cycles:
    """Objects that nobody needs and that hold each other, as the router of each request through Flask leaves some."""

    def sweep(self, now: int) -> int:
        """Forget all of them; returns how many there were."""
        return gc.collect()
