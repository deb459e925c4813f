"""A sealed game from deal to record, played by clients, and what the clients leave in logs."""

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
    """A sealed game whose seats are played by a client each, as players of `sealed_game` see it."""

    def __init__(self, clients, game):
        self.tokens = [seat.token for seat in game.seats]
        self.seats = [
            (client, client(lambda c, token=token: c.seat(game.id, token)))
            for client, token in zip(clients, self.tokens, strict=True)
        ]

    def standing(self, seat):
        client, here = self.seats[seat]
        return msgspec.to_builtins(client(lambda c: here.see()))

    def post(self, seat, turn, move, **fields):
        client, here = self.seats[seat]
        try:
            taken = client(lambda c: c.take_turn(here.game, here.token, turn, move, **fields))
        except ProblemError as problem:
            return problem.status, json.dumps({"code": problem.code})
        return 200, msgspec.json.encode(taken)


def test_two_clients_play_a_game_to_its_end(place):
    """One with asyncio and one without play a game that the service deals, and its record recomputes exactly."""
    clients = [SyncCaller(place.address, place.live_key), AsyncCaller(place.address, place.live_key)]
    try:
        game = clients[0](lambda c: c.open_game(["ann", "ben"], rules="classic", options={"scoop": 40}))
        with pytest.raises(Conflict) as early:
            clients[0](lambda c: game.seats[0].record())
        assert early.value.code == "game-not-over"
        table = ByClients(clients, game)
        happened = play_out(table, Random(3), players=[Player(Random(1)), Player(Random(2))])
        ends = [table.standing(seat) for seat in (0, 1)]
        assert {each["outcome"] for each in happened} >= {"laid", "passed"}
        assert ends[0]["ending"] is not None
        record = clients[1](lambda c: table.seats[1][1].record())
        audited = audit_record(read_gcg(record.encode()))
        assert audited.is_exact, audited.findings
        assert list(audited.totals.values()) == [each["score"] for each in ends[1]["seats"]]
    finally:
        for client in clients:
            client.close()


def test_problems_of_a_real_service_are_raised(asking_as, place, test_key):
    """Those that a test key asks for by a word, and refusals of keys, seats and plays."""
    client = asking_as(place.address, test_key, patience_seconds=1.0)
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
        asking_as(place.address)(lambda c: c.judge("CAT"))


def test_a_callers_key_gets_the_first_answer_again(asking_as, place, test_key):
    """A game that was opened under a key of the caller's is not opened a second time."""
    client, again = (asking_as(place.address, test_key) for _ in range(2))
    key = f"tonight's game by {type(client).__name__}"
    opened = [each(lambda c: c.open_game(["ann", "ben"], idempotency_key=key)) for each in (client, again)]
    assert opened[0].id == opened[1].id


def test_no_log_and_no_repr_has_a_key(asking_as, place, test_key, caplog):
    """At the finest level of everybody's log, and in what is printed of clients, games, seats and errors."""
    caplog.set_level(logging.DEBUG)
    client = asking_as(place.address, test_key)
    game = client(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    client(lambda c: game.seats[0].see())
    shown = [repr(client.client), repr(game), repr(game.seats[0])]
    for ask in (lambda c: c.judge("CAT4"), lambda c: game.seats[1].pass_turn()):
        with pytest.raises(ProblemError) as raised:
            client(ask)
        shown += [str(raised.value), repr(raised.value)]
    said = " ".join([*shown, *[record.getMessage() for record in caplog.records]])
    assert "POST" in said
    secrets = [test_key, *[seat.token for seat in game.seats]]
    assert not [secret for secret in secrets if secret in said]
