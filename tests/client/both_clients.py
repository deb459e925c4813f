"""Helpers that call the sync and the async client in the same way, over the real network."""

from __future__ import annotations

import asyncio
import inspect
import ssl
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import httpx
from service_process import ServiceProcess
from small_installation import SmallInstallation

from ordws.client import AsyncClient, Client

_TLS = ssl.create_default_context()


def plain_transport(is_async=False):
    """Return a transport of httpx that does not read this machine's certificates again for every client."""
    return httpx.AsyncHTTPTransport(verify=_TLS) if is_async else httpx.HTTPTransport(verify=_TLS)


@dataclass
class ServiceUnderTest:
    """A running service over an installation, and the keys of two of its clients."""

    service: ServiceProcess
    installation: SmallInstallation
    live_key: str
    club_key: str

    def new_test_key(self):
        """Return the key of a new test client, with budgets that nobody has used."""
        return self.installation.register.add(f"author {len(self.installation.register.list())}", "home", 0, test=True)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.service.port}"


class SyncCaller:
    """A caller of the client without asyncio."""

    def __init__(self, address, key=None, transport=plain_transport, **options):
        self.transport = transport()
        self.client = Client(address, key, transport=self.transport, **options)

    def __call__(self, ask):
        return ask(self.client)

    def close(self):
        self.client.close()


class AsyncCaller:
    """A caller of the client with asyncio, in a thread with a loop: Playwright has a loop in the main thread."""

    def __init__(self, address, key=None, transport=plain_transport, sleep=None, **options):
        self.runner, self.thread = asyncio.Runner(), ThreadPoolExecutor(1)
        options |= {"sleep": _async_sleep(sleep)} if sleep else {}
        self.transport = transport(is_async=True)
        self.client = AsyncClient(address, key, transport=self.transport, **options)

    def __call__(self, ask):
        outcome = ask(self.client)
        return self.thread.submit(self.runner.run, outcome).result() if inspect.iscoroutine(outcome) else outcome

    def close(self):
        self.thread.submit(self.runner.run, self.client.aclose()).result()
        self.thread.submit(self.runner.close).result()
        self.thread.shutdown()


def _async_sleep(sleep):
    async def sleeps(seconds):
        sleep(seconds)

    return sleeps


def recording_transport(is_async=False, is_streamless=False):
    """Return a transport of httpx that records what it sends, and that may let no stream through."""

    class Noting(httpx.AsyncHTTPTransport if is_async else httpx.HTTPTransport):
        def __init__(self):
            super().__init__(verify=_TLS)
            self.sent, self.bodies, self.has_stream = [], [], threading.Event()

        def note(self, request):
            self.sent.append((request.method, request.url.path, request.headers))
            self.bodies.append(request.content)
            if is_streamless and request.url.path.endswith("/events"):
                raise httpx.ConnectError("no stream gets through this network")

        def note_answer(self, request):
            # Only now does the service have the stream: one opened meanwhile may have come there before it.
            if request.url.path.endswith("/events"):
                self.has_stream.set()

        if is_async:

            async def handle_async_request(self, request):
                self.note(request)
                response = await super().handle_async_request(request)
                self.note_answer(request)
                return response
        else:

            def handle_request(self, request):
                self.note(request)
                response = super().handle_request(request)
                self.note_answer(request)
                return response

    return Noting()
