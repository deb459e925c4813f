"""The JavaScript client does as the Python client does: the same answers of a service, the same pauses and errors."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest
from node_programs import NODE, install_package
from retry_cases import BUSY, FINAL_REFUSALS, KEY, SENT_AGAIN, SPENT
from scripted_server import HTML, YES, BreakConnection, Hang, Respond, problem

from ordws.client import UnexpectedResponse

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
IN_JAVASCRIPT = {"retry_after": "retryAfter", "content_type": "contentType"}


class Outcome(NamedTuple):
    """The value or the error of a call, and the seconds slept before each repeat."""

    value: object
    error: dict[str, object]
    slept: list[float]


class Node:
    """A node process that makes and calls clients."""

    def __init__(self, folder):
        install_package(folder)
        script = Path(__file__).with_name("drive_client.mjs")
        shutil.copy(script, folder / script.name)
        self.process = subprocess.Popen(
            [NODE, script.name], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def tell(self, **told):
        self.process.stdin.write(json.dumps(told) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def client(self, address, key=KEY, *, is_virtual=True, **options):
        """Return a function that calls a method of a new client."""
        number = self.tell(make={"baseUrl": address, "key": key, "isVirtual": is_virtual, **options})["value"]

        def call(method, *args):
            outcome = self.tell(client=number, method=method, args=args)
            return Outcome(outcome.get("value"), outcome.get("error", {}), outcome["slept"])

        return call

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def node(tmp_path_factory):
    node = Node(tmp_path_factory.mktemp("node"))
    yield node
    node.close()


@pytest.fixture
def client(node, server):
    return node.client(server.address)


@pytest.mark.parametrize(("steps", "slept"), SENT_AGAIN)
def test_node_repeats_a_request_after_the_same_pauses(client, server, steps, slept):
    """A request is sent again after the pauses of the Python client."""
    server.steps += steps
    outcome = client("judge", "QUIZ")
    assert (outcome.value, outcome.slept) == ({"valid": True}, slept)
    assert {(path, body) for path, _, body in server.came} == {("/v1/judge", b'{"words":["QUIZ"]}')}


@pytest.mark.parametrize(("step", "error", "shown"), FINAL_REFUSALS)
def test_node_throws_a_final_refusal_at_once(client, server, step, error, shown):
    """An answer that ends a request in Python ends it in JavaScript, by the error that belongs to it."""
    server.steps.append(step)
    outcome = client("judge", "QUIZ")
    assert outcome.error["name"] == ("UnexpectedReply" if error is UnexpectedResponse else "OrdwsProblem")
    name, value = shown
    assert outcome.error[IN_JAVASCRIPT.get(name, name)] == value
    assert outcome.slept == []


def test_node_gives_up_a_busy_service_within_20_seconds(client, server):
    """A service that stays busy is given up within 20 seconds, and the error says how often the request was sent."""
    server.steps += [BUSY] * 8
    outcome = client("judge", "QUIZ")
    assert (outcome.error["code"], outcome.error["attempts"]) == ("too-busy", 8)
    assert sum(outcome.slept) == pytest.approx(17.9375)


def test_node_gives_up_a_request_that_times_out(node, server):
    """A request without an answer in time may have been carried out, and the error says so."""
    client = node.client(server.address, is_virtual=False, timeoutSeconds=0.3, patienceSeconds=0)
    server.steps.append(Hang())
    error = client("judge", "QUIZ").error
    assert (error["name"], error["wasSent"]) == ("Unreachable", True)
    assert error["message"] == "no answer in 0.3 seconds: the request may have been carried out"
    assert server.hangs.wait(60)


def test_node_knows_a_request_that_never_arrived(node):
    """A request to an address where nobody listens is repeated, also one that creates something."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        client = node.client(f"http://127.0.0.1:{free.getsockname()[1]}")
        outcome = client("openGuestGame", {"link": "ordws_play_x"})
    assert (outcome.error["name"], outcome.error["wasSent"]) == ("Unreachable", False)
    assert outcome.slept[:5] == [0.1875, 0.375, 0.75, 1.5, 3.0]


