"""Tests of the outermost middleware."""

from __future__ import annotations

import json
import threading
from io import BytesIO

import pytest

from ordws.api.action import MAX_BODY_BYTES
from ordws.web import middleware
from ordws.web.admission import MAX_READ, Admission
from ordws.web.middleware import RequestMiddleware
from ordws.web.senders import Sender
from ordws.web.wsgi import REGISTERED


class LoggedMiddleware:
    """The middleware around an application of the test, with every log line kept."""

    def __init__(self, inner, max_concurrent=4):
        self.lines = []
        self.layer = RequestMiddleware(
            inner,
            log=self.lines.append,
            new_id=lambda: "fresh",
            admission=Admission(max_concurrent, 0),
            identify=lambda environ: Sender("10.0.0.1"),
        )

    def __call__(self, method="POST", body=b"", **environ):
        length = str(len(body))
        asked = {"REQUEST_METHOD": method, "PATH_INFO": "/", "wsgi.input": BytesIO(body), "CONTENT_LENGTH": length}
        begun = []
        parts = self.layer({**asked, **environ}, lambda status, headers: begun.append((status, headers)))
        status, headers = begun[-1]
        return status, dict(headers), b"".join(parts)


def echo(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["wsgi.input"].read()]


def code(answer):
    status, headers, body = answer
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Content-Length"] == str(len(body))
    problem = json.loads(body)
    assert status.startswith(f"{problem['status']} ")
    return problem["status"], problem["code"]


def test_a_body_is_passed_on_whole():
    """A body must arrive whole, and the reply must be unchanged but for two headers."""
    assert LoggedMiddleware(echo)(body=b"abc") == (
        "200 OK",
        {"Content-Type": "text/plain", "X-Request-Id": "fresh", "X-Content-Type-Options": "nosniff"},
        b"abc",
    )


@pytest.mark.parametrize(("milliseconds", "expected"), [(0, "a client"), (9, "a client"), (11, None)])
def test_a_sender_stays_identified_for_a_moment(monkeypatch, milliseconds, expected):
    """A sender whose body took long is identified again, since the key may have been revoked meanwhile."""
    clock, found = iter([0.0, milliseconds / 1000, 1.0]), []

    def inner(environ, start_response):
        found.append(environ.get(REGISTERED))
        return echo(environ, start_response)

    layer = LoggedMiddleware(inner).layer
    layer._identify = lambda environ: Sender("10.0.0.1", 1, registered="a client")
    monkeypatch.setattr(middleware, "perf_counter", lambda: next(clock))
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/", "wsgi.input": BytesIO(b"abc"), "CONTENT_LENGTH": "3"}
    assert layer(environ, lambda status, headers: None) == [b"abc"]
    assert found == [expected]


class Dripping:
    """An input that returns one byte at a time."""

    def __init__(self, data):
        self.data = BytesIO(data)

    def read(self, size):
        return self.data.read(min(size, 1))


def test_a_slow_body_is_read_to_its_end():
    """The body of a slow client must be read to its end."""
    assert LoggedMiddleware(echo)(CONTENT_LENGTH="3", **{"wsgi.input": Dripping(b"abcdef")})[2] == b"abc"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, (411, "length-required")),
        ({"CONTENT_LENGTH": "-1"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": "1e3"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": "²"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": str(MAX_BODY_BYTES + 1)}, (413, "too-large")),
        ({"CONTENT_LENGTH": "9" * 5_000}, (413, "too-large")),
        ({"CONTENT_LENGTH": "4", "wsgi.input": BytesIO(b"abc")}, (400, "short-body")),
        ({"CONTENT_LENGTH": "4", "wsgi.input": BytesIO(b"")}, (400, "short-body")),
    ],
)
def test_a_body_of_another_length_is_refused(environ, expected):
    """A request whose length is missing, false or too great must not reach the application."""

    def never(environ, start_response):
        raise AssertionError("reached")

    assert code(LoggedMiddleware(never)(**environ)) == expected


def test_the_largest_body_is_accepted():
    """A body of 16 KiB must be accepted."""
    assert len(LoggedMiddleware(echo)(body=b"x" * MAX_BODY_BYTES)[2]) == 16_384


def test_without_a_length_there_is_no_body():
    """A request without a length has no body (RFC 9112)."""
    assert LoggedMiddleware(echo)("PUT", b"abc", CONTENT_LENGTH="")[2] == b""


def test_an_exception_becomes_a_500_without_its_text():
    """An exception must become a 500 without its text, and the log gets its type and place."""

    def mistaken(environ, start_response):
        raise KeyError("ZZXQV")

    front = LoggedMiddleware(mistaken)
    answer = front()
    assert code(answer) == (500, "internal-error")
    assert b"ZZXQV" not in answer[2]
    fault = front.lines[0].fault
    assert fault.startswith("KeyError at ")
    assert fault.rpartition(":")[0].endswith("test_middleware.py")
    assert "ZZXQV" not in fault


