"""The stream process: its ASGI application, granian in the event loop of one process, and what wakes the streams.

A seat's ticket opens a stream, which lasts until either side ends it. Private parts of granian are overridden here;
tests/stream/test_stream_granian.py names every one of them.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import socket
import threading
import time
import uuid
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]
from granian.server.embed import Server

from ordws.errors import StoreDown
from ordws.listeners import BACKLOG
from ordws.process_setup import tune_gc
from ordws.referee.stores.news import GameNews, NewsReader
from ordws.sender_limits import network_of
from ordws.stream.hub import HEARTBEAT_SECONDS, TICKS, Hub, Send, StreamCounts, StreamRefusal
from ordws.stream.notify import DatagramReceiver
from ordws.stream.tickets import COOKIE, StreamSigner, StreamTicket

AsgiHeaders: TypeAlias = list[tuple[bytes, bytes]]

_REFUSALS: Final[dict[StreamRefusal, tuple[int, str, str]]] = {
    "bad-ticket": (
        403,
        "Not a valid stream ticket",
        "the cookie ordws_stream: missing, expired, of another game, or of a seat that is another browser's now;"
        " POST /v1/games/{id}/stream-tickets gives one for a minute",
    ),
    "cross-site": (403, "Not allowed from a page of another site", "the ticket was given to a page of another origin"),
    "not-found": (404, "Not found", "this process has /v1/games/{id}/events and /healthz alone"),
    "method-not-allowed": (405, "Method not allowed", "this path takes GET alone"),
    "too-busy": (503, "Too many requests are under way", "too many streams are open; GET /v1/games/{id} tells as much"),
    "store-down": (503, "A store does not answer", "the number of rows could not be read"),
}
"""The refusals as `ordws/api/problems.py` has them: status, title, and the detail."""

RETRY_SECONDS: Final = 2
_UUID: Final = re.compile(rb"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}")


class ShortReply(NamedTuple):
    """A reply that is sent whole."""

    status: int
    headers: AsgiHeaders
    body: bytes


def refuse(code: StreamRefusal, given_id: bytes) -> ShortReply:
    """Return the problem document of a refusal (RFC 9457)."""
    status, title, detail = _REFUSALS[code]
    # Another's id is repeated only where it cannot spell a word.
    request_id = given_id.decode() if _UUID.fullmatch(given_id) else str(uuid.uuid4())
    problem = {
        "type": f"urn:ordws:problem:{code}",
        "title": title,
        "status": status,
        "detail": detail,
        "instance": f"urn:ordws:request:{request_id}",
        "code": code,
    }
    headers = [(b"x-request-id", request_id.encode())]
    if status == 503:
        headers.append((b"retry-after", b"%d" % RETRY_SECONDS))
    if status == 405:
        headers.append((b"allow", b"GET"))
    return _whole(status, b"application/problem+json", json.dumps(problem).encode(), headers)


def health() -> ShortReply:
    """Return the reply of /healthz, which says that the process runs."""
    return _whole(200, b"application/json", b'{"status":"up"}', [])


def _whole(status: int, media_type: bytes, body: bytes, headers: AsgiHeaders) -> ShortReply:
    common = [
        (b"content-type", media_type),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    return ShortReply(status, [*common, *headers], body)


Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]
ReadNews: TypeAlias = Callable[[str, int], Awaitable[GameNews | None]]

_EVENTS_PATH: Final = re.compile(r"/v1/games/([0-9a-f]{32})/events", re.ASCII)
_STREAM_HEADERS: Final = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # a proxy that keeps replies back would keep a stream back for ever
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
]


class StreamApp:
    """Open streams for tickets, refuse all else, and keep each stream until its reader goes away."""

    def __init__(
        self, hub: Hub, counts: StreamCounts, signer: StreamSigner, read_news: ReadNews, clock: Callable[[], int]
    ) -> None:
        self._hub = hub
        self._counts = counts
        self._signer = signer
        self._read_news = read_news
        self._clock = clock

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        match = _EVENTS_PATH.fullmatch(scope["path"])
        if match is None:
            reply = health() if scope["path"] == "/healthz" else self._refuse("not-found", headers)
        elif scope["method"] != "GET":
            reply = self._refuse("method-not-allowed", headers)
        else:
            ticket = self._read_ticket(match[1], headers)
            if isinstance(ticket, StreamTicket):
                refused = await self._run(ticket, _address(scope, headers), receive, send)
            else:
                refused = ticket
            if refused is None:
                return
            reply = self._refuse(refused, headers)
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        body = b"" if scope["method"] == "HEAD" else reply.body
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _refuse(self, code: StreamRefusal, headers: dict[bytes, bytes]) -> ShortReply:
        self._counts.refusals[code] += 1
        return refuse(code, headers.get(b"x-request-id", b""))

    def _read_ticket(self, game: str, headers: dict[bytes, bytes]) -> StreamTicket | StreamRefusal:
        """Return the ticket of a request for this game, or why it has none."""
        pairs = [part.strip().partition("=") for part in headers.get(b"cookie", b"").decode("latin-1").split(";")]
        cookies = [value for name, _, value in pairs if name == COOKIE]
        # A second cookie of this name was set by another host of the domain, and the order does not tell which.
        ticket = self._signer.read_ticket(cookies[0], self._clock()) if len(cookies) == 1 else None
        if ticket is None or ticket.game != game:
            return "bad-ticket"
        # A browser sends the cookie for pages of other ports of this host too.
        origin = headers.get(b"origin", b"").decode("latin-1")
        if (origin and origin != ticket.origin) or headers.get(b"sec-fetch-site") == b"cross-site":
            return "cross-site"
        return ticket

    async def _run(self, ticket: StreamTicket, address: str, receive: Receive, send: Send) -> StreamRefusal | None:
        """Serve a stream to its end, and return None; or return why there is none."""
        stream = self._hub.join(ticket, address)
        if stream is None:
            return "too-busy"
        try:
            news = await self._read_news(ticket.game, self._clock())
            if news is None:
                return "bad-ticket"
            task = asyncio.current_task()
            assert task is not None
            allowed = _allow_origin(ticket.origin)
            start = {"type": "http.response.start", "status": 200, "headers": [*_STREAM_HEADERS, *allowed]}
            if not self._hub.begin(stream, news, start, send, task):
                return "bad-ticket"
            # Whatever else comes is the rest of a body that nobody asked for.
            while (await receive())["type"] != "http.disconnect":
                pass
        except StoreDown:
            return "store-down"
        except asyncio.CancelledError:
            pass  # the hub has ended the stream
        finally:
            self._hub.leave(stream)
        return None


def _allow_origin(origin: str) -> list[tuple[bytes, bytes]]:
    """Return the headers that let the page read the stream where it is on another port (CORS, with its cookie)."""
    if not origin:
        return []
    return [
        (b"access-control-allow-origin", origin.encode()),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"Origin"),
    ]


def _address(scope: dict[str, Any], headers: dict[bytes, bytes]) -> str:
    """Return the address of a reader: the peer over TCP, and over a Unix socket what the proxy in front says."""
    server = scope.get("server")
    is_unix = not server or server[1] is None
    peer = "" if is_unix or not scope.get("client") else str(scope["client"][0])
    return network_of(peer or headers.get(b"x-forwarded-for", b"").decode("latin-1").rpartition(",")[2].strip())


POLL_SECONDS: Final = 0.25
"""The time after which a row is found of which no notice came."""
STOP_SECONDS: Final = 3.0
"""The time that the server may take to end after SIGTERM; readers who do not read would hold it up for ever."""

_MAX_CONNECTIONS: Final = 16_384
_READERS: Final = 4
_SEND_BUFFER_BYTES: Final = 16_384
"""The buffer of a connection in the kernel: the events of a whole game, and what a reader who reads nothing gets."""
_UNACKNOWLEDGED_MS: Final = 30_000
"""The time after which a reader whose host has gone away without a word is forgotten."""

_log = logging.getLogger("ordws.stream")


class StreamProcess:
    """Everything that the process has: the streams, the news, and the server."""

    def __init__(
        self,
        listener: socket.socket,
        signer: StreamSigner,
        open_news: Callable[[], NewsReader],
        notices: DatagramReceiver | None,
        counts: StreamCounts,
        *,
        hears_redis: bool = False,
    ) -> None:
        self._listener = listener
        self._open_news = open_news
        self._news = open_news()
        self._notices = notices
        self._counts = counts
        self._hears_redis = hears_redis
        # With several hosts a seat may listen to another one, of which this process knows nothing.
        self._hub = Hub(signer, counts, lambda: time.time_ns() // 1_000_000, tells_presence=not hears_redis)
        self._app = StreamApp(self._hub, counts, signer, self._read_news, lambda: int(time.time()))
        # One connection to the store, which one thread uses at a time; the others wait in its queue.
        self._readers = ThreadPoolExecutor(_READERS, "news")
        self._has_ended = threading.Event()

    def run(self, when_ready: Callable[[], None]) -> None:
        """Serve until SIGTERM or SIGINT."""
        try:
            asyncio.run(self._serve(when_ready))
        finally:
            self._has_ended.set()

    async def _serve(self, when_ready: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        has_signal = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, has_signal.set)
        if self._notices is not None:
            loop.add_reader(self._notices.socket, self._take_notices, self._notices)
        if self._hears_redis:
            threading.Thread(target=self._hear_redis, args=(loop,), name="redis", daemon=True).start()
        server = _Server(self._app, self._listener)
        tasks = [loop.create_task(each) for each in (self._poll(), self._beat())]
        serving = loop.create_task(server.serve())
        when_ready()
        tune_gc()  # after everything is loaded, for it freezes the objects that exist now
        await asyncio.wait([loop.create_task(has_signal.wait()), serving], return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        self._hub.close()
        server.stop()  # type: ignore[no-untyped-call]
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(serving), STOP_SECONDS)
        if self._notices is not None:
            loop.remove_reader(self._notices.socket)

    async def _read_news(self, game: str, now: int) -> GameNews | None:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._news.read, game, now)

    def _take_notices(self, notices: DatagramReceiver) -> None:
        for row in notices.read():
            self._hub.wake(row, "datagram")

    async def _poll(self) -> None:
        """Ask the store for rows of which no notice came, while anybody listens."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if self._hub.is_empty:
                continue
            try:
                rows = await loop.run_in_executor(self._readers, self._news.changes)
            except StoreDown as err:
                if self._counts.is_store_up:
                    _log.warning("the rows of games cannot be read: %s", err)
                self._counts.is_store_up = False
                continue
            self._counts.is_store_up = True
            for row in rows:
                self._hub.wake(row, "poll")

    async def _beat(self) -> None:
        """Send every stream a heartbeat in its turn."""
        tick = 0
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS / TICKS)
            self._hub.beat(tick)
            tick += 1

    def _hear_redis(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on what the hosts publish, in a thread of its own, and begin anew where the server went away."""
        while not self._has_ended.wait(POLL_SECONDS):
            with suppress(StoreDown, RuntimeError):  # of a loop that has ended
                news: Any = self._open_news()
                for row in news.listen():
                    if self._has_ended.is_set():
                        return
                    if row is not None and self._hub.has_listeners(row.game):
                        loop.call_soon_threadsafe(self._hub.wake, row, "redis")


class _Server(Server):
    """Granian's server within our event loop, over a socket that listens already."""

    def __init__(self, app: StreamApp, listener: socket.socket) -> None:
        super().__init__(
            app,
            interface=Interfaces.ASGINL,
            # Behind a proxy: over HTTP/2 it does not tell that one of several streams was closed (granian #917).
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=_MAX_CONNECTIONS,
            http1_settings=HTTP1Settings(header_read_timeout=5000, max_buffer_size=16384),
            log_level=LogLevels.error,
            log_enabled=False,
        )
        self._listener = listener
        # Accepted connections inherit these options, which bound what each may hold.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        if listener.family != socket.AF_UNIX:
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNACKNOWLEDGED_MS)

    def _init_shared_socket(self) -> None:
        # The original would open and listen on an address here.
        self._ssp = self._sso = None
        descriptor = os.dup(self._listener.fileno())  # which the server closes
        holder: Any = SocketHolder(descriptor, self._listener.family == socket.AF_UNIX, BACKLOG)  # type: ignore[call-arg]
        self._shd = holder
