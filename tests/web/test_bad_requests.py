"""Tests that a bad request is told what was wrong with it, by the table that authors of clients can read."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest
from each_row import each_row
from hypothesis import given
from hypothesis import strategies as st
from paired_devices import make_director
from small_installation import FakeClock, InProcessService

from ordws.api.actions import ACTIONS
from ordws.api.problems import Problem
from ordws.api.requests import MAX_FAULTS, Nothing, read_body, read_query

TABLE = Path(__file__).parents[1] / "vectors" / "requests" / "bad_requests.txt"
PLACE = re.compile(r'(body|"[a-z][A-Za-z0-9_-]*"|a name of \d+ characters?|[A-Z][a-z]+(-[A-Z][a-z]+)*)(?=[:,])')
"""What a detail begins with: the body, a field, or a header."""


class BadRequest(NamedTuple):
    """A request of the table, and the reply that it gets."""

    method: str
    target: str
    body: str
    headers: dict[str, str]
    reply: str


def read_table():
    """Return the requests of the table."""
    found = []
    for block in TABLE.read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if not line.startswith("#")]
        if lines:
            method, target, *body = lines[0].split(" ", maxsplit=2)
            headers = dict(re.split(r": ?", line.strip(), maxsplit=1) for line in lines[1:-1])
            found.append(BadRequest(method, target, " ".join(body), headers, lines[-1].strip()))
    return found


REQUESTS = read_table()


@pytest.fixture(scope="module")
def senders(shared_installation):
    """Return the test client of each sender of the table, with its Authorization."""
    service = InProcessService(shared_installation.services(), shared_installation.key, FakeClock())
    club = make_director(service, shared_installation)
    desk = shared_installation.register.add("desk", "operator", 0, scopes=["tournament"])
    shared_installation.register.verify("desk", 0)
    tablet = club.pairs("Table 1")
    same_origin = {"Origin": "http://localhost"}
    return {
        "a home": (service.http, {"Authorization": f"Bearer {service.key}"}),
        "an operator": (service.http, {"Authorization": f"Bearer {club.key}"}),
        "an operator's desk": (service.http, {"Authorization": f"Bearer {desk}"}),
        "a paired device": (tablet.http, same_origin),
    }


def send(senders, request):
    """Send a request of the table and return its reply as the table writes it."""
    headers = dict(request.headers)
    http, credentials = senders[headers.pop("as", "a home")]
    headers = {"Content-Type": "application/json", **credentials, **headers}
    headers = {name: value for name, value in headers.items() if value}
    data = request.body.encode() if request.method == "POST" else None
    reply = http.open(request.target, method=request.method, data=data, headers=headers)
    assert reply.content_type == "application/problem+json", request
    assert reply.json["status"] == reply.status_code
    return f"{reply.status_code} {reply.json['code']}: {reply.json['detail']}"


@each_row("request_", REQUESTS)
def test_a_bad_request_gets_the_reply_of_the_table(request_, senders):
    """A bad request is told the field, the shape of what was sent and what is expected, as the table says."""
    assert send(senders, request_) == request_.reply


def test_every_400_begins_with_its_field():
    """Every detail of a 400 begins with a field, a header or the body, and repeats nothing that was sent."""
    for request in REQUESTS:
        status, _, detail = request.reply.partition(" ")
        detail = detail.partition(": ")[2]
        assert status[0] in "4"
        if status == "400":
            assert PLACE.match(detail), request
            assert 1 <= detail.count("; ") + 1 <= MAX_FAULTS


def test_the_table_has_every_route():
    """Every action that takes a request has a bad one in the table."""
    of_table = {(request.method, request.target.partition("?")[0]) for request in REQUESTS}
    for method, path in ACTIONS:
        pattern = re.sub(r"\{\w+\}", "[^/]+", path)
        assert any(each == method and re.fullmatch(pattern, target) for each, target in of_table), (method, path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=70),
    lambda children: st.lists(children, max_size=9) | st.dictionaries(st.text(max_size=8), children, max_size=4),
    max_leaves=12,
)
KINDS = sorted({action.request_type for action in ACTIONS.values()}, key=lambda kind: kind.__name__)


def refusal(read, *arguments):
    """Return the detail of the problem that a reader raises, or None where there is none."""
    try:
        read(*arguments)
    except Problem as problem:
        return problem.detail


@given(st.data(), st.sampled_from(KINDS))
def test_a_body_that_cannot_be_read_has_a_fault_in_words(data, kind):
    """Whatever is sent for a field, a body that cannot be read has a fault that names a field or the body."""
    names = [field.encode_name for field in msgspec.structs.fields(kind)]
    fields = st.dictionaries(st.sampled_from([*names, "extra"]), JSON, max_size=len(names) + 1)
    detail = refusal(read_body, kind, "application/json", json.dumps(data.draw(fields | JSON)).encode())
    assert detail is None or (PLACE.match(detail) and "expected" in detail and detail.count("; ") < MAX_FAULTS), detail


@given(st.sampled_from([kind for kind in KINDS if kind is not Nothing]), st.text(max_size=30))
def test_a_query_that_cannot_be_read_has_a_fault_in_words(kind, query):
    """Whatever the query, one that cannot be read has a fault that names a parameter."""
    detail = refusal(read_query, kind, query)
    assert detail is None or PLACE.match(detail), detail
