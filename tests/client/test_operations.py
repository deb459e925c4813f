"""Every documented operation, sent by both clients to a real service."""

from __future__ import annotations

import inspect
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import http_replies
import pytest
from both_clients import AsyncCaller, SyncCaller, recording_transport
from each_row import each_row

from ordws.client import AsyncClient, Client, StreamReplaced, TableOfEvent, TurnAlreadyTaken
from ordws.web.openapi import document

BOARD = "/".join(["15"] * 15)

OPERATIONS = {
    "about": ("GET", "/"),
    "two_letter_words": ("GET", "/v1/two-letter-words"),
    "disallowed_words": ("GET", "/v1/disallowed-words"),
    "rules": ("GET", "/v1/rules"),
    "rule_set": ("GET", "/v1/rules/{id}"),
    "quota": ("GET", "/v1/quota"),
    "judge": ("POST", "/v1/judge"),
    "play": ("POST", "/v1/plays"),
    "score": ("POST", "/v1/score"),
    "ospd": ("POST", "/v1/ospd"),
    "home": ("POST", "/v1/home"),
    "open_game": ("POST", "/v1/games"),
    "standing": ("GET", "/v1/games/{id}"),
    "turns": ("GET", "/v1/games/{id}/turns"),
    "take_oath": ("POST", "/v1/games/{id}/oath"),
    "attest": ("POST", "/v1/games/{id}/attestation"),
    "take_turn": ("POST", "/v1/games/{id}/turns"),
    "open_event_game": ("POST", "/v1/tournament/games"),
    "event_games": ("POST", "/v1/tournament/games/find"),
    "call_off_unplayed": ("POST", "/v1/games/{id}/call-off"),
    "call_off": ("POST", "/v1/tournament/games/{id}/call-off"),
    "bind_station": ("POST", "/v1/tournament/stations"),
}
"""The operation of each method of the clients."""

SECOND_WAYS = {
    "event_operator": ("POST", "/v1/tournament/games/find"),
    "record": ("GET", "/v1/games/{id}"),
    "watch": ("POST", "/v1/games/{id}/stream-tickets"),
}
FOR_BROWSERS = {
    ("POST", "/v1/devices"),
    ("GET", "/v1/devices"),
    ("POST", "/v1/devices/{id}/revoke"),
    ("GET", "/v1/devices/log"),
    ("POST", "/v1/devices/log/find"),
    ("POST", "/v1/pair"),
    ("GET", "/v1/device"),
    ("POST", "/v1/device/forget"),
    ("POST", "/v1/boards"),
    ("GET", "/v1/boards"),
    ("GET", "/v1/boards/{id}"),
    ("POST", "/v1/boards/{id}/review"),
    ("POST", "/v1/boards/{id}/review-plays"),
    ("POST", "/v1/games/{id}/invitation"),
    ("POST", "/v1/games/{id}/seat"),
    ("POST", "/v1/games/{id}/rematch"),
    ("POST", "/v1/play-link"),
    ("POST", "/v1/guest-games"),
    ("GET", "/v1/practice"),
    ("POST", "/v1/practice"),
    ("POST", "/v1/practice/due"),
    ("POST", "/v1/practice/records"),
    ("POST", "/v1/practice/reviews"),
    ("POST", "/v1/games/{id}/review"),
    ("GET", "/v1/visitors"),
    ("POST", "/v1/visitors"),
    ("POST", "/v1/device/key"),
    ("POST", "/v1/stations/games"),
    ("GET", "/v1/stations/games"),
}
"""The operations of the service's own pages and program, the director's page among them."""

FOR_PROBES = {("GET", "/healthz"), ("GET", "/readyz")}

NO_OPERATION = {"seat", "now", "pause", "close", "aclose"}

