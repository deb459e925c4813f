"""Misbehaving clients: `python -m tests.load.misbehaving_clients KIND PORT` runs one kind until it is terminated.

It prints `ready` when all are at work, and at its end the replies as JSON.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Final, TypeAlias

from tests.load.connection import headers_in
from tests.load.hostile_process import trouble
from tests.load.load_server import GENERATOR_CORE
from tests.processes import allow_open_files, pin_to_core

IDLE: Final = 10_000
SLOW: Final = 200
HUGE: Final = 8
BROKEN: Final = 8
ADDRESSES: Final = 100
_HUGE_BYTES: Final = 64 * 1024 * 1024
_PIECE: Final = 64 * 1024
_PAUSE: Final = 1.0
_PATIENCE: Final = 5.0
_CHANCE: Final = Random(3)
_BEGUN: Final = b"POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
_BROKEN: Final = (
    b"GARBAGE\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    b"GET /\x00\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 40_000 + b"\r\n\r\n",
    b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nNo colon\r\n\r\n",
    b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    _BEGUN + b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n{}",
    _BEGUN + b"Content-Length: -5\r\n\r\n{}",
    _BEGUN + b"Content-Length: many\r\n\r\n{}",
    _BEGUN + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    _BEGUN + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
    _BEGUN + b"Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}",
    _BEGUN + b"Content-Length: 2\r\n\r\n\xff\xfe",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)

ReplyCounts: TypeAlias = "Counter[str]"
Bad: TypeAlias = Callable[[int, ReplyCounts], Awaitable[None]]


async def slow_headers(port: int, replies: ReplyCounts) -> None:
    await _send_slowly(port, replies, _BEGUN + b"X-Slow: ")


async def slow_bodies(port: int, replies: ReplyCounts) -> None:
    await _send_slowly(port, replies, _BEGUN + b"Content-Length: 1000\r\n\r\n")


async def huge_bodies(port: int, replies: ReplyCounts) -> None:
    """Send a body of 64 MB whatever the reply, as fast as it is read, with short pauses to spare the machine."""
    reader, writer = await _connect(port)
    answer = asyncio.create_task(_listen(reader, replies))
    try:
        writer.write(_BEGUN + b"Content-Length: %d\r\n\r\n" % _HUGE_BYTES)
        with suppress(ConnectionError, TimeoutError):
            for _ in range(_HUGE_BYTES // _PIECE):
                writer.write(bytes(_PIECE))
                await asyncio.wait_for(writer.drain(), _PATIENCE)
                await asyncio.sleep(_PAUSE / 50)
        await answer
    finally:
        answer.cancel()
        writer.transport.abort()


async def broken_http(port: int, replies: ReplyCounts) -> None:
    reader, writer = await _connect(port)
    try:
        writer.write(_CHANCE.choice(_BROKEN))
        await _listen(reader, replies)
        await asyncio.sleep(_PAUSE / 10)
    finally:
        writer.transport.abort()


async def idle(port: int, replies: ReplyCounts) -> None:
    """Open a connection and send nothing; open another when it is closed."""
    reader, writer = await _connect(port)
    try:
        await reader.read(1)
    finally:
        writer.transport.abort()


KINDS: Final[dict[str, tuple[Bad, int]]] = {
    "slow-headers": (slow_headers, SLOW),
    "slow-bodies": (slow_bodies, SLOW),
    "huge-bodies": (huge_bodies, HUGE),
    "broken-http": (broken_http, BROKEN),
    "idle": (idle, IDLE),
}
"""The kinds of misbehaviour, and how many clients of each there are at once."""


async def _connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect from one of many addresses that no honest client has, as far as they go."""
    local_address = (f"127.0.1.{_CHANCE.randint(1, ADDRESSES)}", 0)
    return await asyncio.open_connection("127.0.0.1", port, local_addr=local_address)


async def _send_slowly(port: int, replies: ReplyCounts, begun: bytes) -> None:
    """Send one byte a second, for as long as the peer reads."""
    reader, writer = await _connect(port)
    answer = asyncio.create_task(_listen(reader, replies, None))
    try:
        writer.write(begun)
        while not answer.done():
            await asyncio.wait([answer], timeout=_PAUSE)
            writer.write(b"x")
    finally:
        answer.cancel()
        writer.transport.abort()


async def _listen(reader: asyncio.StreamReader, replies: ReplyCounts, patience: float | None = _PATIENCE) -> None:
    """Record a reply by its status and kind, and whether it was a well-formed problem."""
    try:
        top = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), patience)
    except TimeoutError:
        replies["no answer"] += 1
    except (asyncio.IncompleteReadError, ConnectionError, asyncio.LimitOverrunError) as err:
        unfinished = isinstance(err, asyncio.IncompleteReadError) and err.partial
        replies["not HTTP" if unfinished else "closed"] += 1
    else:
        kind = headers_in(top.lower()).get("content-type", "nothing").partition(";")[0]
        replies[f"{top[9:12].decode('latin-1')} {kind}"] += 1


async def _again(bad: Bad, port: int, replies: ReplyCounts) -> None:
    while True:
        try:
            await bad(port, replies)
        except (ConnectionError, OSError):
            replies["closed"] += 1
            await asyncio.sleep(_PAUSE)


async def main(kind: str, port: int) -> None:
    bad, number = KINDS[kind]
    replies: ReplyCounts = Counter()
    tasks = []
    for at in range(number):
        tasks.append(asyncio.create_task(_again(bad, port, replies)))
        if at % 50 == 49:
            await asyncio.sleep(0.01)
    await asyncio.sleep(_PAUSE)
    await trouble(tasks, replies)


if __name__ == "__main__":
    allow_open_files()
    os.nice(5)
    with pin_to_core(GENERATOR_CORE):
        asyncio.run(main(sys.argv[1], int(sys.argv[2])))
