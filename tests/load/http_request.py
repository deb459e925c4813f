"""What is sent: requests as the project's own client builds them, written out byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from ordws.client import wire

Then: TypeAlias = Callable[[Any], None]
"""Gets the answer as the client reads it, or None where it was refused or lost."""

_AGENT: Final = "ordws-load"


class Request(NamedTuple):
    """One request that is ready to be sent, and what follows when it is answered."""

    kind: str
    asked: wire.Request[Any]
    data: bytes
    then: Then | None = None


def headers_of(key: str | None) -> Mapping[str, str]:
    """What goes with each request of a client."""
    return {"Host": "localhost", **wire.common_headers(key, _AGENT)}


def request(kind: str, asked: wire.Request[Any], common: Mapping[str, str], then: Then | None = None) -> Request:
    """A request with the headers of whose it is."""
    headers = {**common, **dict(asked.all_headers())}
    if asked.body:
        headers["Content-Length"] = str(len(asked.body))
    lines = [f"{asked.method} {asked.path} HTTP/1.1", *[f"{name}: {value}" for name, value in headers.items()], "", ""]
    return Request(kind, asked, "\r\n".join(lines).encode("ascii") + asked.body, then)
