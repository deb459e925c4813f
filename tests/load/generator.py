"""The load generator: open loop, so that a slow service gets as many requests as a quick one.

Requests are due at the times of a Poisson process, whether or not earlier requests were answered, over connections that
are kept alive. Latency counts from when a request was due: waiting for a free connection counts too.
"""

from __future__ import annotations

import asyncio
from collections import deque
from itertools import cycle
from random import Random
from typing import Final, Protocol

from tests.load.connection import Connection, Job
from tests.load.http_request import Request
from tests.load.request_stats import RequestStats

MOST_CONNECTIONS: Final = 1_000
PATIENCE_SECONDS: Final = 10.0
"""The time after which a reply counts as lost."""

_SWEEP_SECONDS: Final = 0.5
_ADDRESSES: Final = 100
"""The addresses of this host from which connections come: people are at homes of their own."""

_host_numbers: Final = cycle(range(1, _ADDRESSES + 1))


class Source(Protocol):
    """A protocol for a source of requests."""

    def next(self) -> Request: ...


class Generator:
    """A sender of the sources' requests to one port, over a limited number of connections, that counts the replies."""

    def __init__(self, port: int, rng: Random, most_connections: int = MOST_CONNECTIONS) -> None:
        self._port, self._rng, self._most = port, rng, most_connections
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()
        self._connecting: set[asyncio.Task[None]] = set()
        self._waiting: deque[Job] = deque()
        self._swept = 0.0

    async def run(self, source: Source, rate: float, seconds: float, tally: RequestStats | None = None) -> RequestStats:
        """Send at a rate for some seconds; requests pending at the end are still counted, see `drain`."""
        loop = asyncio.get_running_loop()
        tally = tally or RequestStats()
        begin = loop.time()
        due = begin + self._rng.expovariate(rate)
        while due < begin + seconds:
            await asyncio.sleep(max(0.0, due - loop.time()))
            now = loop.time()
            tally.lags.append(now - due)
            while due <= now and due < begin + seconds:
                tally.due += 1
                self._ask(Job(source.next(), due, tally))
                due += self._rng.expovariate(rate)
            self._sweep(now)
        tally.seconds += seconds
        return tally

    async def drain(self) -> None:
        """Wait until every request is answered or given up."""
        while self._waiting or any(connection.job for connection in self._open):
            await asyncio.sleep(_SWEEP_SECONDS / 10)
            self._sweep(asyncio.get_running_loop().time())

    def close(self) -> None:
        for task in self._connecting:
            task.cancel()
        for connection in list(self._open):
            connection.transport.abort()

    def is_open(self, connection: Connection) -> None:
        self._open.add(connection)
        self.is_free(connection)

    def is_free(self, connection: Connection) -> None:
        """Let a connection carry the next request."""
        if self._waiting:
            connection.send(self._waiting.popleft())
        else:
            self._idle.append(connection)

    def is_gone(self, connection: Connection) -> None:
        self._open.discard(connection)
        if connection in self._idle:
            self._idle.remove(connection)

    def _ask(self, job: Job) -> None:
        if self._idle:
            self._idle.pop().send(job)
            return
        self._waiting.append(job)
        if len(self._open) + len(self._connecting) < self._most:
            task = asyncio.get_running_loop().create_task(self._connect(job.tally))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

    async def _connect(self, tally: RequestStats) -> None:
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: Connection(self), "127.0.0.1", self._port, local_addr=(f"127.0.2.{next(_host_numbers)}", 0)
            )
        except OSError as err:
            tally.errors[f"not connected: {err.strerror}"] += 1

    def _sweep(self, now: float) -> None:
        """Give up requests that have waited too long."""
        if now < self._swept + _SWEEP_SECONDS:
            return
        self._swept = now
        while self._waiting and now - self._waiting[0].due > PATIENCE_SECONDS:
            self._waiting.popleft().lose("never sent")
        for connection in list(self._open):
            connection.give_up(now - PATIENCE_SECONDS)
            connection.rest(now)
