"""Tests of the time that the network takes of a player (docs/rules.md 8.4)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sealed_game import SealedGame, install_edition, service_sender

from ordws.referee.moments import Moment, milliseconds_between, not_before

BOOTS = st.sampled_from(["", "one", "other"])
MOMENTS = st.builds(Moment, st.integers(0, 10**6), st.integers(0, 10**6), BOOTS)


@pytest.fixture
def installation(installation):
    install_edition(installation, ["HEAT"], number=2)
    return installation


@pytest.fixture
def play(service):
    return lambda **fields: SealedGame(service_sender(service), "scrabble-o", **fields)


@pytest.fixture
def nonce(service, clock):
    """Return a function that makes the nonce which the stream sends to a seat of a game at this moment."""

    def nonce(game, seat, row):
        return service.services.stream_signer.sign_nonce(game.opened["game"], seat, row, clock.moment().milliseconds)

    return nonce


def milliseconds(standing):
    return [seat["milliseconds"] for seat in standing["seats"]]


def credit(game, seat):
    return game.standing(seat)["credit_ms"]


def exchange(game, clock, nonce, *, think, way, held=None, row=None):
    """Exchange a tile as a player does whose messages take `way` seconds each, and return the standing after it."""
    standing = game.standing(0)
    seat, turn = standing["mover"], standing["turn"]
    rack = game.standing(seat)["rack"]
    sent = nonce(game, seat, turn - 1 if row is None else row)
    clock.now += way + think + way
    held = round(1_000 * think) if held is None else held
    status, body = game.post(seat, turn, f"-{rack[0]}", nonce=sent, held=held)
    assert status == 200, body
    return json.loads(body)["standing"]


def test_a_move_is_credited_with_its_round_trip(play, clock, nonce):
    """Of the time until a move the measured round trip is not counted, and the standing says how much that was."""
    game = play(clock=1_500)
    standing = exchange(game, clock, nonce, think=5, way=0.06)
    assert milliseconds(standing) == [5_000, 0]
    assert (credit(game, 0), credit(game, 1)) == (120, 0)


def test_a_turn_is_credited_with_a_quarter_of_a_second(play, clock, nonce):
    """A longer round trip is credited with 250 ms, whatever the player says about holding the nonce."""
    game = play(clock=1_500)
    assert milliseconds(exchange(game, clock, nonce, think=5, way=0.4)) == [5_550, 0]
    assert milliseconds(exchange(game, clock, nonce, think=5, way=0.4, held=0)) == [5_550, 5_550]
    assert milliseconds(exchange(game, clock, nonce, think=5, way=0.4, held=10**9)) == [11_350, 5_550]
    assert (credit(game, 0), credit(game, 1)) == (250, 250)


def test_a_play_that_is_rejected_begins_no_new_credit(play, clock, nonce):
    """All moves of one turn are credited with 250 ms together, and those of the next turn with 250 ms more."""
    game = play(clock=1_500, options={"challenge": "void"})
    rack = game.standing(0)["rack"].replace("?", "")
    for turn, expected in ((1, 250), (2, 250)):
        sent = nonce(game, 0, turn - 1)
        clock.now += 2
        status, body = game.post(0, turn, f"8H {rack[turn : turn + 4]}", nonce=sent, held=0)
        assert (status, json.loads(body)["happened"]["outcome"]) == (200, "unacceptable")
        assert credit(game, 0) == expected
    exchange(game, clock, nonce, think=1, way=1)
    exchange(game, clock, nonce, think=1, way=1)
    exchange(game, clock, nonce, think=1, way=1)
    assert (credit(game, 0), credit(game, 1)) == (500, 250)


def test_a_game_is_credited_with_three_seconds(play, clock, nonce):
    """After twelve turns of 250 ms nothing more is credited."""
    game = play(clock=1_500)
    for _ in range(26):
        standing = exchange(game, clock, nonce, think=1, way=0.2)
    assert (credit(game, 0), credit(game, 1)) == (3_000, 3_000)
    assert milliseconds(standing) == [13 * 1_400 - 3_000] * 2


def test_only_a_nonce_of_this_game_seat_and_row_gives_credit(play, clock, nonce):
    """A nonce of another game, seat or row, a changed one, and none at all give no credit."""
    game, other = play(clock=1_500), play(clock=1_500)
    sent = [nonce(other, 0, 0), nonce(game, 1, 0), nonce(game, 0, 1), nonce(game, 0, 0)[:-1] + "_", "", "7.x"]
    for number, each in enumerate(sent):
        fresh = play(clock=1_500) if number else game
        clock.now += 1
        status, body = fresh.post(0, 1, "-", nonce=each, held=0)
        assert (status, milliseconds(json.loads(body)["standing"])) == (200, [1_000, 0])


def test_a_repeat_with_another_nonce_gets_the_same_bytes(play, clock, nonce):
    """The nonce and its time are no part of a move: sent again with others it gets the reply that was given."""
    game = play(clock=1_500)
    sent = nonce(game, 0, 0)
    clock.now += 4
    first = game.post(0, 1, "-", nonce=sent, held=3_900)
    clock.now += 30
    assert game.post(0, 1, "-", nonce=sent, held=33_900) == game.post(0, 1, "-") == first


def test_only_the_player_on_the_clock_is_credited(play, clock, nonce):
    """A challenge by a player whose clock does not run leaves the clock of the other as it is."""
    game = play(clock=1_500, players=3, options={"challenge": "single"})
    rack = game.standing(0)["rack"].replace("?", "")
    game.take(0, f"8H {rack[:3]}")
    sent = nonce(game, 2, 1)
    clock.now += 2
    status, body = game.post(2, 2, "challenge", nonce=sent, held=0)
    assert (status, milliseconds(json.loads(body)["standing"])) == (200, [0, 2_000, 0])
    assert credit(game, 2) == 0


def test_a_move_may_come_half_a_second_late_once(play, clock):
    """A move in the half second after the flag is made, and leaves its player a millisecond and no more grace."""
    game = play(clock=60)
    clock.now += 60.4
    assert milliseconds(game.take(0, "-")["standing"]) == [59_999, 0]
    game.take(1, "-")
    clock.now += 0.09
    assert game.standing(1)["mover"] == 0
    clock.now += 0.02
    assert game.standing(1)["seats"][0]["left"] == "time-up"


def test_clocks_agree_at_any_distance(play, clock, nonce):
    """Players who think equally long use equal time within 0.3 s a turn at 20, 150 and 400 ms of round trip."""
    used = {}
    for round_trip in (0.02, 0.15, 0.4):
        game = play(clock=1_500)
        for _ in range(30):
            standing = exchange(game, clock, nonce, think=20, way=round_trip / 2)
        used[round_trip] = [spent / 15 for spent in milliseconds(standing)]
    assert used[0.02] == used[0.15] == [20_000, 20_000]
    assert all(0 < spent - 20_000 <= 300 for spent in used[0.4])


@given(MOMENTS, st.lists(st.tuples(st.integers(-5_000, 5_000), st.integers(0, 5_000), BOOTS), max_size=8))
def test_no_order_of_clocks_counts_time_twice(first, steps):
    """On one host the times between rows add up to the time that passed, however its clock was set meanwhile."""
    moment = first
    for jump, passed, boot in steps:
        read = Moment(max(0, moment.milliseconds + jump), moment.steady + passed, boot)
        later = not_before(read, moment)
        between = milliseconds_between(moment, read)
        assert between == milliseconds_between(moment, later) >= 0
        if boot and boot == moment.boot:
            assert between == passed
        else:
            assert later.milliseconds >= moment.milliseconds
        moment = later
