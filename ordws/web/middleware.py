"""The outermost middleware: it reads bodies, admits requests, logs them, and turns every failure into a problem."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from io import BytesIO
from random import Random
from time import perf_counter
from typing import Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.api import problems
from ordws.api.action import MAX_BODY_BYTES, AuthenticatedAction, PublicAction
from ordws.api.actions import ACTIONS
from ordws.api.problems import Problem
from ordws.api.replies import HttpHeader
from ordws.logs import redact_error
from ordws.web.admission import Admission
from ordws.web.request_log import RequestLogger, RequestLogLine
from ordws.web.senders import Sender
from ordws.web.wsgi import REGISTERED, REQUEST_ID, ROUTE_TEMPLATE, SENDER_ADDRESS, STATUS_LINES, length_required

IDENTITY_SECONDS: Final = 0.01
"""The time for which a sender stays identified; one who waited longer for a slot or for their body is identified again.
"""

_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}")
"""A caller's own request id is written to the log, so it must not be able to spell a word."""

_NOSNIFF: Final = ("X-Content-Type-Options", "nosniff")
_BODIES_OF_ANYBODY: Final = re.compile(
    "|".join(
        [
            re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path))
            for (_, path), action in ACTIONS.items()
            if isinstance(action, PublicAction)
        ]
    )
)
_LARGER_BODIES: Final = {
    path: action.max_body_bytes
    for (_, path), action in ACTIONS.items()
    if isinstance(action, AuthenticatedAction) and action.max_body_bytes > MAX_BODY_BYTES
}
_random: Final = Random()
"""Seeded by the system in each process; a request id has to be unique, not unguessable."""


class BufferedResponse(NamedTuple):
    """A complete response, so that nothing can fail after its status has been sent; `fault` goes to the log."""

    status: int
    headers: list[HttpHeader]
    body: bytes
    fault: str | None = None


class RequestMiddleware:
    """Read each body whole, admit the request, buffer its response, log it, and turn every failure into a problem."""

    def __init__(
        self,
        app: WSGIApplication,
        *,
        log: RequestLogger,
        new_id: Callable[[], str],
        admission: Admission,
        identify: Callable[[WSGIEnvironment], Sender],
    ) -> None:
        self._app = app
        self._log = log
        self._new_id = new_id
        self._admission = admission
        self._identify = identify

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        given_id = environ.get("HTTP_X_REQUEST_ID")
        request_id = environ[REQUEST_ID] = given_id if given_id and _UUID.fullmatch(given_id) else self._new_id()
        try:
            response = self._admit(environ, self._identify(environ), began)
        except Problem as problem:
            response = _problem_response(environ, problem, request_id)
        except Exception as error:  # noqa: BLE001 - beyond this line the server would print it, with its values
            mistake = Problem("internal-error", "the fault is in the log under this request's id")
            response = _problem_response(environ, mistake, request_id)._replace(fault=redact_error(error))
        status, headers, body, fault = response
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

    def _admit(self, environ: WSGIEnvironment, sender: Sender, began: float) -> BufferedResponse:
        """Read the body, wait for a slot and return the response; raise a Problem where there is none in time."""
        environ[SENDER_ADDRESS] = sender.address
        # Probes have no body, and get through where their sender has too many.
        has_body = environ.get("CONTENT_LENGTH", "0") not in ("", "0")
        if has_body and sender.is_stranger and not _BODIES_OF_ANYBODY.fullmatch(environ["PATH_INFO"]):
            # The request is refused whatever it holds, so a slow body of somebody without a key holds no thread.
            has_body, environ["CONTENT_LENGTH"], environ["wsgi.input"] = False, "0", BytesIO()
        if has_body and not self._admission.begin_body(sender):
            raise problems.too_busy()
        try:
            environ["wsgi.input"] = BytesIO(_read_body(environ))
        finally:
            if has_body:
                self._admission.end_body(sender)
        # A slot is taken after the body was read, so that slow bodies hold none.
        queue = self._admission.queue_for(environ["PATH_INFO"])
        if queue.would_refuse(sender) or (slot := queue.acquire(sender)) is None:
            raise problems.too_busy()
        if perf_counter() < began + IDENTITY_SECONDS:
            environ[REGISTERED] = sender.registered
        try:
            return _buffer_response(self._app, environ)
        finally:
            queue.release(slot)


def new_request_id() -> str:
    """Return a random UUID, in a fifth of the time that the uuid module takes."""
    digits = f"{_random.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def _read_body(environ: WSGIEnvironment) -> bytes:
    """Read the whole body; raise a Problem where it has no length, is too large, or ends early."""
    content_length = environ.get("CONTENT_LENGTH", "")
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise length_required()
    if not content_length:
        return b""
    if not (content_length.isascii() and content_length.isdecimal()):
        raise Problem("bad-request", "Content-Length: not a number, expected the number of bytes in the body")
    # The number of digits comes first: int() takes long for thousands of them, and refuses more.
    most = _LARGER_BODIES.get(environ["PATH_INFO"], MAX_BODY_BYTES)
    if len(content_length) > len(str(most)) or int(content_length) > most:
        raise Problem("too-large", f"body: too long, expected at most {most} bytes")
    length, read = int(content_length), environ["wsgi.input"].read
    body: bytes = read(length)
    while len(body) < length:
        # An empty read is the only sign of a client that disconnected or sent a broken chunk.
        if not (part := read(length - len(body))):
            raise Problem("short-body", f"body: ended after {len(body)} bytes, expected the {length} of Content-Length")
        body += part
    return body


def _buffer_response(app: WSGIApplication, environ: WSGIEnvironment) -> BufferedResponse:
    """Run an application and return its complete response."""
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
    status, headers = begun[-1]  # WSGI allows a second start, which replaces the first
    return BufferedResponse(int(status[:3]), headers, body)


def _refuse_write(data: bytes) -> None:
    raise TypeError("a response is returned, not written")


def _problem_response(environ: WSGIEnvironment, problem: Problem, request_id: str) -> BufferedResponse:
    status, headers, body = problems.to_reply(problem, request_id)
    sent_body = b"" if environ["REQUEST_METHOD"] == "HEAD" else body
    return BufferedResponse(status, [*headers, ("Content-Length", str(len(body)))], sent_body)
