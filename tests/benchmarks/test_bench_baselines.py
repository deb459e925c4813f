"""Tests that the baselines do the work that they stand for."""

from __future__ import annotations

import json
import socket
import threading
from io import BytesIO
from itertools import islice
from random import Random

import pytest
from small_installation import CORE, WORDS

from tests.benchmarks.baselines import bare_wsgi, flask_limiter
from tests.benchmarks.closed_loop import ClosedLoop
from tests.benchmarks.request_load import JudgeRequest, generate_requests

ASKED = JudgeRequest("key", ("CAT", "QUIZ"), "final")


def test_the_minimal_answer_resembles_a_verdict(serve):
    """The minimal answer has the status, headers and length of a verdict, so that the server sends as much."""
    begun = []
    environ = {"wsgi.input": BytesIO(b"{}"), "CONTENT_LENGTH": "2"}
    body = b"".join(bare_wsgi.app(environ, lambda status, headers: begun.append((status, dict(headers)))))
    verdict = serve().judge("CAT")
    headers = {**verdict.headers, "X-Request-Id": bare_wsgi.ID}
    assert (begun, body) == ([(verdict.status, headers)], verdict.data)


def test_the_baseline_judges_words():
    """The Flask route with Flask-Limiter says yes and no to the same questions as the service."""
    http = flask_limiter.make_app(WORDS).test_client()
    replies = [
        http.post("/v1/judge", json={"words": words}, headers={"Authorization": "Bearer x"})
        for words in (
            ["CAT", "QUIZ"],
            ["CAT", "ZAG"],
        )
    ]
    assert [reply.json for reply in replies] == [{"valid": True}, {"valid": False}]


def test_a_request_has_the_body_length_that_it_names():
    """A request has a head and a body of the length that the head names."""
    head, _, body = ASKED.to_http().partition(b"\r\n\r\n")
    assert json.loads(body) == {"words": ["CAT", "QUIZ"], "game": "final"}
    assert head.decode().split("\r\n") == [
        "POST /v1/judge HTTP/1.1",
        "Host: localhost",
        "Authorization: Bearer key",
        "Content-Type: application/json",
        "Content-Length: 43",
    ]


def test_one_word_in_ten_is_outside_the_core_list():
    """One word in ten is outside the core list, half of the questions are in games, and all get a yes."""
    requests = list(islice(generate_requests(["a", "b"], WORDS, CORE, Random(1)), 2_000))
    words = [word for each in requests for word in each.words]
    assert set(words) == set(WORDS)
    assert sum(word not in CORE for word in words) / len(words) == pytest.approx(0.1, abs=0.02)
    assert sum(each.game is not None for each in requests) / len(requests) == pytest.approx(0.5, abs=0.05)


def test_another_status_ends_the_load():
    """A refusal ends the load with an error and is not counted as an answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        answering = threading.Thread(target=_refuse, args=(server,))
        answering.start()
        loop = ClosedLoop(server.getsockname()[1], connections=1)
        with pytest.raises(RuntimeError, match=r"answered by HTTP/1\.1 429"):
            loop.send_all([ASKED.to_http()])
        loop.close()
        answering.join()


def _refuse(server):
    """Send a refusal in two pieces, as an answer may come."""
    connection, _ = server.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 429 Too Many Requests\r\nContent-Le")
        connection.sendall(b"ngth: 2\r\n\r\n{}")
        connection.recv(1)
