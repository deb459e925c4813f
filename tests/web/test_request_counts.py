"""Tests of the counts that workers write and the main process reads."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from ordws.api.actions import ACTIONS
from ordws.api.problems import PROBLEMS
from ordws.guard.charge import BudgetName
from ordws.web.telemetry import BUCKET_BOUNDS, LAYOUT, RefusalLabels, RequestCounts

ROOT = Path(__file__).parents[2]
SPENT = RefusalLabels("budget-spent", "units")

WORKERS = """
import os, signal
from multiprocessing import get_context
from ordws.web.telemetry import RequestCounts

def work(counts, number, pipe):
    row = counts.claim_row()
    row.note(number, 1)
    for _ in range(1000):
        row.count("/v1/judge", 200, 0.002, None)
    pipe.send("ready")
    pipe.recv()

if __name__ == "__main__":
    context = get_context("spawn")
    counts = RequestCounts.create(2)
    for round in range(2):
        pipes = [context.Pipe() for _ in range(2)]
        workers = [context.Process(target=work, args=(counts, 10 * round + n, pipes[n][1])) for n in range(2)]
        for worker in workers:
            worker.start()
        for pipe, _ in pipes:
            pipe.recv()
        totals = counts.totals()
        print(list(totals.requests()), totals.in_flight, totals.edition)
        for worker in workers:
            os.kill(worker.pid, signal.SIGKILL)
            worker.join()
"""
TOO_MANY = """
import os
from ordws.web.telemetry import RequestCounts
counts, ends = RequestCounts.create(1), []
for number in range(5):
    told, ready = os.pipe()
    stay, end = os.pipe()
    if os.fork() == 0:
        os.close(end)
        counts.claim_row().count("/v1/judge", 200, 0.001, None)
        os.write(ready, b"x")
        os._exit(len(os.read(stay, 1)) + 7)
    os.read(told, 1)
    ends.append(end)
counts.claim_row().count("/v1/judge", 200, 0.001, None)
print(list(counts.totals().requests()))
for end in ends:
    os.write(end, b"x")
print([os.waitstatus_to_exitcode(os.wait()[1]) for _ in ends])
"""


def test_every_route_code_and_budget_has_its_own_count():
    """Every route, code and budget of the service must have its own count, and anything else counts as other."""
    assert LAYOUT.routes[0] == "-"
    assert {path for _, path in ACTIONS} < set(LAYOUT.routes)
    assert {refusal.code for refusal in LAYOUT.refusals} == {"-", *PROBLEMS}
    assert {refusal.budget for refusal in LAYOUT.refusals} == {"", "closed", "replies", *get_args(BudgetName)}
    assert {status for status, _ in PROBLEMS.values()} < set(LAYOUT.statuses)


def test_requests_are_counted_by_route_and_status():
    """Requests are counted by route and status, and unknown ones under the first of each."""
    counts = RequestCounts.create(1)
    row = counts.claim_row()
    for route, status in (("/v1/judge", 200), ("/v1/judge", 200), ("/v1/judge", 429), ("/nowhere", 418)):
        row.count(route, status, 0.01, None)
    row.note(7, 1)
    totals = counts.totals()
    assert list(totals.requests()) == [("-", 0, 1), ("/v1/judge", 200, 2), ("/v1/judge", 429, 1)]
    assert (totals.in_flight, totals.edition) == (1, 7)


def test_latencies_fall_into_buckets():
    """A bucket counts requests up to and including its bound, the last one all longer ones, and the sum is kept."""
    counts = RequestCounts.create(1)
    row = counts.claim_row()
    for seconds in (0.0005, 0.0006, 0.001, 2.5, 60.0):
        row.count("/v1/judge", 200, seconds, None)
    ((route, buckets, spent),) = counts.totals().latencies()
    assert (route, dict(zip((*BUCKET_BOUNDS, "more"), buckets, strict=True))) == (
        "/v1/judge",
        dict.fromkeys(BUCKET_BOUNDS, 0) | {0.0005: 1, 0.001: 2, 2.5: 1, "more": 1},
    )
    assert spent == pytest.approx(62.5021, abs=1e-4)


def test_refusals_are_counted_by_code_and_budget():
    """A refusal that the layout does not have must count as other."""
    counts = RequestCounts.create(1)
    row = counts.claim_row()
    for refusal in (SPENT, SPENT, RefusalLabels("bad-word"), RefusalLabels("new-code", "x"), None):
        row.count("/v1/judge", 400, 0.001, refusal)
    told = {refusal: count for refusal, count in counts.totals().refusals() if count}
    assert told == {SPENT: 2, RefusalLabels("bad-word"): 1, RefusalLabels("-"): 1}


def test_no_request_is_lost_under_many_threads():
    """Eight threads of one worker must count exactly."""
    counts = RequestCounts.create(1)
    row = counts.claim_row()

    def work():
        for _ in range(2_000):
            row.count("/v1/judge", 200, 0.001, None)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter({status: count for _, status, count in counts.totals().requests()}) == {200: 16_000}


def test_workers_have_rows_of_their_own_and_leave_nothing(tmp_path):
    """Spawned workers must count in rows of their own, in memory without a name.

    When another worker takes a killed worker's row, the numbers stay, and no request is under way any more.
    """
    (tmp_path / "workers.py").write_text(WORKERS)
    done = subprocess.run(
        [sys.executable, tmp_path / "workers.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["[('/v1/judge', 200, 2000)] 2 1", "[('/v1/judge', 200, 4000)] 2 11"]
    assert [path.name for path in tmp_path.iterdir()] == ["workers.py"]


def test_a_worker_without_a_row_serves_uncounted():
    """There are four spare rows, and a worker that finds none free must serve without being counted."""
    done = subprocess.run([sys.executable, "-c", TOO_MANY], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["[('/v1/judge', 200, 5)]", "[8, 8, 8, 8, 8]"]
