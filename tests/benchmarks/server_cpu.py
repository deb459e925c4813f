"""Rows 1 and 2: the processor time of an answer of `/v1/judge`, compared with usual implementations.

The servers share one core and the load has another; all are alive at once and answer the same questions in turn, a
short round each, so that a slow moment of the machine hits all. A figure is the median of the ratios of the rounds.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import NamedTuple

from redis_server import RedisServer

from ordws.web.senders import THREADS
from tests.benchmarks.closed_loop import ClosedLoop
from tests.benchmarks.figure import Figure
from tests.benchmarks.request_load import generate_requests, make_installation
from tests.benchmarks.servers import run_server
from tests.processes import RunningServer, pin_to_core

ROUNDS = 15
REQUESTS_PER_ROUND = 2_000
"""Questions of a round. One round goes before the measured ones, in which everything is opened for the first time."""
WARM_UP_REQUESTS = 100
"""Questions of a round that are sent before the clock starts."""
SERVERS = {
    "bare": ("bare", THREADS),
    "unmetered": ("unmetered", THREADS),
    "service": ("service", THREADS),
    "limiter, one thread": ("limited", 1),
    "limiter, as many threads": ("limited", THREADS),
    "limiter over Redis, one thread": ("limited-over-redis", 1),
    "limiter over Redis, as many threads": ("limited-over-redis", THREADS),
}
"""The servers that are measured by their names, with the application and the number of threads."""


class RoundTimes(NamedTuple):
    """Microseconds a request in a round: of the server's processors, and of the wall clock."""

    cpu: float
    wall: float


class MeasuredServer(NamedTuple):
    """A server with the times of its rounds."""

    server: RunningServer
    rounds: list[RoundTimes]

    def run(self, requests: Sequence[bytes], status: bytes = b"200") -> None:
        """Run a round over new connections, since the server closes idle ones while the others have their turn."""
        with closing(ClosedLoop(self.server.port)) as loop:
            loop.send_all(requests[:WARM_UP_REQUESTS], status)
            cpu, wall = self.server.cpu_nanoseconds(), perf_counter_ns()
            loop.send_all(requests[WARM_UP_REQUESTS:], status)
            passed, spent = perf_counter_ns() - wall, self.server.cpu_nanoseconds() - cpu
        count = len(requests) - WARM_UP_REQUESTS
        self.rounds.append(RoundTimes(spent / count / 1e3, passed / count / 1e3))

    @property
    def median_cpu(self) -> float:
        return median(each.cpu for each in self.rounds)

    @property
    def rate(self) -> float:
        """Return answers a second, by the wall clock."""
        return 1e6 / median(each.wall for each in self.rounds)

    def cpu_ratio(self, other: MeasuredServer) -> float:
        """Return the median of the ratios of processor time, round by round."""
        return median(mine.cpu / theirs.cpu for mine, theirs in zip(self.rounds, other.rounds, strict=True))


def measure(words: Collection[str], core: Collection[str]) -> Iterator[Figure]:
    """Yield the ratios of rows 1 and 2 and their parts; each server's times go to standard error."""
    with tempfile.TemporaryDirectory() as name:
        racers = run_rounds(Path(name), words, core)
    for label, racer in racers.items():
        print(
            f"  {label}: {racer.median_cpu:.1f} us of its core a request, {racer.rate:,.0f} requests/s,"
            f" its core busy at {100 * racer.median_cpu * racer.rate / 1e6:.0f} %",
            file=sys.stderr,
        )
    limited, over_redis = (
        min((racers[f"{name}, {threads}"] for threads in ("one thread", "as many threads")), key=lambda r: r.median_cpu)
        for name in ("limiter", "limiter over Redis")
    )
    service, bare, unmetered = (racers[label] for label in ("service", "bare", "unmetered"))
    yield Figure(
        1,
        "processor time of an answer without identity and meter, against bare WSGI",
        round(unmetered.cpu_ratio(bare), 2),
        "x",
        "<= 1.4",
    )
    yield Figure(1, "processor time of an answer without identity and meter", round(unmetered.median_cpu), "us")
    yield Figure(1, "processor time of an answer of bare WSGI", round(bare.median_cpu), "us")
    yield Figure(
        2,
        "processor time of an answer with identity, meter and exact budgets on disk, against Flask and Flask-Limiter"
        " in memory",
        round(service.cpu_ratio(limited), 2),
        "x",
        "<= 0.5",
    )
    yield Figure(
        2,
        "the same against Flask-Limiter with its Redis storage, whose server is not counted",
        round(service.cpu_ratio(over_redis), 2),
        "x",
        "<= 0.35",
    )
    for whose, racer in (
        ("the service", service),
        ("Flask and Flask-Limiter", limited),
        ("Flask and Flask-Limiter with Redis", over_redis),
    ):
        yield Figure(2, f"processor time of an answer of {whose}", round(racer.median_cpu), "us")
        yield Figure(2, f"answered by {whose}, one worker on one core", round(racer.rate), "requests/s")


def run_rounds(folder: Path, words: Collection[str], core: Collection[str]) -> dict[str, MeasuredServer]:
    """Return all servers with the times of their rounds; they share the first core, and the load has the last."""
    keys = make_installation(folder / "instance", words, core)
    (folder / "instance" / "words").write_text("\n".join(words))
    first, *_, last = sorted(os.sched_getaffinity(0)) * 2
    racers = {}
    with ExitStack() as stack:
        redis = stack.enter_context(RedisServer(folder / "redis"))
        (folder / "instance" / "redis").write_text(f"redis+{redis.url}")
        for number, (label, (name, threads)) in enumerate(SERVERS.items()):
            own = shutil.copytree(folder / "instance", folder / str(number))
            racers[label] = MeasuredServer(stack.enter_context(run_server(name, own, core=first, threads=threads)), [])
        stack.enter_context(pin_to_core(last))
        stream = generate_requests(keys, words, core, Random(1))
        for _ in range(ROUNDS + 1):
            requests = [each.to_http() for each in islice(stream, REQUESTS_PER_ROUND)]
            for racer in racers.values():
                racer.run(requests)
    for racer in racers.values():
        del racer.rounds[0]
    return racers
