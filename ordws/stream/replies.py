"""The replies of the stream process that are no streams: its refusals, as problem documents, and its health."""

from __future__ import annotations

import json
import re
import uuid
from typing import Final, NamedTuple, TypeAlias

from ordws.stream.counts import StreamRefusal

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
