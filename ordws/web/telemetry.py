"""The line of the log and the counts of a request: the workers write them, and the main process reads the counts."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import sys
import tempfile
import threading
import time
from array import array
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import reduction
from typing import Any, Final, NamedTuple, TypeAlias

from ordws.api.actions import ACTIONS
from ordws.api.problems import BUDGET_MEANINGS, PROBLEMS
from ordws.logs import format_utc_second

_STDOUT: Final = 1
_BYTES_AT_ONCE: Final = 4_096
"""PIPE_BUF: of so many bytes a pipe keeps a write whole, so that the lines of several workers do not mix."""

_pending: Final[deque[bytes]] = deque()
_writing: Final = threading.Lock()


class RequestLogLine(NamedTuple):
    """A request as it is logged: the route's template and a known method, for a path or a method could spell a word."""

    id: str
    method: str
    route: str
    status: int
    milliseconds: float
    fault: str | None = None


RequestLogger: TypeAlias = Callable[[RequestLogLine], None]


def log_request(line: RequestLogLine) -> None:
    """Write one request to standard output; a failure, as on a full disk, is ignored so that no answer is lost.

    The line has the form of the other log lines, but the logging module is not used: it takes longer than a look-up.
    """
    now = time.time()
    fault = "" if line.fault is None else f', "fault": {json.dumps(line.fault)}'
    text = (
        f'{{"time": "{format_utc_second(int(now))}.{int(now * 1000) % 1000:03d}Z", '
        f'"level": "info", "event": "request", "id": "{line.id}", "method": "{line.method}", "route": "{line.route}", '
        f'"status": {line.status}, "milliseconds": {line.milliseconds}{fault}}}\n'
    )
    _pending.append(text.encode())
    # Whoever writes takes the lines of others along, for each write lets go of the interpreter and waits for it again.
    # A line that comes meanwhile is seen below, after the lock was let go: none stays behind.
    while _pending and _writing.acquire(blocking=False):
        try:
            _write_lines()
        finally:
            _writing.release()


def choose_logger() -> RequestLogger:
    """Return what logs the requests of a worker; on a terminal it logs faults alone."""
    # Beside a page that asks again and again, what serve and init have shown once would scroll away.
    return log_fault if os.isatty(_STDOUT) else log_request


def log_fault(line: RequestLogLine) -> None:
    """Write a request that ended with a fault to standard output, and no other."""
    if line.fault is not None:
        log_request(line)


def _write_lines() -> None:
    text = b""
    # A line that is longer by itself goes alone.
    while _pending and (not text or len(text) + len(_pending[0]) <= _BYTES_AT_ONCE):
        text += _pending.popleft()
    with suppress(OSError):
        os.write(_STDOUT, text)


BUCKET_BOUNDS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""The upper bounds of the histogram's buckets, in seconds; one more bucket has no bound."""

_SPARE_ROWS: Final = 4
"""The number of extra rows, for workers that begin before the workers they replace have ended."""

_UNDER_WAY, _EDITION, _FIRST = range(3)

Cells: TypeAlias = "memoryview[int] | array[int]"


class RefusalLabels(NamedTuple):
    """The code of a problem, and with budget-spent the name of the budget."""

    code: str
    budget: str = ""


class CounterLayout(NamedTuple):
    """The place of each number in a row. A worker gets it from the main process, which may run an older program."""

    routes: tuple[str, ...]
    """The route templates; the first entry counts every route without one of its own."""
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


LAYOUT: Final = CounterLayout(
    routes=("-", *dict.fromkeys([path for _, path in ACTIONS]), "/openapi.json"),
    statuses=(0, 200, 201, 304, *sorted({status for status, _ in PROBLEMS.values()})),
    refusals=(
        RefusalLabels("-"),
        *[RefusalLabels(code) for code in PROBLEMS],
        *[RefusalLabels("budget-spent", budget) for budget in BUDGET_MEANINGS],
    ),
)
"""The layout of this program: every route, status and problem that there is, and a place for any other."""


