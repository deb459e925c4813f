"""Pages of the desk and of cases for everybody else, beside one address whose connections keep asking.

The crowd asks for what costs most there: a wall chart, or sign-ins with a wrong password. The pages are asked for alone
and beside the crowd in turns, at a steady rate and from another address.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx
from free_ports import free_port
from http_replies import status_of
from service_process import ORDWS_COMMAND

from tests.benchmarks.figure import percentile
from tests.desk.desk_events import TestDesk
from tests.load.hostile_crowd import CONNECTIONS
from tests.load.hostile_process import hostile_process
from tests.load.load_server import GENERATOR_CORE, SERVER_CORE
from tests.load.request_stats import P50, P99, line
from tests.processes import TIMEOUT_SECONDS, pin_to_core, server_process

SECONDS: Final = 5.0
RATE: Final = 5.0
"""Requests a second for the page, one after the other."""
ROUNDS: Final = 3
MOST_SECONDS: Final = 0.5
"""The 99th percentile of everybody else's pages beside the crowd; no page may be refused."""
PLAYERS, EVENT_ROUNDS = 60, 8
_ADDRESS: Final = "127.0.2.1"
_ORDWS: Final = (sys.executable, *ORDWS_COMMAND)
_KEYS: Final = json.dumps(["none"] * CONNECTIONS)
_HEADINGS: Final = ("alone p50", "alone p99", "beside p50", "beside p99", "failed", "holds", "the crowd")


class PageResult(NamedTuple):
    """Seconds that a page took alone and beside a crowd, and the replies to the crowd by status."""

    kind: str
    alone: list[float]
    beside: list[float]
    failed: int
    """Requests beside the crowd that were refused or lost."""
    replies: Mapping[str, int]

    @property
    def holds(self) -> bool:
        return not self.failed and percentile(self.beside, P99) <= MOST_SECONDS


def run(seconds: float, show: Callable[[str], object]) -> dict[str, Any]:
    """Measure each kind of crowd; return the report."""
    show(line(_HEADINGS, f"{'':14}"))
    results = []
    with pin_to_core(GENERATOR_CORE):
        for kind, (serve, page) in KINDS.items():
            with tempfile.TemporaryDirectory(prefix="ordws-load-") as name, serve(Path(name)) as port:
                results.append(_measure(kind, port, page, seconds))
            show(line(_cells(results[-1]), f"{kind:<14} "))
    return {"holds": all(each.holds for each in results), "met": [_report(each) for each in results]}


def _measure(kind: str, port: int, page: str, seconds: float) -> PageResult:
    alone: list[float] = []
    beside: list[float] = []
    replies: Counter[str] = Counter()
    lost = 0
    transport = httpx.HTTPTransport(local_address=_ADDRESS)
    with httpx.Client(base_url=f"http://localhost:{port}", transport=transport, timeout=TIMEOUT_SECONDS) as client:
        _ask(client, page, 1.0)
        for _ in range(ROUNDS):
            alone += _ask(client, page, seconds)[0]
            with hostile_process("tests.load.hostile_crowd", "one-address", kind, str(port), first_line=_KEYS) as met:
                answered, failed = _ask(client, page, seconds)
            beside += answered
            lost += failed
            replies.update(met)
    return PageResult(kind, alone, beside, lost, replies)


def _ask(client: httpx.Client, page: str, seconds: float) -> tuple[list[float], int]:
    """Return the seconds that each answered request took from when it was due, and how many were refused or lost."""
    taken, failed = [], 0
    began = time.monotonic()
    for number in range(int(seconds * RATE)):
        due = began + number / RATE
        time.sleep(max(0.0, due - time.monotonic()))
        try:
            status = client.get(page).status_code
        except httpx.HTTPError:
            status = 0
        if status == 200:
            taken.append(time.monotonic() - due)
        else:
            failed += 1
    return taken, failed


@contextmanager
def _serve_desk(folder: Path) -> Iterator[int]:
    """Serve the desk of an event of 60 players, all of whose rounds but one are played."""
    desk = TestDesk(folder / "events")
    event = desk.event([f"Player {number}" for number in range(PLAYERS)], rounds=EVENT_ROUNDS)
    event.play_rounds(EVENT_ROUNDS - 1)
    (made,) = (folder / "events").iterdir()
    path = made.rename(folder / f"hall{made.suffix}")
    with _served(folder, "tournament", "desk", str(path)) as port:
        yield port


@contextmanager
def _serve_cases(folder: Path) -> Iterator[int]:
    """Serve the pages of cases, with one reviewer's account."""
    instance = ("--instance", str(folder / "instance"))
    for command in (("init",), ("accounts", "add", "ann", "--of", "cases")):
        subprocess.run([*_ORDWS, *command, *instance], check=True, capture_output=True)
    with _served(folder, "cases", "serve", *instance) as port:
        yield port


@contextmanager
def _served(folder: Path, *command: str) -> Iterator[int]:
    """Run a command that serves on a free port, on the core of services."""
    port, environment = free_port(), {**os.environ, "XDG_STATE_HOME": str(folder)}
    command = [*_ORDWS, *command, "--bind", f"127.0.0.1:{port}"]
    log = folder / "served.log"
    with server_process(command, log, lambda: status_of(port, "/"), core=SERVER_CORE, env=environment):
        yield port


KINDS: Final = {
    "wall-chart": (_serve_desk, "/tournament/hall/standings"),
    "sign-ins": (_serve_cases, "/answer"),
}
"""For each kind of crowd, who serves the pages and which page everybody else asks for."""


def _cells(met: PageResult) -> tuple[str, ...]:
    times = [percentile(taken, part) * 1000 for taken in (met.alone, met.beside) for part in (P50, P99)]
    replies = ", ".join([f"{count} x {status}" for status, count in sorted(met.replies.items())])
    return (*[f"{each:.1f} ms" for each in times], str(met.failed), "yes" if met.holds else "NO", f"   {replies}")


def _report(met: PageResult) -> dict[str, Any]:
    return {
        "kind": met.kind,
        "alone_p99_ms": round(percentile(met.alone, P99) * 1000, 1),
        "beside_p99_ms": round(percentile(met.beside, P99) * 1000, 1),
        "failed": met.failed,
        "holds": met.holds,
        "replies": met.replies,
    }
