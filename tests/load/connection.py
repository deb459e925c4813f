"""A connection of the load generator, and the counting of replies."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from ordws.client.errors import ProblemError, ServiceBusy, UnexpectedResponse
from ordws.client.wire import read_response
from tests.load.http_request import Request
from tests.load.request_stats import RequestStats

READ_ONE_IN: Final = 100
"""The sampling of replies that nothing waits for: one in so many is parsed as a client parses it."""

IDLE_SECONDS: Final = 3.0
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"\r\ncontent-length: "
_CLOSING: Final = b"\r\nconnection: close"


class Job(NamedTuple):
    """A request that is due, and the statistics in which it is counted."""

    request: Request
    due: float
    tally: RequestStats

    def answered(self, status: int, top: bytes, body: bytes) -> None:
        """Count a reply; a 503 must say when to retry, and any other status is an error."""
        took = monotonic() - self.due
        is_read = self.request.then is not None or self.tally.due % READ_ONE_IN == 0
        reply = self._read(status, top, body) if is_read or not 200 <= status < 300 else None
        if isinstance(reply, ServiceBusy) and reply.retry_after is not None:
            self.tally.refused.append(took)
        elif isinstance(reply, ProblemError | UnexpectedResponse):
            what = reply.code if isinstance(reply, ProblemError) else reply.reason
            budget = f" {reply.budget}" if isinstance(reply, ProblemError) and reply.budget else ""
            self.tally.errors[f"{self.request.kind}: {status} {what}{budget}"] += 1
        else:
            self.tally.answered.append(took)
            self.tally.kinds[self.request.kind] += 1
        self._follow(None if isinstance(reply, ProblemError | UnexpectedResponse) else reply)

    def lose(self, why: str) -> None:
        self.tally.errors[f"{self.request.kind}: {why}"] += 1
        self._follow(None)

    def _read(self, status: int, top: bytes, body: bytes) -> Any:
        """Return the reply as the client reads it, or the exception that the client would raise."""
        try:
            return read_response(self.request.operation, status, headers_in(top), body)
        except (UnexpectedResponse, ProblemError) as err:
            return err

    def _follow(self, answer: Any) -> None:
        if self.request.then is not None:
            self.request.then(answer)


class Pool(Protocol):
    """A protocol for the owner of connections."""

    def is_open(self, connection: Connection) -> None: ...

    def is_free(self, connection: Connection) -> None: ...

    def is_gone(self, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    """A connection on which one request at a time is pending."""

    transport: asyncio.Transport

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._parts: list[bytes] = []
        self._missing = 0
        self.job: Job | None = None
        self._used = monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._pool.is_open(self)

    def send(self, job: Job) -> None:
        self.job = job
        self.transport.write(job.request.data)

    def data_received(self, data: bytes) -> None:
        if self._parts:
            self._parts.append(data)
            self._missing -= len(data)
            if self._missing > 0:
                return
            data = b"".join(self._parts)
            self._parts.clear()
        end = data.find(_END)
        top = data[: end + 2].lower()
        missing = end + len(_END) + _length(top) - len(data) if end >= 0 else 1
        if missing > 0:
            self._parts, self._missing = [data], missing
        else:
            self._take(top, data[end + len(_END) :], is_more=missing < 0)

    def _take(self, top: bytes, body: bytes, *, is_more: bool) -> None:
        """Hand over a complete reply."""
        job, self.job = self.job, None
        self._used = monotonic()
        if job is None or is_more or not top.startswith(b"http/1.1 "):
            self.transport.abort()
            if job is not None:
                job.lose("not an answer")
            return
        job.answered(int(top[9:12]), top, body)
        if _CLOSING in top:
            self.transport.close()
        else:
            self._pool.is_free(self)

    def rest(self, now: float) -> None:
        """Close the connection if it has long been idle: the peer would do so soon, perhaps while a request is sent."""
        if self.job is None and self._used < now - IDLE_SECONDS:
            self._pool.is_gone(self)
            self.transport.close()

    def give_up(self, before: float) -> None:
        """Count the pending request as lost if it was due before a time."""
        if self.job is not None and self.job.due < before:
            job, self.job = self.job, None
            self.transport.abort()
            job.lose("no answer")

    def connection_lost(self, error: Exception | None) -> None:
        job, self.job = self.job, None
        self._pool.is_gone(self)
        if job is not None:
            job.lose("reset")


def headers_in(top: bytes) -> Mapping[str, str]:
    """Return the headers of a reply in lower case."""
    lines = [line.partition(": ") for line in top.decode("latin-1").split("\r\n")[1:]]
    return {name: value for name, colon, value in lines if colon}


def _length(top: bytes) -> int:
    at = top.find(_LENGTH) + len(_LENGTH)
    return int(top[at : top.index(b"\r", at)]) if at >= len(_LENGTH) else 0
