"""The minimum of a WSGI application: read the body, and answer a constant as long as a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

BODY = b'{"valid":true }'
ID = "00000000-0000-4000-8000-000000000000"
COMMON_HEADERS = [("X-Request-Id", ID), ("X-Content-Type-Options", "nosniff")]
"""The headers that the service sends with every answer."""
HEADERS = [
    ("Content-Type", "application/json"),
    ("Cache-Control", "no-store"),
    ("Content-Length", "15"),
    *COMMON_HEADERS,
]


def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
    start_response("200 OK", HEADERS)
    return [BODY]
