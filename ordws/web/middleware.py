"""The outermost layer: what every request meets first and every answer passes last."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from io import BytesIO
from random import Random
from time import perf_counter
from typing import Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.api import problems
from ordws.api.problems import Problem
from ordws.api.replies import HttpHeader
from ordws.logs import redact_error
from ordws.web.admission import Admission
from ordws.web.request_log import RequestLogger, RequestLogLine
from ordws.web.wsgi import REQUEST_ID, ROUTE_TEMPLATE, STATUS_LINES, length_required

MAX_BODY_BYTES: Final = 16 * 1024
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}")
"""A caller's own request id is written to the log, so it must not be able to spell a word."""

_NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")
_random: Final = Random()
"""Seeded by the system in each process; a request id has to be unlike all others, not to be unguessable."""


class BufferedResponse(NamedTuple):
    """An answer with its body at hand, so that nothing can go wrong once it has begun."""

    status: int
    headers: list[HttpHeader]
    body: bytes
    fault: str | None = None


class RequestMiddleware:
    """Counts requests, reads each body once and whole, and turns whatever goes wrong into a problem."""

    def __init__(
        self, app: WSGIApplication, *, log: RequestLogger, new_id: Callable[[], str], admission: Admission
    ) -> None:
        self._app = app
        self._log = log
        self._new_id = new_id
        self._admission = admission

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID")
        request_id = environ[REQUEST_ID] = given if given and _UUID.fullmatch(given) else self._new_id()
        status, headers, body, fault = self._respond(environ, request_id)
        method = environ["REQUEST_METHOD"]
        self._log(
            RequestLogLine(
                request_id,
                method if method in _METHODS else "other",
                environ.get(ROUTE_TEMPLATE, "-"),
                status,
                round((perf_counter() - began) * 1000, 3),
                fault,
            )
        )
        start_response(STATUS_LINES[status], [*headers, ("X-Request-Id", request_id), _NOSNIFF])
        return [body]

    def _respond(self, environ: WSGIEnvironment, request_id: str) -> BufferedResponse:
        try:
            environ["wsgi.input"] = BytesIO(_read_body(environ))
            places = self._admission.queue_for(environ["PATH_INFO"])
            if not places.acquire():  # after the body, so that slow ones fill none
                return _problem_response(environ, problems.too_busy(), request_id)
            try:
                return _buffer_response(self._app, environ)
            finally:
                places.release()
        except Problem as problem:
            return _problem_response(environ, problem, request_id)
        except Exception as error:  # noqa: BLE001 - beyond this line the server would print it, with its values
            mistake = Problem("internal-error", "the fault is in the log under this request's id")
            return _problem_response(environ, mistake, request_id)._replace(fault=redact_error(error))


def new_request_id() -> str:
    """A random UUID, in a fifth of the time that the uuid module takes."""
    digits = f"{_random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _read_body(environ: WSGIEnvironment) -> bytes:
    """The whole body; a Problem where it does not say its length, is too large, or ends before it should."""
    given = environ.get("CONTENT_LENGTH", "")
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise length_required()
    if not given:
        return b""
    if not (given.isascii() and given.isdecimal()):
        raise Problem("bad-request", "Content-Length is not a number")
    if len(given) > len(str(MAX_BODY_BYTES)) or int(given) > MAX_BODY_BYTES:
        raise Problem("too-large", f"a body has at most {MAX_BODY_BYTES} bytes")
    return _read_exactly(environ, int(given))


def _read_exactly(environ: WSGIEnvironment, length: int) -> bytes:
    """A client that went away, or sent a broken chunk, shows as a body that is too short."""
    read = environ["wsgi.input"].read
    body: bytes = read(length)
    while len(body) < length:
        if not (part := read(length - len(body))):
            raise Problem("short-body", "the body is shorter than its Content-Length")
        body += part
    return body


def _buffer_response(app: WSGIApplication, environ: WSGIEnvironment) -> BufferedResponse:
    begun: list[tuple[str, list[HttpHeader]]] = []

    def start(status: str, headers: list[HttpHeader], exc_info: object = None) -> Callable[[bytes], object]:
        begun.append((status, headers))
        return _refuse_write

    parts = app(environ, start)
    try:
        body = b"".join(parts)
    finally:
        if (close := getattr(parts, "close", None)) is not None:
            close()
    status, headers = begun[-1]
    return BufferedResponse(int(status[:3]), headers, body)


def _refuse_write(data: bytes) -> None:
    raise TypeError("an answer is returned, not written")


def _problem_response(environ: WSGIEnvironment, problem: Problem, request_id: str) -> BufferedResponse:
    status, headers, body = problems.to_reply(problem, request_id)
    sent = b"" if environ["REQUEST_METHOD"] == "HEAD" else body
    return BufferedResponse(status, [*headers, ("Content-Length", str(len(body)))], sent)
