"""The requests as they are built and the replies as they are read, without a network."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path
from random import Random

import msgspec
import pytest
from each_row import each_row
from scripted_server import FixedRandom

from ordws.api import problems
from ordws.api.actions import ACTIONS
from ordws.client import TableOfEvent, errors, operations, replies, wire
from ordws.client.wire import Pause, RetryState, retry_delay

ROOT = Path(__file__).parents[2]
JSON = {"content-type": "application/json"}
PROBLEM = {"content-type": "application/problem+json; charset=utf-8"}


def problem_body(status, code, **fields):
    details = {"type": "t", "title": "t", "status": status, "detail": "d", "instance": "i", "code": code, **fields}
    return json.dumps(details).encode()


@each_row(
    ("request_", "method", "path", "body"),
    [
        (operations.judge("QUIZ"), "POST", "/v1/judge", b'{"words":["QUIZ"]}'),
        (
            operations.judge(iter(["QUIZ", "CAT"]), rules="dover", game="g", player="p"),
            "POST",
            "/v1/judge",
            b'{"words":["QUIZ","CAT"],"rules":"dover","game":"g","player":"p"}',
        ),
        (
            operations.play("15", "8D CAT", options={"scoop": 70}),
            "POST",
            "/v1/plays",
            b'{"position":"15","move":"8D CAT","options":{"scoop":70}}',
        ),
        (operations.open_game(["ann", None]), "POST", "/v1/games", b'{"seats":[{"player":"ann"},{}]}'),
        (
            operations.take_turn("a/b", "t", 3, "8D CAT", swaps=["=H8"]),
            "POST",
            "/v1/games/a%2Fb/turns",
            b'{"seat":"t","turn":3,"move":"8D CAT","swaps":["=H8"]}',
        ),
        (
            operations.take_turn("a", "t", 3, "challenge", words="CAT"),
            "POST",
            "/v1/games/a/turns",
            b'{"seat":"t","turn":3,"move":"challenge","words":["CAT"]}',
        ),
        (
            operations.home("CAT", not_in_dictionary="ACT"),
            "POST",
            "/v1/home",
            b'{"word":"CAT","not_in_dictionary":["ACT"]}',
        ),
        (operations.quota(game="g 1&"), "GET", "/v1/quota?game=g+1%26", b""),
        (operations.quota(), "GET", "/v1/quota", b""),
    ],
)
def test_a_request_holds_only_the_given_arguments(request_, method, path, body):
    """A request holds only the arguments given, and a string is one word, never its letters."""
    assert (request_.method, request_.path, request_.body) == (method, path, body)
    assert request_.all_headers() == ([("Content-Type", "application/json")] if body else [])


def test_unknown_fields_of_a_later_version_are_accepted():
    """Unknown fields and unknown values of text fields are accepted."""
    body = b'{"word":"CAT","acceptable":null,"because":"b","about":"something new","reference":"r","more":{"a":[1]}}'
    assert wire.read_response(operations.home("CAT"), 200, JSON, body).about == "something new"


def test_a_verdict_is_true_where_it_is_yes():
    """A reply with a verdict is true for yes and false for no, so nobody takes a no for a yes."""
    for kind, yes in ((replies.Verdict, b'{"valid":true}'), (replies.Found, b'{"found":true}')):
        assert bool(msgspec.json.decode(yes, type=kind)) is True
        assert bool(msgspec.json.decode(yes.replace(b"true", b"false"), type=kind)) is False


TABLE = TableOfEvent(
    event="e", title="t", round=1, table=1, players=[("p", "Ann")], rules="dover", options={}, clock=60
)
FULL = {
    "/v1/judge": operations.judge("A", rules="r", options={}, game="g", player="p"),
    "/v1/plays": operations.play("15", "8D A", rules="r", rack="A", options={}, game="g", player="p"),
    "/v1/ospd": operations.ospd("A", rules="r", score=0, player="p"),
    "/v1/home": operations.home(
        "A",
        base_in_dictionary="A",
        word_in_dictionary=False,
        base_has_main_entry=False,
        not_in_dictionary="B",
        rules="r",
        edition="print",
        by_exclusion=True,
        options={},
        labelled_offensive=False,
        player="p",
    ),
    "/v1/games": operations.open_game(["p"], rules="r", options={}, clock=0, invitations=True),
    "/v1/games/{id}/turns": operations.take_turn("g", "t", 1, "-", swaps="=H8", words="A", word="A", nonce="n", held=1),
    "/v1/games/{id}/oath": operations.take_oath("g", "t", 1),
    "/v1/games/{id}/attestation": operations.attest("g", "t", 1),
    "/v1/tournament/games": operations.open_event_game(TABLE),
    "/v1/tournament/games/find": operations.event_games("g", event_over=True),
    "/v1/tournament/games/{id}/call-off": operations.call_off("g", begun=True),
    "/v1/tournament/stations": operations.bind_station(TABLE, "Table 3"),
}
"""A request with all its arguments, for each path."""


def test_every_field_of_a_request_is_an_argument():
    """With all its arguments an operation sends every field of its request and no other, so a new one is noticed."""
    for path, request in FULL.items():
        fields = {field.name for field in msgspec.structs.fields(ACTIONS["POST", path].request_type)}
        assert msgspec.json.decode(request.body).keys() == fields, path
    (seat,) = msgspec.json.decode(FULL["/v1/games"].body)["seats"]
    assert seat == {"player": "p"}


RAISED = {
    "bad-request": errors.BadRequest,
    "bad-word": errors.BadRequest,
    "short-body": errors.BadRequest,
    "length-required": errors.BadRequest,
    "too-large": errors.BadRequest,
    "not-json": errors.BadRequest,
    "method-not-allowed": errors.BadRequest,
    "player-required": errors.BadRequest,
    "too-many-players": errors.BadRequest,
    "idempotency-key-reused": errors.BadRequest,
    "unauthorized": errors.Unauthorized,
    "not-paired": errors.Unauthorized,
    "out-of-scope": errors.Forbidden,
    "operators-only": errors.Forbidden,
    "directors-only": errors.Forbidden,
    "bad-code": errors.Forbidden,
    "cross-site": errors.Forbidden,
    "bad-seat": errors.BadSeat,
    "seat-moved": errors.BadSeat,
    "bad-invitation": errors.Forbidden,
    "bad-recovery-code": errors.Forbidden,
    "bad-ticket": errors.Forbidden,
    "program-only": errors.Forbidden,
    "bad-play-link": errors.Forbidden,
    "no-visitors": errors.Forbidden,
    "not-found": errors.NotFound,
    "under-way": errors.RequestUnderWay,
    "turn-taken": errors.TurnAlreadyTaken,
    "game-not-over": errors.Conflict,
    "too-many-devices": errors.Conflict,
    "board-kept": errors.Conflict,
    "not-started": errors.Conflict,
    "seat-taken": errors.Conflict,
    "own-invitation": errors.Conflict,
    "oath-changed": errors.Conflict,
    "called-off": errors.Conflict,
    "table-bound": errors.Conflict,
    "no-device": errors.Conflict,
    "key-registered": errors.Conflict,
    "no-key": errors.Conflict,
    "budget-spent": errors.BudgetSpent,
    "too-many-games": errors.TooManyRequests,
    "practice-full": errors.TooManyRequests,
    "too-many-guesses": errors.TooManyRequests,
    "no-program": errors.ServiceUnavailable,
    "too-busy": errors.ServiceBusy,
    "store-down": errors.ServiceStoreDown,
    "internal-error": errors.ServiceFailed,
}
"""The exceptions by code; all other codes are of a play that does not fit, or not now."""


@each_row("code", [*problems.PROBLEMS, "of-a-later-version"])
def test_every_problem_of_the_service_has_its_exception(code):
    """A problem is raised by its code, or by its status if the code is of a later version."""
    status = problems.PROBLEMS.get(code, (422, ""))[0]
    with pytest.raises(errors.ProblemError) as raised:
        wire.read_response(operations.judge("QUIZ"), status, PROBLEM, problem_body(status, code))
    assert type(raised.value) is RAISED.get(code, errors.IllFormedPlay)
    assert str(raised.value) == f"{code}: d ({status}, i)"


def test_an_error_can_be_copied_and_sent_to_another_process():
    """An exception can be copied and pickled, as process pools do."""
    problem = errors.error_from_problem(
        msgspec.json.decode(problem_body(429, "budget-spent", budget="units"), type=errors.ProblemDetails), 7
    )
    for error in (
        problem,
        errors.ConnectionFailed("no answer", True),
        errors.UnexpectedResponse(502, "text/html", "why"),
    ):
        for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
            assert (type(twin), str(twin), vars(twin)) == (type(error), str(error), vars(error))


@each_row(
    ("attempt", "status", "headers", "left", "seconds"),
    [
        (1, 503, {"retry-after": "2"}, 20, 2.0625),
        (1, 429, {"retry-after": "86399"}, 20, None),
        (1, 429, {"retry-after": "86399"}, 90_000, 86399.0625),
        (1, 503, {"retry-after": "Fri, 21 Nov 2026 12:00:00 GMT"}, 20, 0.1875),
        (1, 503, {"retry-after": "9" * 5_000}, 20, None),
        (1, 503, {"retry-after": "²"}, 20, 0.1875),
        (3, 503, {}, 20, 0.75),
        (1_000_000, None, {}, 20, 3.0),
        (3, None, {}, 0.75, None),
        (1, 502, {}, 20, 0.1875),
        (1, 409, {}, 20, None),
        (1, 409, {"retry-after": "1"}, 20, 1.0625),
        (1, 422, {"retry-after": "1"}, 20, None),
        (1, 500, {}, 20, None),
        (1, 503, {"retry-after": "0"}, 0, None),
    ],
)
def test_when_a_request_is_sent_again(attempt, status, headers, left, seconds):
    """A request is sent again no earlier than Retry-After, and only within the seconds left."""
    assert retry_delay(attempt, status, headers, seconds_left=left, rng=FixedRandom()) == seconds


def test_retries_are_spread_by_jitter():
    """Clients that were refused in one moment do not come back in one moment."""
    pauses = [retry_delay(5, 503, {"retry-after": "2"}, rng=Random(n)) for n in range(200)]
    assert 2 <= min(pauses) < 2.1
    assert 3.9 < max(pauses) < 4
    keys = {RetryState(operations.open_game(["ann"]), 0.0, 20.0, Random(n)).request.key for n in range(200)}
    assert len(keys) == 200


def test_retry_state_works_with_any_transport():
    """RetryState tells any carrier what to send, how long to wait, and in the end the answer."""
    state = RetryState(operations.judge("QUIZ", game="g"), 0.0, 20.0, FixedRandom(1))
    assert state.on_response(503, {**PROBLEM, "retry-after": "2"}, problem_body(503, "too-busy"), 0.1) == Pause(2.0625)
    assert state.on_connection_failure(errors.ConnectionFailed("reset", True), 3.0) == Pause(0.375)
    assert state.on_response(200, JSON, b'{"valid":true }', 4.0) == replies.Verdict(True)


SECRET = "ordws_live_SECRETKEY"


@each_row("key", [f"{SECRET}\nX: 1", f"{SECRET} {SECRET}", f"{SECRET}é", "", f"{SECRET}\0"])
def test_an_invalid_key_is_refused_without_repeating_it(key):
    """A key that could break out of its header is refused without repeating it; surrounding white space is ignored."""
    for build in (wire.common_headers, lambda key: operations.standing("game", key)):
        with pytest.raises(ValueError, match="visible ASCII") as raised:
            build(key)
        assert SECRET not in repr(raised.value)
    assert wire.common_headers(f" {SECRET}\n")["Authorization"] == f"Bearer {SECRET}"


def test_no_repr_shows_a_secret():
    """Requests, seats and invitations are printed without key, token and code."""
    moment = b"2026-11-21T12:00:00Z"
    game = b'{"game":"g","rules":"r","edition":"e","expires":"%s","turn":1,"seats":[{"player":"p","token":"%s"}]}'
    opened = msgspec.json.decode(game % (moment, SECRET.encode()), type=replies.OpenedGame)
    rematch = msgspec.json.decode(b'{"game":"g","invitation":"%s"}' % SECRET.encode(), type=replies.Rematch)
    assert (opened.seats[0].token, rematch.invitation) == (SECRET, SECRET)
    turn = operations.take_turn("g", SECRET, 1, "-")
    for printed in (opened, rematch, turn, operations.standing("g", SECRET), operations.quota(game="g", player=SECRET)):
        assert SECRET not in f"{printed!r} {printed}"
    assert repr(turn) == "Request(POST /v1/games/g/turns)"


@each_row(
    ("address", "says"),
    [
        ("words.example", "is written"),
        ("ftp://words.example", "is written"),
        ("https://", "is written"),
        ("https://words.example?key=SECRETKEY", "is written"),
        ("https://me:SECRETKEY@words.example", "no user and password"),
        ("https://words.example\n", "is written"),
        ("https://words.example:x", "Port"),
        ("http://a b", "is written"),
    ],
)
def test_an_invalid_address_is_refused(address, says):
    """An invalid address is refused before any request, without repeating a password."""
    with pytest.raises(ValueError, match=says) as raised:
        wire.normalize_base_url(address)
    assert "SECRETKEY" not in str(raised.value)


@each_row("key", ["", "é", "a\n", "k" * 256])
def test_an_invalid_idempotency_key_is_not_sent(key):
    """An idempotency key has 1 to 255 printable ASCII characters."""
    with pytest.raises(ValueError, match="1 to 255 printable ASCII"):
        operations.judge("QUIZ", idempotency_key=key)


def test_the_import_error_without_httpx_says_what_is_missing():
    """Without httpx the import error says what to install."""
    script = "import sys\nsys.modules['httpx'] = None\nimport ordws.client"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("ordws.client needs httpx: pip install httpx")


def test_the_client_imports_nothing_else_of_ordws():
    """The client imports nothing of the rest of ordws."""
    script = "import sys, ordws.client\nprint(*sorted(name for name in sys.modules if name.startswith('ordws')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    loaded = done.stdout.split()
    assert "ordws.client.client" in loaded
    assert [name for name in loaded if not name.startswith("ordws.client")] == ["ordws"]


def test_requests_leave_nothing_behind():
    """300 requests, built and read, keep no memory."""

    def some():
        for n in range(300):
            request = operations.judge("QUIZ", game=f"game {n}").with_key(f"key {n}")
            wire.read_response(request, 200, JSON, b'{"valid":true }')

    some()
    tracemalloc.start()
    some()
    before = tracemalloc.get_traced_memory()[0]
    some()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 10_000
