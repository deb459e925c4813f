"""When the interpreter looks for objects that hold each other: while it does, nobody is answered.

To look through all of them takes a tenth of a second for a few hundred thousand, and would be done every few seconds.
"""

from __future__ import annotations

import gc
from typing import Final

_OLD_GENERATION_THRESHOLD: Final = 200
"""How many searches of what is younger come before one of what is old: under load about a quarter of an hour. Requests
that the router refuses leave the most behind, and would else fill the memory."""


def tune_gc() -> None:
    """Look through what is there by now no more, and through what grows old from now on only now and then."""
    gc.collect()
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OLD_GENERATION_THRESHOLD)
