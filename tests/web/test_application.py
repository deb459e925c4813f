"""Tests of the way of a request: its body, its slot, its log line, and problems for all failures."""

from __future__ import annotations

import json
import threading
from io import BytesIO

from ordws.api.requests import MAX_BODY_BYTES
from ordws.web.application import Application
from ordws.web.senders import MAX_HELD_BY_ADDRESS, MAX_HELD_BY_ONE, Admission

QUESTION = b'{"words": ["LOVERS"]}'


class Front:
    """The application over a service, with pages of the test, and every log line kept."""

    def __init__(self, service, pages=None, **settings):
        self.service, self.lines = service, []
        self.app = Application(
            service.services,
            pages or echo,
            lambda environ: None,
            clock=service.clock,
            new_id=lambda: "fresh",
            log=self.lines.append,
            admission=Admission(patience=0.0, **settings),
            counts=None,
        )

    def __call__(self, method="POST", body=b"", path="/v1/judge", **environ):
        asked = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "REMOTE_ADDR": "10.0.0.1",
            "HTTP_HOST": "localhost",
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_AUTHORIZATION": f"Bearer {self.service.key}",
            "wsgi.input": BytesIO(body),
        }
        begun = []
        parts = self.app({**asked, **environ}, lambda status, headers: begun.append((status, headers)))
        ((status, headers),) = begun
        return status, dict(headers), b"".join(parts)


def echo(environ, start_response):
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [environ["PATH_INFO"].encode()]


def code(answer):
    status, headers, body = answer
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["Content-Length"] == str(len(body))
    problem = json.loads(body)
    assert status.startswith(f"{problem['status']} ")
    return problem["status"], problem["code"]


def test_an_answer_has_these_headers(service):
    """A verdict and a page get the request's id and one more header, and nothing else is changed."""
    common = {"X-Request-Id": "fresh", "X-Content-Type-Options": "nosniff"}
    front = Front(service)
    said = {"Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": "15"}
    assert front(body=QUESTION) == ("200 OK", said | common, b'{"valid":true }')
    assert front("GET", path="/page") == ("200 OK", {"Content-Type": "text/plain"} | common, b"/page")


class Dripping:
    """An input that returns one byte at a time."""

    def __init__(self, data):
        self.data = BytesIO(data)

    def read(self, size):
        return self.data.read(min(size, 1))


def test_a_slow_body_is_read_to_its_end(service):
    """The body of a slow client is read to its end, and no further."""
    dripping = Dripping(QUESTION + b"more")
    assert Front(service)(CONTENT_LENGTH=str(len(QUESTION)), **{"wsgi.input": dripping})[0] == "200 OK"


def test_a_body_of_another_length_is_refused(service):
    """A request whose length is missing, false or too great costs nothing; the largest body is read."""
    front = Front(service)
    for environ, expected in (
        ({"HTTP_TRANSFER_ENCODING": "chunked"}, (411, "length-required")),
        ({"CONTENT_LENGTH": ""}, (411, "length-required")),
        ({"CONTENT_LENGTH": "-1"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": "1e3"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": "²"}, (400, "bad-request")),
        ({"CONTENT_LENGTH": str(MAX_BODY_BYTES + 1)}, (413, "too-large")),
        ({"CONTENT_LENGTH": "9" * 5_000}, (413, "too-large")),
        ({"CONTENT_LENGTH": "40"}, (400, "short-body")),
    ):
        assert code(front(body=QUESTION, **environ)) == expected, environ
    assert service.quota()["units"] == 356
    assert front(body=QUESTION.ljust(MAX_BODY_BYTES))[0] == "200 OK"


class Held:
    """An input that says when it is read, and ends when it is told to."""

    def __init__(self, body=QUESTION):
        self.begun, self.go_on, self.body = threading.Event(), threading.Event(), BytesIO(body)

    def read(self, size):
        self.begun.set()
        self.go_on.wait()
        return self.body.read(size)


def test_nobody_without_a_credential_holds_a_thread_by_a_body(service):
    """A request without a valid key is refused before its body is read, and so is one to an address without a use."""

    class Unread:
        def read(self, size):
            raise AssertionError("read")

    front, unread = Front(service), {"CONTENT_LENGTH": "9", "wsgi.input": Unread()}
    for headers in ({"HTTP_AUTHORIZATION": ""}, {"HTTP_AUTHORIZATION": "Bearer ordws_live_wrong"}):
        assert code(front(**headers, **unread)) == (401, "unauthorized")
    assert front(path="/nowhere", **unread)[0] == "200 OK"


def test_a_key_that_was_revoked_meanwhile_is_recognised_again(service, installation, monkeypatch):
    """A sender whose body took long is recognised again before anything is charged."""
    monkeypatch.setattr("ordws.web.application.IDENTITY_SECONDS", 0.0)
    front, body = Front(service), Held()
    answers = []

    def ask():
        answers.append(front(CONTENT_LENGTH=str(len(QUESTION)), **{"wsgi.input": body}))

    thread = threading.Thread(target=ask)
    thread.start()
    body.begun.wait()
    installation.register.revoke("home", 1)
    body.go_on.set()
    thread.join()
    assert code(answers[0]) == (401, "unauthorized")


