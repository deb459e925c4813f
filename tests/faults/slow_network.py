"""A network between a player and the service that takes its time, and that can be cut: a proxy of TCP connections."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any


class SlowNetwork:
    """A port that leads to a port of the service; what is sent arrives `delay` seconds later, each way.

    A cut network is silent, as a phone in a tunnel finds it: connections stay open and carry nothing, and new ones get
    no answer. When it comes back, they end, and what was under way is lost.
    """

    def __init__(self, target_port: int, delay: float = 0.0) -> None:
        self.target_port, self.delay, self.is_cut = target_port, delay, False
        self.ends: set[_End] = set()
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()
        # Begun in its own thread, for Playwright keeps a loop in the main thread.
        listening = self.loop.create_server(lambda: _End(self), "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self.loop).result()
        self.port: int = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """Carry nothing from now on."""
        self._call(lambda: setattr(self, "is_cut", True))

    def restore(self) -> None:
        """Carry what is sent over new connections, and end those from before."""
        self._call(self._restore)

    def close(self) -> None:
        """End all connections, and the network."""
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result()
        self._call(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        self._server.close()
        connecting = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in connecting:
            task.cancel()
        await asyncio.gather(*connecting, return_exceptions=True)
        self._restore()
        await asyncio.sleep(0)  # the sockets of aborted connections are closed one step later

    def _restore(self) -> None:
        self.is_cut = False
        for end in [*self.ends]:
            end.drop()

    def _call(self, act: Callable[[], Any]) -> None:
        self.loop.call_soon_threadsafe(act)


class _End(asyncio.Protocol):
    """One end of a connection: what comes here arrives at the other end after the delay of the network."""

    def __init__(self, network: SlowNetwork, other: _End | None = None) -> None:
        self._network, self._other = network, other
        self._transport: asyncio.Transport | None = None
        self._connecting: asyncio.Task[Any] | None = None
        self._arriving: deque[bytes] = deque()
        network.ends.add(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._other is None:
            self._other = _End(self._network, self)
            self._connecting = self._network.loop.create_task(self._reach(self._other))

    async def _reach(self, far: _End) -> None:
        try:
            await self._network.loop.create_connection(lambda: far, "127.0.0.1", self._network.target_port)
        except OSError:
            self.drop()

    def data_received(self, data: bytes) -> None:
        other, network = self._other, self._network
        assert other is not None
        # The timers of one moment may run in any order, so that none has bytes of its own.
        other._arriving.append(data)
        network.loop.call_later(network.delay, other._arrive)

    def connection_lost(self, error: Exception | None) -> None:
        if self._other is not None and not self._network.is_cut:
            self._network.loop.call_later(self._network.delay, self._other.drop)
        self._network.ends.discard(self)

    def _arrive(self) -> None:
        if self._network.is_cut:
            self._arriving.clear()
        elif self._transport is not None and self._arriving:
            self._transport.write(self._arriving.popleft())
        elif self._arriving and self in self._network.ends:
            self._network.loop.call_later(0.001, self._arrive)  # the connection to the service is not there yet

    def drop(self) -> None:
        """End the connection without waiting for anything."""
        self._network.ends.discard(self)
        if self._transport is not None:
            self._transport.abort()