@pytest.mark.parametrize(
    ("method", "args", "is_keyed"),
    [
        ("judge", ["QUIZ"], False),
        ("judge", ["QUIZ", {"game": "g"}], True),
        ("play", ["15", "8D CAT"], False),
        ("play", ["15", "8D CAT", {"game": "g"}], True),
        ("score", ["15", "8D CAT"], False),
        ("ospd", ["CAT"], False),
        ("home", ["CAT"], False),
        ("openGame", [["ann", None]], True),
        ("takeOath", ["g"], False),
        ("rematch", ["g"], False),
    ],
)
def test_repeats_of_node_share_a_random_key(client, server, method, args, is_keyed):
    """An idempotency key is a random UUID, the same for every repeat, and another for the next request."""
    for _ in range(2):
        server.steps += [BreakConnection(), problem(422, "gap")]
        assert client(method, *args).error["code"] == "gap"
    first, again, second, _ = server.keys_that_came()
    if is_keyed:
        assert UUID.fullmatch(first)
        assert first == again != second
    else:
        assert set(server.keys_that_came()) == {None}


def test_node_drops_its_own_keys_alone(client, server):
    """A key of the client is dropped when no more replies are stored; a caller's key never is."""
    server.steps += [SPENT, YES, SPENT, BreakConnection(), SPENT, SPENT, HTML]
    assert client("judge", "QUIZ", {"game": "g"}).slept == [0]
    assert client("judge", "QUIZ", {"game": "g"}).error["wasSent"] is True
    callers = client("judge", "QUIZ", {"game": "g", "idempotencyKey": "move 7 of game 12"})
    assert (callers.error["budget"], callers.slept) == ("replies", [])
    assert client("judge", "QUIZ", {"game": "g"}).error["name"] == "UnexpectedReply"
    assert [key and bool(UUID.fullmatch(key)) for key in server.keys_that_came()] == [
        True, None, True, None, False, True, None,
    ]  # fmt: skip


def test_a_guest_game_is_not_opened_twice(client, server):
    """Opening a guest game takes no key, so that a lost answer is not asked for again."""
    server.steps.append(BreakConnection())
    assert client("openGuestGame", {"link": "ordws_play_x"}).error["wasSent"] is True


def test_a_seat_that_node_took_is_kept_by_game(client, server):
    """Outside a browser the client keeps the cookie of a seat, and sends it with the requests of that game alone."""
    taken = Respond(
        200, b'{"seat":1}', headers={"Set-Cookie": "ordws_seat=abc; HttpOnly; SameSite=Lax; Path=/v1/games/g1"}
    )
    server.steps += [taken, Respond(200, b'{"turn":1}'), Respond(200, b'{"turn":1}')]
    client("takeSeat", "g1", {"invitation": "ordws_invite_x", "name": "Ben"})
    client("takeOath", "g1")
    client("takeOath", "g2")
    cookies = [headers.get("Cookie") or headers.get("cookie") for _, headers, _ in server.came]
    assert cookies == [None, "ordws_seat=abc", None]


def test_a_seat_is_taken_though_the_answer_was_lost(client, server):
    """Where the answer is lost on its way, the seat is asked for `again`, since nobody has its cookie."""
    server.steps += [BreakConnection(), Respond(200, b'{"seat":1}')]
    assert client("takeSeat", "g", {"invitation": "ordws_invite_x", "name": "Ben"}).value == {"seat": 1}
    bodies = [json.loads(body) for _, _, body in server.came]
    assert [body.get("again") for body in bodies] == [None, True]


def test_what_cannot_be_sent_is_refused_without_repeating_it(node, server):
    """A key, token or idempotency key that no header can hold is refused by an error that does not show it."""
    client = node.client(server.address)
    error = client("judge", "QUIZ", {"idempotencyKey": "é"}).error
    assert error["message"] == "an idempotency key has 1 to 255 printable ASCII characters"
    error = client("takeOath", "g", {"seatToken": "secret token"}).error
    assert error["message"] == "a seat token has visible ASCII characters only"


def test_an_argument_cannot_leave_its_place_in_a_path(node, server):
    """The path of the address precedes every other path, and an argument cannot leave its place in it."""
    client = node.client(f"{server.address}/words/", None)
    server.steps += [YES, problem(404, "not-found")]
    client("judge", "QUIZ")
    client("ruleSet", "../judge?x")
    assert [path for path, _, _ in server.came] == ["/words/v1/judge", "/words/v1/rules/..%2Fjudge%3Fx"]
    assert not {"authorization", "Authorization"} & server.came[0][1].keys()
