"""One HTTP request to a server of this host, over a connection of its own."""

from __future__ import annotations

import http.client
import json
import socket
from pathlib import Path
from typing import Any, Final, NamedTuple

from processes import TIMEOUT_SECONDS

_PROBE_SECONDS: Final = 5.0
"""A server that only begins may lose a connection: whoever waits for it asks again."""


class Reply(NamedTuple):
    """The reply to a request."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def send(
    port: int | Path,
    method: str,
    path: str,
    body: object = None,
    *,
    host: str = "127.0.0.1",
    source: str = "",
    timeout: float = TIMEOUT_SECONDS,
    **headers: str,
) -> Reply:
    """Send a request to a port or to a Unix socket, from the address `source` if one is given.

    A body that is neither bytes nor a string is sent as JSON, and JSON is what any body is said to be unless a header
    says otherwise. Raises OSError where no reply comes.
    """
    number = port if isinstance(port, int) else 80
    connection = http.client.HTTPConnection(host, number, timeout, (source, 0) if source else None)
    if isinstance(port, Path):
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(timeout)
        connection.sock.connect(str(port))
    data = body if isinstance(body, bytes | str | None) else json.dumps(body)
    try:
        connection.request(method, path, data, {"Content-Type": "application/json", **headers})
        reply = connection.getresponse()
        return Reply(reply.status, reply.headers, reply.read())
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def status_of(port: int | Path, path: str, *, method: str = "GET") -> int:
    """Return the status of the reply to a request without a body, 0 where none comes in five seconds."""
    try:
        return send(port, method, path, timeout=_PROBE_SECONDS).status
    except OSError:
        return 0
