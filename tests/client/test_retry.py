"""Both clients against a service that is busy, breaks connections, or is not ORDWS at all."""

from __future__ import annotations

import re
import socket

import pytest
from retry_cases import BUSY, FINAL_REFUSALS, KEY, SENT_AGAIN, SPENT
from scripted_server import HTML, YES, BreakConnection, FakeClock, FixedRandom, Hang, Respond, problem

from ordws.client import (
    BudgetSpent,
    ConnectionFailed,
    IllFormedPlay,
    ServiceBusy,
    UnexpectedResponse,
)

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


@pytest.fixture
def time():
    return FakeClock()


@pytest.fixture
def client(make_client, server, time):
    return make_client(server.address, KEY, sleep=time.sleep, clock=time, rng=FixedRandom(1))


def judge(client):
    return client.judge("QUIZ")


def judge_in_game(client):
    return client.judge("QUIZ", game="g")


def open_game(client):
    return client.open_game(["ann", "ben"])


@pytest.mark.parametrize(("steps", "slept"), SENT_AGAIN)
def test_a_retryable_request_is_sent_again_after_a_pause(client, server, time, steps, slept):
    """A request is sent again after Retry-After and a random part, or after pauses that double."""
    server.steps += steps
    assert client(judge).valid is True
    assert time.slept == slept
    assert len({(path, body) for path, _, body in server.came}) == 1


@pytest.mark.parametrize(
    ("step", "error", "shown"),
    [
        *FINAL_REFUSALS,
        (Respond(200, b'{"valid":"perhaps"}'), UnexpectedResponse, ("status", 200)),
        (Respond(200, b'{"valid":true}', headers={"Content-Encoding": "gzip"}), UnexpectedResponse, ("status", 0)),
    ],
)
def test_a_final_refusal_is_raised_at_once(client, server, time, step, error, shown):
    """A final refusal, a Retry-After beyond the patience, and a reply that is not of the service are raised at once."""
    server.steps.append(step)
    with pytest.raises(error) as raised:
        client(judge)
    name, value = shown
    assert getattr(raised.value, name) == value
    assert time.slept == []


def test_a_busy_service_is_given_up_within_20_seconds(client, server, time):
    """A service that stays busy is given up within 20 seconds, and the error says how often the request was sent."""
    server.steps += [BUSY] * 8
    with pytest.raises(ServiceBusy) as raised:
        client(judge)
    assert time.now == pytest.approx(17.9375)
    assert raised.value.__notes__ == ["sent 8 times in 17.9 seconds"]


def test_the_time_of_requests_counts_as_patience(make_client, server):
    """The time of the requests themselves counts as patience."""

    class Late(FakeClock):
        def __call__(self):
            self.now += 11
            return self.now

    late = Late()
    client = make_client(server.address, KEY, sleep=late.sleep, clock=late, rng=FixedRandom(1))
    server.steps += [BUSY, BUSY]
    with pytest.raises(ServiceBusy):
        client(judge)


def test_a_request_that_times_out_is_given_up(make_client, server):
    """A request without an answer in time may have been carried out, and the error says so."""
    client = make_client(server.address, KEY, timeout_seconds=0.3, patience_seconds=0.0)
    server.steps.append(Hang())
    with pytest.raises(ConnectionFailed) as raised:
        client(judge)
    assert raised.value.was_sent
    assert str(raised.value).endswith("the request may have been carried out")
    assert server.hangs.wait(60)


def test_a_refused_connection_is_tried_again(make_client, time):
    """A request to an address where nobody listens is sent again, and the error says that it never arrived."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}"
        client = make_client(nowhere, KEY, sleep=time.sleep, clock=time, rng=FixedRandom(1))
        with pytest.raises(ConnectionFailed) as raised:
            client(open_game)
    assert not raised.value.was_sent
    assert time.slept[:5] == [0.1875, 0.375, 0.75, 1.5, 3.0]
    assert time.now < 20


@pytest.mark.parametrize(
    ("ask", "is_keyed"),
    [
        (judge, False),
        (judge_in_game, True),
        (lambda c: c.play("15", "8D CAT"), False),
        (lambda c: c.play("15", "8D CAT", game="g"), True),
        (lambda c: c.score("15", "8D CAT"), False),
        (lambda c: c.ospd("CAT"), False),
        (lambda c: c.home("CAT"), False),
        (open_game, True),
        (lambda c: c.take_turn("id", "token", 1, "-"), False),
    ],
)
def test_repeats_share_a_random_idempotency_key(client, server, ask, is_keyed):
    """An idempotency key is a random UUID, the same for every repeat, and another for the next request."""
    for _ in range(2):
        server.steps += [BreakConnection(), problem(422, "gap")]
        with pytest.raises(IllFormedPlay):
            client(ask)
    first, again, second, _ = server.keys_that_came()
    if is_keyed:
        assert UUID.fullmatch(first)
        assert first == again != second
    else:
        assert set(server.keys_that_came()) == {None}


def test_a_callers_key_is_sent_as_it_is(client, server):
    """A caller's idempotency key is sent as it is, also with the repeats."""
    server.steps += [BUSY, YES]
    client(lambda c: c.judge("QUIZ", idempotency_key="move 7 of game 12"))
    assert server.keys_that_came() == ["move 7 of game 12"] * 2


def test_a_client_drops_its_keys_when_replies_are_no_longer_stored(client, server, time):
    """When the service stores no more replies for this day, the client goes on without idempotency keys."""
    server.steps += [SPENT, YES, SPENT, BreakConnection()]
    assert client(judge_in_game).valid is True
    assert [key is None for key in server.keys_that_came()] == [False, True]
    assert time.slept == [0.0]
    with pytest.raises(ConnectionFailed) as raised:
        client(judge_in_game)
    assert raised.value.was_sent


def test_a_callers_key_is_never_dropped(client, server):
    """A caller's idempotency key is never dropped, since the caller relies on it."""
    server.steps.append(SPENT)
    with pytest.raises(BudgetSpent):
        client(lambda c: c.judge("QUIZ", game="g", idempotency_key="a"))


def test_without_a_key_a_gateway_error_is_not_repeated(client, server):
    """A gateway's error does not say whether the request was carried out, so without a key it is not sent again."""
    server.steps += [SPENT, HTML]
    with pytest.raises(UnexpectedResponse):
        client(judge_in_game)


def test_the_path_of_the_address_precedes_every_other(make_client, server):
    """The path of the address precedes every other path, and an argument cannot leave its place in it."""
    client = make_client(f"{server.address}/words/", KEY, user_agent="mygame/2.1")
    server.steps += [YES, problem(404, "not-found")]
    client(judge)
    with pytest.raises(Exception, match="not-found"):
        client(lambda c: c.rule_set("../judge?x"))
    assert [path for path, _, _ in server.came] == ["/words/v1/judge", "/words/v1/rules/..%2Fjudge%3Fx"]
    assert server.came[0][1]["User-Agent"] == "mygame/2.1 ordws-client/1"


def test_without_a_key_no_key_is_sent(make_client, server):
    """A client without a key sends no Authorization header."""
    client = make_client(server.address)
    server.steps.append(Respond(200, b'{"rules":"dover","words":["AB"]}'))
    assert client(lambda c: c.two_letter_words("dover")) == ["AB"]
    assert "Authorization" not in server.came[0][1]
