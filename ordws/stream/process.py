"""The stream process: granian in the event loop of one process, and what wakes the streams.

Private parts of granian are overridden here; tests/stream/test_stream_granian.py names every one of them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.net import SocketHolder  # type: ignore[attr-defined]
from granian.server.embed import Server

from ordws.errors import StoreDown
from ordws.gc_tuning import tune_gc
from ordws.listeners import BACKLOG
from ordws.referee.stores.news import GameNews, NewsReader
from ordws.stream.app import StreamApp
from ordws.stream.counts import StreamCounts
from ordws.stream.hub import HEARTBEAT_SECONDS, TICKS, Hub
from ordws.stream.notify import DatagramReceiver
from ordws.stream.tickets import StreamSigner

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
