"""The outermost layer: what every request meets first and every answer passes last."""

from __future__ import annotations

import re
import threading
import uuid
from collections.abc import Callable, Iterable
from http import HTTPStatus
from io import BytesIO
from time import perf_counter
from typing import Final, NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from ordws.desk import problems
from ordws.desk.problems import Problem
from ordws.desk.replies import Header
from ordws.logs import redacted
from ordws.service.logs import Line, Log

LARGEST_BODY: Final = 16 * 1024
REQUEST_ID: Final = "ordws.request-id"
ROUTE: Final = "ordws.route"
_METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_UUID: Final = re.compile(r"[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}")
"""A caller's own request id is written to the log, so it must not be able to spell a word."""


class Answer(NamedTuple):
    """An answer with its body at hand, so that nothing can go wrong once it has begun."""

    status: int
    headers: list[Header]
    body: bytes
    fault: str | None = None


class Outermost:
    """Counts requests, reads each body once and whole, and turns whatever goes wrong into a problem."""

    def __init__(
        self, inner: WSGIApplication, *, log: Log, new_id: Callable[[], str], most_in_flight: int
    ) -> None:  # fmt: skip
        self._inner = inner
        self._log = log
        self._new_id = new_id
        self._places = threading.BoundedSemaphore(most_in_flight)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        request_id = environ[REQUEST_ID] = self._id(environ)
        answer = self._answer(environ, request_id)
        milliseconds = round((perf_counter() - began) * 1000, 3)
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in _METHODS else "other"
        self._log(Line(request_id, method, environ.get(ROUTE, "-"), answer.status, milliseconds, answer.fault))
        common = [("X-Request-Id", request_id), ("X-Content-Type-Options", "nosniff")]
        start_response(f"{answer.status} {HTTPStatus(answer.status).phrase}", answer.headers + common)
        return [answer.body]

    def _id(self, environ: WSGIEnvironment) -> str:
        given = environ.get("HTTP_X_REQUEST_ID", "")
        return given if _UUID.fullmatch(given) else self._new_id()

    def _answer(self, environ: WSGIEnvironment, request_id: str) -> Answer:
        if not self._places.acquire(blocking=False):
            return _refusal(environ, problems.too_busy(), request_id)
        try:
            environ["wsgi.input"] = BytesIO(_body(environ))
            return _collected(self._inner, environ)
        except Problem as problem:
            return _refusal(environ, problem, request_id)
        except Exception as error:  # noqa: BLE001 - beyond this line the server would print it, with its values
            mistake = Problem("internal-error", "the fault is in the log under this request's id")
            return _refusal(environ, mistake, request_id)._replace(fault=redacted(error))
        finally:
            self._places.release()


def new_id() -> str:
    return str(uuid.uuid4())


def length_required() -> Problem:
    return Problem("length-required", "send the body with Content-Length")


def _body(environ: WSGIEnvironment) -> bytes:
    """The whole body; a Problem where it does not say its length, is too large, or ends before it should."""
    given = environ.get("CONTENT_LENGTH", "")
    if "HTTP_TRANSFER_ENCODING" in environ:
        raise length_required()
    if not given:
        return b""
    if not (given.isascii() and given.isdecimal()):
        raise Problem("bad-request", "Content-Length is not a number")
    if len(given) > len(str(LARGEST_BODY)) or int(given) > LARGEST_BODY:
        raise Problem("too-large", f"a body has at most {LARGEST_BODY} bytes")
    return _read(environ, int(given))


def _read(environ: WSGIEnvironment, length: int) -> bytes:
    """A client that went away, or sent a broken chunk, shows as a body that is too short."""
    parts: list[bytes] = []
    left = length
    while left and (part := environ["wsgi.input"].read(left)):
        parts.append(part)
        left -= len(part)
    if left:
        raise Problem("short-body", "the body is shorter than its Content-Length")
    return b"".join(parts)


def _collected(inner: WSGIApplication, environ: WSGIEnvironment) -> Answer:
    begun: list[tuple[str, list[Header]]] = []

    def start(status: str, headers: list[Header], exc_info: object = None) -> Callable[[bytes], object]:
        begun.append((status, headers))
        return _refuse_write

    parts = inner(environ, start)
    try:
        body = b"".join(parts)
    finally:
        if (close := getattr(parts, "close", None)) is not None:
            close()
    status, headers = begun[-1]
    return Answer(int(status[:3]), headers, body)


def _refuse_write(data: bytes) -> None:
    raise TypeError("an answer is returned, not written")


def _refusal(environ: WSGIEnvironment, problem: Problem, request_id: str) -> Answer:
    status, headers, body = problems.told(problem, request_id)
    sent = b"" if environ["REQUEST_METHOD"] == "HEAD" else body
    return Answer(status, [*headers, ("Content-Length", str(len(body)))], sent)
