"""The translation between WSGI and the API, shared by the fast application and the Flask application."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final
from wsgiref.types import WSGIEnvironment

from ordws.api.dispatch import RawRequest
from ordws.api.problems import Problem
from ordws.api.replies import Reply
from ordws.web.browser_headers import device_token, is_cross_site, own_origin, seat_cookies, secure_cookie

REQUEST_ID: Final = "ordws.request-id"
REGISTERED: Final = "ordws.registered"
SENDER_ADDRESS: Final = "ordws.sender-address"
ROUTE_TEMPLATE: Final = "ordws.route"
STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}
_NO_PATH: Final[Mapping[str, str]] = {}


def read_request(environ: WSGIEnvironment, path: Mapping[str, str] = _NO_PATH) -> RawRequest:
    """Read a request whose body is buffered already; raise a Problem for a POST without a Content-Length."""
    get, method = environ.get, environ["REQUEST_METHOD"]
    if method == "POST" and not get("CONTENT_LENGTH"):
        raise length_required()
    return RawRequest(
        environ[REQUEST_ID],
        method,
        get("HTTP_AUTHORIZATION", ""),
        get("CONTENT_TYPE", ""),
        get("QUERY_STRING", ""),
        environ["wsgi.input"].read(),
        path,
        get("HTTP_IDEMPOTENCY_KEY"),
        get("HTTP_SEAT_TOKEN", ""),
        get("HTTP_ACCEPT", ""),
        device_token(environ) if "HTTP_COOKIE" in environ else "",
        ("HTTP_SEC_FETCH_SITE" in environ or "HTTP_ORIGIN" in environ) and is_cross_site(environ),
        get(SENDER_ADDRESS, ""),
        # A browser sends the cookie of a seat to the routes of its game alone, whose paths have a field.
        seat_cookies(environ) if path else (),
        own_origin(environ) if path else "",
        get(REGISTERED),
    )


def finish_reply(reply: Reply, environ: WSGIEnvironment) -> Reply:
    """Return a reply as it is sent over this connection, with Secure cookies over TLS."""
    # Hardly any reply has a cookie, so that no list of headers is built for the others.
    for name, _ in reply.headers:
        if name == "Set-Cookie":
            return reply._replace(headers=tuple([secure_cookie(header, environ) for header in reply.headers]))
    return reply


def length_required() -> Problem:
    return Problem("length-required", "Content-Length: missing, expected the number of bytes in the body")
