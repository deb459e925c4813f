"""The ASGI application of the stream process: a seat's ticket opens a stream, which lasts until either side ends it."""

from __future__ import annotations

import asyncio
import json
import re
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeAlias

from ordws.errors import StoreDown
from ordws.referee.stores.news import GameNews
from ordws.sender_address import network_of
from ordws.stream.counts import StreamCounts, StreamRefusal
from ordws.stream.hub import Hub, Send
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
