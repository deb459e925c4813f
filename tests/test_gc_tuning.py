"""Tests that full collections look at new objects alone, and free what they freed before all the same."""

from __future__ import annotations

import subprocess
import sys

BEGIN = """
import gc, sys, weakref
from ordws import process_setup

process_setup._SPARE_OBJECTS = int(sys.argv[1])

class Knot:
    def __init__(self):
        self.me = self

def dropped_knot():
    knot = Knot()
    yield weakref.ref(knot)
    del knot
    yield None

first = dropped_knot()
early = next(first)
process_setup.tune_gc()
next(first)
"""

OFTEN = """
full = []

def note(phase, info):
    if phase == "start" and info["generation"] == 2:
        full.append(len(gc.get_objects()))

gc.callbacks.append(note)
kept = []
while len(full) < 5:
    kept.append([len(kept)])
assert len(kept) > 100_000, len(kept)
assert max(full) < len(kept) / 2, (full, len(kept))
young = dropped_knot()
found = next(young)
next(young)
while found() is not None:
    kept.append([len(kept)])
"""

FROZEN = """
gc.collect()
assert early() is not None
late = dropped_knot()
found = next(late)
gc.collect()
next(late)
gc.collect()
assert found() is not None
kept = [[number] for number in range(60_000)]
for _ in range(32):
    gc.collect()
assert found() is not None
for _ in range(32):
    gc.collect()
assert found() is early() is None
assert gc.get_freeze_count() > 60_000
"""


def run(script: str, spare_objects: int) -> None:
    subprocess.run([sys.executable, "-c", BEGIN + script, f"{spare_objects}"], check=True, timeout=120)


def test_a_full_collection_looks_at_new_objects_alone():
    """What one full collection left is not looked at by the next, and cycles among new objects are freed."""
    run(OFTEN, spare_objects=1_000_000)


def test_cycles_that_were_frozen_are_freed_in_the_end():
    """A cycle that was dropped after it was frozen is freed once many more objects are frozen than before."""
    run(FROZEN, spare_objects=50_000)