ASKED = {
    "about": (lambda c, g: c.about(), lambda a: (a.service, a.edition, a.reference), ("ordws", "ORDWS 2026", "/docs")),
    "two_letter_words": (lambda c, g: c.two_letter_words("dover"), lambda a: ("AB" in a, len(a)), (True, 70)),
    "disallowed_words": (lambda c, g: c.disallowed_words("dover"), lambda a: a[:3], ["AA", "AAL", "ABY"]),
    "rules": (
        lambda c, g: c.rules(),
        lambda a: [each.id for each in a],
        ["classic", "scrabble-i-classic", "scrabble-o", "scrabble-i", "dover"],
    ),
    "rule_set": (
        lambda c, g: c.rule_set("classic"),
        lambda a: (a.id, [each.value for each in a.options if each.name == "challenge"]),
        ("classic", ["double"]),
    ),
    "quota": (
        lambda c, g: c.quota(game="quota"),
        lambda a: (a["game"].left, a["game"].resets.utcoffset().seconds),
        (28, 0),
    ),
    "judge": (
        lambda c, g: c.judge(["CAT", "rainiest", "ZIG"], rules="classic", options={"allow": ["ZIG"]}),
        lambda a: (a.valid, bool(a)),
        (True, True),
    ),
    "play": (
        lambda c, g: c.play(BOARD, "8D STAiNER", rules="classic", rack="AENRST?", game="played"),
        lambda a: (a.valid, a.score, a.words, a.receipt.bonus.points, a.receipt.lines[0].letters[3].letter),
        (True, 64, ["STAINER"], 50, "i"),
    ),
    "score": (
        lambda c, g: c.score(BOARD, "H8 DOWN", rules="scrabble-i-classic", options={"small_word_cap": False}),
        lambda a: (a.score, a.words),
        (16, ["DOWN"]),
    ),
    "ospd": (
        lambda c, g: c.ospd("TEH", rules="scrabble-o", score=12),
        lambda a: (a.found, a.deduct, bool(a)),
        (False, 12, False),
    ),
    "home": (
        lambda c, g: c.home("BASHINGS", base_in_dictionary="BASH"),
        lambda a: (a.word, a.acceptable, a.base, bool(a)),
        ("BASHINGS", False, "BASH", False),
    ),
    "open_game": (
        lambda c, g: c.open_game(["ann", None], rules="classic", clock=60),
        lambda a: (a.rules, a.edition, [each.player for each in a.seats]),
        ("classic", "ORDWS TOY", ["ann", None]),
    ),
    "standing": (
        lambda c, g: c.standing(g.id, g.seats[1].token),
        lambda a: (a.turn, a.phase, a.you, a.is_mine, a.is_over, len(a.rack), a.seats[0].rack),
        (1, "to-move", 1, False, False, 7, None),
    ),
    "take_turn": (
        lambda c, g: c.take_turn(g.id, g.seats[0].token, 1, "-"),
        lambda a: (a.happened.outcome, a.standing.turn, a.standing.mover),
        ("passed", 2, 1),
    ),
    "turns": (
        lambda c, g: c.turns(g.id, g.seats[0].token),
        lambda a: [(each.happened.outcome, each.scores) for each in a],
        [("passed", [0, 0])],
    ),
    "record": (
        lambda c, g: c.record(g.id, g.seats[0].token),
        lambda a: a.splitlines()[1:3],
        ["#player1 ann ann", "#player2 ben ben"],
    ),
}
"""For each method: the call, with a game at hand; the part of the reply to look at; and its expected value."""


def operations():
    paths = json.loads(document())["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods}


def is_at(path, template):
    return re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(template)), path)


@pytest.mark.parametrize("client", [Client, AsyncClient])
def test_every_documented_operation_has_a_method(client):
    """The methods are the operations of the OpenAPI document, except those for browsers."""
    methods = {name for name, _ in inspect.getmembers(client, inspect.isfunction) if not name.startswith("_")}
    assert methods - NO_OPERATION == OPERATIONS.keys() | SECOND_WAYS.keys()
    assert operations() == {*OPERATIONS.values(), *SECOND_WAYS.values()} | FOR_BROWSERS | FOR_PROBES