def test_slow_bodies_of_one_caller_are_limited(service):
    """One key, and one address without a key, have so many bodies read at once, while probes and others go on."""
    other = service.services.register.add("other", "home", 1)
    for most, asked in (
        (MAX_HELD_BY_ONE, {}),
        (MAX_HELD_BY_ADDRESS, {"HTTP_AUTHORIZATION": "", "path": "/v1/home"}),
    ):
        front, bodies = Front(service), [Held() for _ in range(most)]
        more = [{"CONTENT_LENGTH": "4", "wsgi.input": body, **asked} for body in bodies]
        threads = [threading.Thread(target=front, kwargs=each) for each in more]
        for thread, body in zip(threads, bodies, strict=True):
            thread.start()
            body.begun.wait()
        refused = front(body=b"abcd", **asked)
        others = front("GET", path="/healthz"), front(body=QUESTION, HTTP_AUTHORIZATION=f"Bearer {other}")
        for thread, body in zip(threads, bodies, strict=True):
            body.go_on.set()
            thread.join()
        assert code(refused) == (503, "too-busy")
        assert refused[1]["Retry-After"] == "2"
        assert [status for status, _, _ in others] == ["200 OK"] * 2
        assert code(front(body=b"abcd", **asked)) == (400, "bad-request")


def test_a_slot_is_released_after_an_exception(service):
    """An exception becomes a 500 without its text and releases the slot; the log gets its type and its place."""

    def mistaken(environ, start_response):
        start_response("200 OK", [])
        yield b"a"
        raise KeyError("ZZXQV")

    front = Front(service, mistaken, slots=1)
    for _ in range(3):
        answer = front("GET", path="/page")
        assert code(answer) == (500, "internal-error")
        assert b"ZZXQV" not in answer[2]
    fault = front.lines[0].fault
    assert fault.startswith("KeyError at ")
    assert fault.rpartition(":")[0].endswith("test_application.py")
    assert "ZZXQV" not in fault


def test_the_result_of_an_application_is_closed(service):
    """The result of the pages' application is closed, also when it fails."""
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

    assert code(Front(service, application)("GET", path="/page"))[0] == 500
    assert closed == [True]


def test_a_full_queue_gets_503(service):
    """Requests that wait too long get 503 with Retry-After, while other queues go on."""
    inside, go_on = threading.Event(), threading.Event()

    def slow(environ, start_response):
        inside.set()
        go_on.wait()
        return echo(environ, start_response)

    front = Front(service, slow, slots=1)
    thread = threading.Thread(target=front, args=("GET",), kwargs={"path": "/page"})
    thread.start()
    inside.wait()
    answer = front(body=QUESTION)
    others = [front("GET", path=path) for path in ("/healthz", "/readyz", f"/v1/games/{'0' * 32}")]
    go_on.set()
    thread.join()
    assert code(answer) == (503, "too-busy")
    assert [status[:3] for status, _, _ in others] == ["200", "200", "403"]
    assert answer[1]["Retry-After"] == "2"
    assert front(body=QUESTION)[0] == "200 OK"


def test_a_head_has_no_body(service):
    """A HEAD gets the headers of the GET alone, and so does a refused one."""
    front = Front(service)
    answer, shown = [front(method, path="/v1/rules/dover") for method in ("HEAD", "GET")]
    assert (answer[:2], answer[2]) == (shown[:2], b"")
    status, headers, body = front("HEAD", HTTP_TRANSFER_ENCODING="chunked", path="/page")
    assert (status, body) == ("411 Length Required", b"")
    assert int(headers["Content-Length"]) > 0


def test_a_callers_request_id_is_a_uuid(service):
    """A caller's request id is written to the log, so that only a UUID is accepted."""
    front = Front(service)
    for given, used in (
        ("3fa85f64-5717-4562-b3fc-2c963f66afa6", "3fa85f64-5717-4562-b3fc-2c963f66afa6"),
        ("3fa85f6457174562b3fc2c963f66afa6", "3fa85f6457174562b3fc2c963f66afa6"),
        ("3fa85f64-57174562b3fc2c963f66afa6", "fresh"),
        ("ZZXQV", "fresh"),
        ("3fa85f6457174562b3fc2c963f66afa6\n", "fresh"),
        ("3FA85F6457174562B3FC2C963F66AFA6", "fresh"),
        ("", "fresh"),
    ):
        assert front(HTTP_X_REQUEST_ID=given)[1]["X-Request-Id"] == used
        assert front.lines[-1].id == used


def test_a_request_is_one_log_line(service):
    """A log line has id, method, route and status, and repeats neither a path nor an unknown method."""

    def pages(environ, start_response):
        if environ["PATH_INFO"] == "/known":
            environ["ordws.route"] = "/known"
        return echo(environ, start_response)

    front = Front(service, pages)
    front("GET", path="/known")
    front("ZZXQV", path="/ZZXQV")
    front("GET", path=f"/v1/games/{'5' * 32}")
    assert [(line.id, line.method, line.route, line.status, line.fault) for line in front.lines] == [
        ("fresh", "GET", "/known", 200, None),
        ("fresh", "other", "-", 200, None),
        ("fresh", "GET", "/v1/games/{id}", 403, None),
    ]
