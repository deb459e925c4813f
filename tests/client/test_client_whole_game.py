"""A sealed game from deal to record, played by clients, and the secrecy of their logs."""

from __future__ import annotations

import json
import logging
from random import Random

import msgspec
import pytest
from both_clients import AsyncCaller, SyncCaller
from sealed_game import Player, play_out

from ordws.client import BadSeat, BudgetSpent, Conflict, IllFormedPlay, ProblemError, ServiceStoreDown, Unauthorized
from ordws.records.audit import audit_record
from ordws.records.gcg import read_gcg


class ByClients:
    """A sealed game with a client for each seat, in the form that the players of `sealed_game` need."""

    def __init__(self, clients, game):
        self.tokens = [seat.token for seat in game.seats]
        self.seats = [
            (client, client(lambda c, token=token: c.seat(game.id, token)))
            for client, token in zip(clients, self.tokens, strict=True)
        ]

    def standing(self, seat):
        client, seat_client = self.seats[seat]
        return msgspec.to_builtins(client(lambda c: seat_client.see()))

    def post(self, seat, turn, move, **fields):
        client, seat_client = self.seats[seat]
        try:
            taken = client(lambda c: c.take_turn(seat_client.game, seat_client.token, turn, move, **fields))
        except ProblemError as problem:
            return problem.status, json.dumps({"code": problem.code})
        return 200, msgspec.json.encode(taken)


def test_two_clients_play_a_game_to_its_end(running_service):
    """A sync and an async client play a game that the service deals, and its record recomputes exactly."""
    clients = [
        SyncCaller(running_service.address, running_service.live_key),
        AsyncCaller(running_service.address, running_service.live_key),
    ]
    try:
        game = clients[0](lambda c: c.open_game(["ann", "ben"], rules="classic", options={"scoop": 40}))
        with pytest.raises(Conflict) as early:
            clients[0](lambda c: game.seats[0].record())
        assert early.value.code == "game-not-over"
        table = ByClients(clients, game)
        play_out(table, Random(3), players=[Player(Random(1)), Player(Random(2))])
        ends = [table.standing(seat) for seat in (0, 1)]
        assert ends[0]["ending"] is not None
        record = clients[1](lambda c: table.seats[1][1].record())
        audited = audit_record(read_gcg(record.encode()))
        assert audited.is_exact, audited.findings
        assert list(audited.totals.values()) == [each["score"] for each in ends[1]["seats"]]
    finally:
        for client in clients:
            client.close()


def test_problems_of_a_real_service_are_raised(make_client, running_service, test_key):
    """The problems that a test key can ask for, and refusals of keys, seats and plays, are raised."""
    client = make_client(running_service.address, test_key, patience_seconds=1.0)
    board = "/".join(["15"] * 15)
    with pytest.raises(BudgetSpent) as spent:
        client(lambda c: c.judge("SPENT"))
    assert (spent.value.budget, spent.value.retry_after) == ("units", 60)
    with pytest.raises(ServiceStoreDown):
        client(lambda c: c.judge("DOWN"))
    with pytest.raises(IllFormedPlay) as unfit:
        client(lambda c: c.play(board, "1A CAT", rules="classic"))
    assert unfit.value.code == "misses-centre"
    with pytest.raises(BadSeat):
        client(lambda c: c.standing("nowhere", "ordws_seat_none"))
    with pytest.raises(Unauthorized):
        make_client(running_service.address)(lambda c: c.judge("CAT"))


def test_a_callers_idempotency_key_opens_one_game(make_client, running_service, test_key):
    """A game that was opened under a caller's idempotency key is not opened a second time."""
    client, again = (make_client(running_service.address, test_key) for _ in range(2))
    key = f"tonight's game by {type(client).__name__}"
    opened = [each(lambda c: c.open_game(["ann", "ben"], idempotency_key=key)) for each in (client, again)]
    assert opened[0].id == opened[1].id


def test_no_log_and_no_repr_has_a_key(make_client, running_service, test_key, caplog):
    """No key or token is in any log at level DEBUG, or in the repr of clients, games, seats and errors."""
    caplog.set_level(logging.DEBUG)
    client = make_client(running_service.address, test_key)
    game = client(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    client(lambda c: game.seats[0].see())
    printed = [repr(client.client), repr(game), repr(game.seats[0])]
    for ask in (lambda c: c.judge("CAT4"), lambda c: game.seats[1].pass_turn()):
        with pytest.raises(ProblemError) as raised:
            client(ask)
        printed += [str(raised.value), repr(raised.value)]
    output = " ".join([*printed, *[record.getMessage() for record in caplog.records]])
    assert "POST" in output
    secrets = [test_key, *[seat.token for seat in game.seats]]
    assert not [secret for secret in secrets if secret in output]