class WorkerCounts:
    """The counts of one worker, in its row."""

    def __init__(self, layout: CounterLayout, cells: Cells) -> None:
        self._cells = cells
        self._lock = threading.Lock()
        self._routes = {route: place for place, route in enumerate(layout.routes)}
        self._statuses = {status: place for place, status in enumerate(layout.statuses)}
        self._refusals = {refusal: layout.refused + place for place, refusal in enumerate(layout.refusals)}
        self._buckets, self._microseconds, self._refused = layout.buckets, layout.microseconds, layout.refused
        self.note(0, 0)

    def note(self, edition: int, under_way: int) -> None:
        """Note the edition that is served, and the number of requests under way, as they are now."""
        self._cells[_EDITION], self._cells[_UNDER_WAY] = edition, under_way

    def count(self, route: str, status: int, seconds: float, refusal: RefusalLabels | None) -> None:
        """Count a request that was answered."""
        index = self._routes.get(route, 0)
        requests = _FIRST + index * len(self._statuses) + self._statuses.get(status, 0)
        bucket = self._buckets + index * (len(BUCKET_BOUNDS) + 1) + bisect_left(BUCKET_BOUNDS, seconds)
        cells = self._cells
        with self._lock:
            cells[requests] += 1
            cells[bucket] += 1
            cells[self._microseconds + index] += int(seconds * 1e6)
            if refusal is not None:
                cells[self._refusals.get(refusal, self._refused)] += 1


class RequestTotals:
    """The counts of all workers together."""

    def __init__(self, layout: CounterLayout, rows: Sequence[Sequence[int]]) -> None:
        self._layout = layout
        self._cells = [sum(column) for column in zip(*rows, strict=True)]
        self.in_flight = sum([row[_UNDER_WAY] for row in rows])
        self.edition = max([row[_EDITION] for row in rows])

    def requests(self) -> Iterator[tuple[str, int, int]]:
        """Yield route, status and number of requests, for the pairs that occurred."""
        counts = iter(self._cells[_FIRST : self._layout.buckets])
        for route in self._layout.routes:
            for status in self._layout.statuses:
                if count := next(counts):
                    yield route, status, count

    def latencies(self) -> Iterator[tuple[str, list[int], float]]:
        """Yield route, requests by bucket, and the sum of their seconds, for the routes that were requested."""
        width = len(BUCKET_BOUNDS) + 1
        for index, route in enumerate(self._layout.routes):
            start = self._layout.buckets + index * width
            buckets = self._cells[start : start + width]
            if any(buckets):
                yield route, buckets, self._cells[self._layout.microseconds + index] / 1e6

    def refusals(self) -> Iterator[tuple[RefusalLabels, int]]:
        """Yield every problem and the number of times it was sent, zeros too."""
        yield from zip(self._layout.refusals, self._cells[self._layout.refused :], strict=True)


class RequestCounts:
    """The rows of all workers, in shared memory without a name, so that nothing is left behind however a process ends.

    Each worker has a row of its own, held by a lock that ends with the process; the next worker continues the row, so
    that no count falls.
    """

    def __init__(self, layout: CounterLayout, rows: int, file: int) -> None:
        self._layout, self._rows, self._file = layout, rows, file
        self._cells = memoryview(mmap.mmap(file, rows * layout.size * 8)).cast("q")

    @classmethod
    def create(cls, workers: int) -> RequestCounts:
        """Create empty rows for this number of workers."""
        rows = workers + _SPARE_ROWS
        if sys.platform == "linux":
            file = os.memfd_create("ordws-counts")
        else:
            with tempfile.TemporaryFile() as unnamed:
                file = os.dup(unnamed.fileno())
        os.ftruncate(file, rows * LAYOUT.size * 8)
        return cls(LAYOUT, rows, file)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the rows for a spawned worker, with a duplicate of the file's descriptor, for the file has no name."""
        return _receive_counts, (self._layout, self._rows, reduction.DupFd(self._file))

    def claim_row(self) -> WorkerCounts:
        """Return a row that no living process holds, for this process until it ends.

        Where all rows are held, the counts go to a row of the worker's own that nobody reads.
        """
        for row in range(self._rows):
            try:
                # A lock on one byte of the file stands for a row; the kernel releases it when the process ends.
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, row)
            except OSError:
                continue
            return WorkerCounts(self._layout, self._row(row))
        return WorkerCounts(self._layout, array("q", bytes(self._layout.size * 8)))

    def totals(self) -> RequestTotals:
        return RequestTotals(self._layout, [self._row(row).tolist() for row in range(self._rows)])

    def _row(self, row: int) -> memoryview[int]:
        return self._cells[row * self._layout.size : (row + 1) * self._layout.size]


def _receive_counts(layout: CounterLayout, rows: int, file: Any) -> RequestCounts:
    return RequestCounts(layout, rows, file.detach())