def test_an_exception_after_the_response_began_becomes_a_500():
    """An exception after the response began must become a 500 too, because the body is complete before it is sent."""

    def mistaken(environ, start_response):
        start_response("200 OK", [])
        yield b"a"
        raise KeyError("ZZXQV")

    assert code(LoggedMiddleware(mistaken)()) == (500, "internal-error")


def test_the_result_of_an_application_is_closed():
    """The result of an application must be closed, also when it fails."""
    closed = []

    class Parts:
        def __iter__(self):
            yield b"a"
            raise KeyError

        def close(self):
            closed.append(True)

    def application(environ, start_response):
        start_response("200 OK", [])
        return Parts()

    assert code(LoggedMiddleware(application)())[0] == 500
    assert closed == [True]


def test_a_full_queue_gets_503():
    """Requests beyond the slots of their queue must get 503 with Retry-After, while other queues go on."""
    inside, go_on = threading.Event(), threading.Event()

    def slow(environ, start_response):
        if environ["PATH_INFO"] == "/":
            inside.set()
            go_on.wait()
        return echo(environ, start_response)

    front = LoggedMiddleware(slow, max_concurrent=1)
    thread = threading.Thread(target=front)
    thread.start()
    inside.wait()
    answer, others = front(), [front(PATH_INFO=path) for path in ("/healthz", "/readyz", "/v1/games/x/turns")]
    go_on.set()
    thread.join()
    assert code(answer) == (503, "too-busy")
    assert [status for status, _, _ in others] == ["200 OK"] * 3
    assert answer[1]["Retry-After"] == "2"
    assert front()[0] == "200 OK"


class Held:
    """An input that says when it is read, and ends when it is told to."""

    def __init__(self):
        self.begun, self.go_on = threading.Event(), threading.Event()

    def read(self, size):
        self.begun.set()
        self.go_on.wait()
        return b"x" * size


def test_slow_bodies_of_one_caller_are_limited():
    """A 65th body of one caller that is read at once must get 503, while requests without a body go on."""
    front, bodies = LoggedMiddleware(echo), [Held() for _ in range(MAX_READ)]
    threads = [threading.Thread(target=front, kwargs={"CONTENT_LENGTH": "4", "wsgi.input": body}) for body in bodies]
    for thread, body in zip(threads, bodies, strict=True):
        thread.start()
        body.begun.wait()
    refused, probe = front(body=b"abcd"), front("GET", PATH_INFO="/healthz")
    for thread, body in zip(threads, bodies, strict=True):
        body.go_on.set()
        thread.join()
    assert code(refused) == (503, "too-busy")
    assert probe[0] == "200 OK"
    assert front(body=b"abcd")[0] == "200 OK"


def test_a_slot_is_released_after_an_exception():
    """An exception must release the slot."""

    def mistaken(environ, start_response):
        raise KeyError

    front = LoggedMiddleware(mistaken, max_concurrent=1)
    assert [code(front())[0] for _ in range(3)] == [500, 500, 500]


def test_a_refusal_of_head_has_no_body():
    """A refused HEAD must get the headers alone."""
    status, headers, body = LoggedMiddleware(echo)("HEAD", HTTP_TRANSFER_ENCODING="chunked")
    assert (status, body) == ("411 Length Required", b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("3fa85f64-5717-4562-b3fc-2c963f66afa6", "3fa85f64-5717-4562-b3fc-2c963f66afa6"),
        ("3fa85f6457174562b3fc2c963f66afa6", "3fa85f6457174562b3fc2c963f66afa6"),
        ("3fa85f64-57174562b3fc2c963f66afa6", "fresh"),
        ("ZZXQV", "fresh"),
        ("3fa85f6457174562b3fc2c963f66afa6\n", "fresh"),
        ("3FA85F6457174562B3FC2C963F66AFA6", "fresh"),
        ("", "fresh"),
    ],
)
def test_a_callers_request_id_is_a_uuid(given, used):
    """A caller's request id is written to the log, so that only a UUID may be accepted."""
    front = LoggedMiddleware(echo)
    assert front(HTTP_X_REQUEST_ID=given)[1]["X-Request-Id"] == used
    assert front.lines[0].id == used


def test_a_request_is_one_log_line():
    """A log line has id, method, route and status, and repeats neither a path nor an unknown method."""

    def application(environ, start_response):
        if environ["PATH_INFO"] == "/known":
            environ["ordws.route"] = "/known"
        return echo(environ, start_response)

    front = LoggedMiddleware(application)
    front(PATH_INFO="/known")
    front("ZZXQV", PATH_INFO="/ZZXQV")
    assert [(line.id, line.method, line.route, line.status, line.fault) for line in front.lines] == [
        ("fresh", "POST", "/known", 200, None),
        ("fresh", "other", "-", 200, None),
    ]
