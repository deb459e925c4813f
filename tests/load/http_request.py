"""HTTP requests as the project's own client builds them, encoded as bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from ordws.client import wire

Then: TypeAlias = Callable[[Any], None]
"""A callback with the reply as the client reads it, or None where the request was refused or lost."""

_AGENT: Final = "ordws-load"


class Request(NamedTuple):
    """A request that is ready to be sent, and the callback for its reply."""

    kind: str
    operation: wire.Request[Any]
    data: bytes
    then: Then | None = None


def headers_of(key: str | None) -> Mapping[str, str]:
    """Return the headers of each request of a client."""
    return {"Host": "localhost", **wire.common_headers(key, _AGENT)}


def request(kind: str, operation: wire.Request[Any], common: Mapping[str, str], then: Then | None = None) -> Request:
    """Return a request with the headers of its client."""
    headers = {**common, **dict(operation.all_headers())}
    if operation.body:
        headers["Content-Length"] = str(len(operation.body))
    lines = [
        f"{operation.method} {operation.path} HTTP/1.1",
        *[f"{name}: {value}" for name, value in headers.items()],
        "",
        "",
    ]
    return Request(kind, operation, "\r\n".join(lines).encode("ascii") + operation.body, then)
