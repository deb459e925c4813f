"""Numbers of requests that the workers count and the main process reads.

They stand in memory that has no name: nothing of it is left behind, however a process ends. Each worker holds a row of
its own, by a lock that ends with it; the worker that comes after it goes on where it stopped, so that no count falls.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import sys
import tempfile
import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import reduction
from typing import Any, Final, NamedTuple, TypeAlias

from ordws.api.actions import ACTIONS
from ordws.api.problems import BUDGETS, PROBLEMS
from ordws.web import api_docs

BUCKET_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds up to which a bucket of the histogram goes; the last one has no bound."""

_SPARE_ROWS: Final = 4
"""For workers that begin before those end whose place they take."""

_BEGUN, _ENDED, _EDITION, _FIRST = range(4)

Cells: TypeAlias = "memoryview[int] | array[int]"


class RefusalLabels(NamedTuple):
    """A code, and with budget-spent which budget it was."""

    code: str
    budget: str = ""


class CounterLayout(NamedTuple):
    """Which number stands where. A worker takes it from the main process, whose program may be older than its own."""

    routes: tuple[str, ...]
    """The first one stands for all that are not named."""
    statuses: tuple[int, ...]
    refusals: tuple[RefusalLabels, ...]

    @property
    def buckets(self) -> int:
        return _FIRST + len(self.routes) * len(self.statuses)

    @property
    def microseconds(self) -> int:
        return self.buckets + len(self.routes) * (len(BUCKET_BOUNDS) + 1)

    @property
    def refused(self) -> int:
        return self.microseconds + len(self.routes)

    @property
    def size(self) -> int:
        return self.refused + len(self.refusals)


def make_layout() -> CounterLayout:
    """Every route, status and refusal that there is."""
    routes = ("-", *dict.fromkeys([path for _, path in ACTIONS]), "/openapi.json", *api_docs.PATHS)
    statuses = (0, 200, 201, 304, *sorted({status for status, _ in PROBLEMS.values()}))
    budgets = [RefusalLabels("budget-spent", budget) for budget in BUDGETS]
    return CounterLayout(routes, statuses, (RefusalLabels("-"), *[RefusalLabels(code) for code in PROBLEMS], *budgets))


class WorkerCounts:
    """The numbers of one worker."""

    def __init__(self, layout: CounterLayout, cells: Cells, edition: Callable[[], int]) -> None:
        self._cells = cells
        self._edition = edition
        self._lock = threading.Lock()
        self._routes = {route: place for place, route in enumerate(layout.routes)}
        self._statuses = {status: place for place, status in enumerate(layout.statuses)}
        self._refusals = {refusal: layout.refused + place for place, refusal in enumerate(layout.refusals)}
        self._buckets, self._microseconds, self._refused = layout.buckets, layout.microseconds, layout.refused
        cells[_BEGUN] = cells[_ENDED]
        cells[_EDITION] = edition()

    def begin(self) -> None:
        """Count a request that is under way from now on."""
        with self._lock:
            self._cells[_BEGUN] += 1

    def end(self, route: str, status: int, seconds: float, refusal: RefusalLabels | None) -> None:
        """Count a request that was answered."""
        place = self._routes.get(route, 0)
        asked = _FIRST + place * len(self._statuses) + self._statuses.get(status, 0)
        bucket = self._buckets + place * (len(BUCKET_BOUNDS) + 1) + bisect_left(BUCKET_BOUNDS, seconds)
        cells = self._cells
        with self._lock:
            cells[_ENDED] += 1
            cells[asked] += 1
            cells[bucket] += 1
            cells[self._microseconds + place] += int(seconds * 1e6)
            cells[_EDITION] = self._edition()
            if refusal is not None:
                cells[self._refusals.get(refusal, self._refused)] += 1


class RequestTotals:
    """The numbers of all workers together."""

    def __init__(self, layout: CounterLayout, rows: Sequence[Sequence[int]]) -> None:
        self._layout = layout
        self._cells = [sum(column) for column in zip(*rows, strict=True)]
        self.in_flight = sum([max(0, row[_BEGUN] - row[_ENDED]) for row in rows])
        self.edition = max([row[_EDITION] for row in rows])

    def requests(self) -> Iterator[tuple[str, int, int]]:
        """Route, status and how often, of those that there were."""
        places = iter(self._cells[_FIRST : self._layout.buckets])
        for route in self._layout.routes:
            for status in self._layout.statuses:
                if count := next(places):
                    yield route, status, count

    def latencies(self) -> Iterator[tuple[str, list[int], float]]:
        """Route, requests by bucket, and the seconds of all, of those that there were."""
        width = len(BUCKET_BOUNDS) + 1
        for place, route in enumerate(self._layout.routes):
            at = self._layout.buckets + place * width
            buckets = self._cells[at : at + width]
            if any(buckets):
                yield route, buckets, self._cells[self._layout.microseconds + place] / 1e6

    def refusals(self) -> Iterator[tuple[RefusalLabels, int]]:
        """Every refusal that there is, and how often it was told."""
        yield from zip(self._layout.refusals, self._cells[self._layout.refused :], strict=True)


class RequestCounts:
    """The rows of all workers."""

    def __init__(self, layout: CounterLayout, rows: int, file: int) -> None:
        self._layout, self._rows, self._file = layout, rows, file
        self._cells = memoryview(mmap.mmap(file, rows * layout.size * 8)).cast("q")

    @classmethod
    def create(cls, workers: int) -> RequestCounts:
        """Empty rows for so many workers."""
        plan, rows = make_layout(), workers + _SPARE_ROWS
        file = _make_file()
        os.ftruncate(file, rows * plan.size * 8)
        return cls(plan, rows, file)

    def __reduce__(self) -> tuple[Any, ...]:
        """Handed to a worker as it begins; the file goes with it, which has no name to be found by."""
        return _receive_counts, (self._layout, self._rows, reduction.DupFd(self._file))

    def claim_row(self, edition: Callable[[], int]) -> WorkerCounts:
        """A row that no living process holds, until this one ends; one that nobody reads where there are too many."""
        for row in range(self._rows):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, row)
            except OSError:
                continue
            return WorkerCounts(self._layout, self._row(row), edition)
        return WorkerCounts(self._layout, array("q", bytes(self._layout.size * 8)), edition)

    def totals(self) -> RequestTotals:
        return RequestTotals(self._layout, [self._row(row).tolist() for row in range(self._rows)])

    def _row(self, row: int) -> memoryview[int]:
        return self._cells[row * self._layout.size : (row + 1) * self._layout.size]


def _receive_counts(layout: CounterLayout, rows: int, file: Any) -> RequestCounts:
    return RequestCounts(layout, rows, file.detach())


def _make_file() -> int:
    if sys.platform == "linux":
        return os.memfd_create("ordws-counts")
    with tempfile.TemporaryFile() as file:  # which has no name either, once it is open
        return os.dup(file.fileno())
