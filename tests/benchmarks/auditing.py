"""Figure 9: auditing a whole game of 28 moves, from the bytes of its record to the findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg
from tests.benchmarks.figure import Figure, time_interleaved

REPEATS = 50


def measure() -> Iterator[Figure]:
    """Yield the number of records that one core audits in a second."""
    record = (Path(__file__).parent.parent / "vectors" / "gcg" / "sound_whole_game.gcg").read_bytes()
    assert audit_record(read_gcg(record)).findings == ()
    (taken,) = time_interleaved(lambda _: [audit_record(read_gcg(record)) for _ in range(REPEATS)])
    yield Figure(9, "auditing game records of 28 moves, one core", round(REPEATS / taken * 1e9), "games/s", ">= 500")
