"""The oldest objects are looked through once an hour, not every few seconds."""

from __future__ import annotations

import subprocess
import sys
import weakref

from ordws.cycles import Cycles

LOOK = """
import gc
from ordws.cycles import search_the_young_alone
search_the_young_alone()
assert gc.get_freeze_count() > 1_000 and gc.isenabled()
seen = []
gc.callbacks.append(lambda phase, about: seen.append(about["generation"]))
kept = [[number] for number in range(400_000)]
assert seen.count(0) > 100 and seen.count(1) > 10 and 2 not in seen, set(seen)
"""


class Knot:
    """An object that holds itself."""

    def __init__(self):
        self.me = self


def test_the_oldest_objects_are_left_alone():
    """What a process has at its start is never looked through, and what grows old is not by itself."""
    subprocess.run([sys.executable, "-c", LOOK], check=True, timeout=60)


def test_cycles_are_swept():
    """Those that nobody needs go, and are counted."""
    knot = weakref.ref(Knot())
    assert Cycles().sweep(0) > 0
    assert knot() is None