@pytest.fixture(scope="module", params=[SyncCaller, AsyncCaller])
def author(request, running_service):
    """Return a client with a test key that records what it sends, with a game of its own that comes to its end."""
    author = request.param(running_service.address, running_service.new_test_key(), recording_transport)
    author.game = author(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    yield author
    author.close()


@each_row("name", ASKED)
def test_a_method_sends_its_operation_and_returns_its_type(author, name):
    """A method sends its operation to the real service, and its reply has the right type."""
    ask, look, expected = ASKED[name]
    if name == "record":
        author(lambda c: c.take_turn(author.game.id, author.game.seats[1].token, 2, "resign"))
    author.transport.sent.clear()
    assert look(author(lambda c: ask(c, author.game))) == expected
    ((method, path, _),) = author.transport.sent
    wanted, template = (OPERATIONS | SECOND_WAYS)[name]
    assert method == wanted
    assert is_at(path, template)


@pytest.fixture(params=[SyncCaller, AsyncCaller])
def club(request, running_service):
    club = request.param(running_service.address, running_service.club_key)
    yield club
    club.close()


def send(running_service, path, body, **headers):
    """Return the status and the body of the reply to a request that is none of the client's."""
    reply = http_replies.send(running_service.service.port, "POST", path, body, **headers)
    return reply.status, reply.json()


def test_a_game_is_picked_up_by_id_and_token(author, running_service):
    """Another program can go on with the id of a game and the token of a seat."""
    game = author(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    seat = author(lambda c: c.seat(game.id, game.seats[0].token))
    passed = author(lambda c: seat.pass_turn())
    assert (passed.happened.seat, passed.standing.turn) == (0, 2)


def test_a_play_is_challenged(author):
    """A challenge is a turn of the seat that makes it: of all new words, or of one."""
    for is_of_one in (False, True):
        game = author(lambda c: c.open_game(["ann", "ben"], rules="classic"))
        ann, ben = game.seats
        rack = author(lambda c, seat=ann: seat.see()).rack.replace("?", "")
        author(lambda c, seat=ann, word=rack[:2]: seat.play(f"8H {word}"))
        author(lambda c, seat=ben: seat.see())
        words = rack[:2] if is_of_one else None
        challenged = author(lambda c, seat=ben, words=words: seat.challenge(words))
        assert (challenged.happened.seat, challenged.happened.move) == (1, "challenge")


def test_a_seat_makes_no_move_for_a_turn_it_has_not_seen(author):
    """A seat that has not seen the others' moves makes none by mistake; when it has looked, it can."""
    game = author(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    elsewhere = author(lambda c: c.seat(game.id, game.seats[1].token))
    author(lambda c: elsewhere.see())
    author(lambda c: game.seats[0].pass_turn())
    with pytest.raises(TurnAlreadyTaken):
        author(lambda c: elsewhere.exchange("A"))
    author(lambda c: elsewhere.see())
    assert author(lambda c: elsewhere.pass_turn()).happened.seat == 1


def test_a_desk_opens_looks_at_and_calls_off_a_game(club, running_service):
    """A desk's program opens the game of a table once, sees it wait, binds another to a station, and calls both off."""
    players = [("e-1", "Ann"), ("e-2", "Ben")]
    event = type(club).__name__
    table = TableOfEvent(event=event, title="Open", round=1, table=1, players=players, rules="classic", clock=600)
    opened = club(lambda c: c.open_event_game(table))
    assert club(lambda c: c.open_event_game(table)) == opened
    assert [(seat.name, seat.invitation in repr(seat)) for seat in opened.seats] == [("Ann", False), ("Ben", False)]
    director = {"Authorization": f"Bearer {running_service.club_key}"}
    invited, device = send(running_service, "/v1/devices", {"table": "Table 9"}, **director)
    paired, _ = send(running_service, "/v1/pair", {"code": device["code"]})
    assert (invited, paired) == (201, 200)
    bound = club(lambda c: c.bind_station(table, "Table 9"))
    games = club(lambda c: c.event_games([opened.game, bound.game]))
    assert [(each.kind, each.status) for each in games] == [("sealed", "waiting"), ("station", "waiting")]
    assert club(lambda c: c.event_operator()) == "club"
    assert [club(lambda c, game=each.game: c.call_off(game)).status for each in games] == ["called-off", "unknown"]
    assert send(running_service, f"/v1/devices/{bound.device}/revoke", {}, **director)[0] == 200


@pytest.fixture(params=[SyncCaller, AsyncCaller])
def waiting(request, running_service, test_key):
    """Return a function that opens a game, and returns its first seat, and a client of its second with that seat."""
    other, made = SyncCaller(running_service.address, test_key), []

    def open_game(*, sleep=None, **network):
        game = other(lambda c: c.open_game(["ann", "ben"], rules="classic"))
        made.append(
            request.param(running_service.address, test_key, partial(recording_transport, **network), sleep=sleep)
        )
        return game.seats[0], made[-1], made[-1](lambda c: c.seat(game.id, game.seats[1].token))

    yield open_game
    for each in (other, *made):
        each.close()


@contextmanager
def waiting_threads(count, mover):
    """Yield threads that wait for a move; where a test fails, its game is resigned, or they would wait for ever."""
    with ThreadPoolExecutor(count) as pool:
        try:
            yield pool
        except BaseException:
            mover.resign()
            raise


def test_a_seat_is_woken_by_its_stream(waiting):
    """A seat that waits opens a stream, by which it is woken as soon as it is to act, or the game is over."""
    ann, ben, seat = waiting()
    with waiting_threads(1, ann) as pool:
        waits = pool.submit(ben, lambda c: seat.wait())
        assert ben.transport.has_stream.wait(30)
        ann.pass_turn()
        assert waits.result(30).turn == 2
    ben(lambda c: seat.resign())
    assert ben(lambda c: seat.wait()).is_over
    (events,) = [headers for _, path, headers in ben.transport.sent if path.endswith("/events")]
    assert "authorization" not in events


def test_a_move_after_waiting_is_credited_with_the_network(waiting):
    """A move that was waited for carries the nonce of its row, so that the service can measure the network."""
    ann, ben, seat = waiting()
    with waiting_threads(1, ann) as pool:
        waits = pool.submit(ben, lambda c: seat.wait())
        assert ben.transport.has_stream.wait(30)
        ann.pass_turn()
        waits.result(30)
    row, nonce = seat._woken
    assert (row, len(nonce) > 40) == (1, True)
    credit = ben(lambda c: seat.pass_turn()).standing.credit_ms
    sent = json.loads(ben.transport.bodies[-1])
    assert (sent["nonce"], 0 <= sent.get("held", 0) < 30_000, 0 <= credit <= 250) == (nonce, True, True)


def test_a_seat_looks_at_intervals_where_there_is_no_stream(waiting):
    """Where no stream gets through, a seat looks at the given interval."""
    slept = []

    def sleep(seconds):
        slept.append(seconds)
        ann.pass_turn()

    ann, ben, seat = waiting(sleep=sleep, is_streamless=True)
    assert ben(lambda c: seat.wait(every_seconds=3.0)).turn == 2
    assert slept == [3.0]
    ben(lambda c: seat.resign())
    assert ben(lambda c: seat.wait()).is_over


def test_a_newer_stream_replaces_the_older(waiting, running_service, test_key):
    """Of two that wait at one seat, the older is told that it was replaced, and does not come back."""
    ann, ben, seat = waiting()
    with waiting_threads(2, ann) as pool:
        waits = pool.submit(ben, lambda c: seat.wait())
        assert ben.transport.has_stream.wait(30)
        newer = SyncCaller(running_service.address, test_key)
        newly = pool.submit(newer, lambda c: c.seat(seat.game, seat.token).wait())
        with pytest.raises(StreamReplaced):
            waits.result(30)
        ann.pass_turn()
        assert newly.result(30).is_mine
        newer.close()


def test_a_seat_of_the_same_program_knows_the_turn(author):
    """Seats that one program opened know each other's turns."""
    game = author(lambda c: c.open_game(["ann", "ben"], rules="classic"))
    author(lambda c: game.seats[0].pass_turn())
    assert author(lambda c: game.seats[1].pass_turn()).standing.turn == 3


def test_a_program_keeps_the_promises_of_a_game_with_invitations(author):
    """A seat of a game with invitations sees nothing before all have taken the oath, and attests the finished game."""
    game = author(lambda c: c.open_game(["ann", "ben"], rules="classic", invitations=True))
    assert all(seat.invitation.startswith("ordws_invite_") for seat in game.seats)
    waiting = author(lambda c: game.seats[0].see())
    assert (waiting.phase, waiting.rack, waiting.is_mine) == ("waiting", "", False)
    version = waiting.promises.oath.version
    for seat in game.seats:
        sworn = author(lambda c, seat=seat: c.take_oath(game.id, seat.token, version))
    assert [each.sworn for each in sworn.seats] == [True, True]
    assert (sworn.phase, len(sworn.rack)) == ("to-move", 7)
    assert author(lambda c: game.seats[1].resign()).standing.is_over
    version = sworn.promises.attestation.version
    attested = author(lambda c: c.attest(game.id, game.seats[0].token, version))
    assert [each.attested for each in attested.seats] == [True, False]
