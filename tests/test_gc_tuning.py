"""Tests that old objects are rarely searched for cycles."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import gc, weakref
from ordws.gc_tuning import tune_gc

class Knot:
    def __init__(self):
        self.me = self

knot = Knot()
tune_gc()
early = weakref.ref(knot)
del knot
gc.collect()
assert early() is not None
assert gc.get_freeze_count() > 1_000 and gc.isenabled()
seen = []
gc.callbacks.append(lambda phase, about: phase == "start" and seen.append(about["generation"]))
kept = [[number] for number in range(400_000)]
assert seen.count(1) > 20 and 2 not in seen, set(seen)
old = Knot()
gc.collect(1)
found = weakref.ref(old)
del old
while found() is not None:
    kept.append([[number] for number in range(100_000)])
assert seen.count(2) == 1
"""


def test_old_objects_are_rarely_collected():
    """Objects of the start must never be searched for cycles, and old objects rarely, when their cycles are freed."""
    subprocess.run([sys.executable, "-c", LOOK], check=True, timeout=120)
