"""Tests of rematches: the next game of the same players, of guests and of a client's players."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from invited_game import Browser, InvitedGame, finish, open_guest_game
from sealed_game import FixedDraws, install_game_edition

from ordws.guard.charge import GUESTS, NOBODY, UNITS, day_key
from ordws.guard.policy import DAY
from ordws.retention import GAMES


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


@pytest.fixture
def service(service):
    service.services.games.chance = FixedDraws("AEHLTVZ", "CEILOQU")
    return service


@pytest.fixture
def guests(service):
    """Return the browsers of two guests whose game has begun."""
    ann, opened = open_guest_game(service)
    ben = Browser(service, ann.game)
    ben.take("/seat", invitation=opened["invitations"][0]["invitation"], name="Ben")
    for browser in (ann, ben):
        browser.take("/oath", version=1)
    return ann, ben


def test_a_rematch_turns_the_seats_by_one(guests):
    """Each player must have a seat of their own in the next game, which the other one begins, with rules and names."""
    ann, ben = guests
    finish(guests)
    assert ann.standing()["rematch"] is None
    opened = ben.take("/rematch")
    assert (opened["seat"], [each["seat"] for each in opened["invitations"]]) == (0, [1])
    again = ben.at(opened["game"])
    standing = again.standing()
    assert (standing["you"], standing["phase"], standing["rules"]) == (0, "waiting", "scrabble-o")
    assert [(seat["player"], seat["taken"]) for seat in standing["seats"]] == [("Ben", True), ("Ann", False)]
    shown = ann.standing()["rematch"]
    assert shown == {"game": opened["game"], "invitation": opened["invitations"][0]["invitation"]}
    follower = ann.take("/rematch")
    assert (follower["game"], follower["seat"]) == (opened["game"], 1)
    assert ann.at(follower["game"]).take("/oath", version=1)["phase"] == "waiting"
    assert again.take("/oath", version=1)["mover"] == 0


def test_a_rematch_asked_for_again_is_the_same_game(guests):
    """The same browser must get the same seat and code again, and the guests' budget be held once."""
    finish(guests)
    with ThreadPoolExecutor(8) as pool:
        opened = [*pool.map(lambda browser: browser.take("/rematch"), guests * 4)]
    assert len({each["game"] for each in opened}) == 1
    assert len({(each["seat"], each["recovery"]) for each in opened}) == 2
    assert {each["games_left"] for each in opened} <= {7, 8}
    assert guests[0].take("/rematch")["games_left"] == 7


def test_a_rematch_waits_for_the_end(guests):
    """There must be no rematch of a game that goes on, and none of a game without invitations."""
    assert guests[0].refusal("/rematch") == (409, "game-not-over")
    finish(guests)
    assert guests[0].refusal("/rematch", rules="classic") == (400, "bad-request")


def test_a_rematch_of_a_clients_game_is_charged_to_the_client(service, clock):
    """The next game of an operator's or a home client's players must count as one of its games, once."""
    game = InvitedGame(service, seats=[{"player": "Ann"}, {"player": "Ben"}])
    browsers = game.begun()
    finish(browsers)
    games_left = service.quota()["games"]
    opened = browsers[0].take("/rematch")
    browsers[1].take("/rematch")
    assert (opened["seat"], opened["games_left"], opened["invitations"]) == (1, None, [])
    assert games_left - service.quota()["games"] == 1
    clock.now += GAMES.seconds
    assert browsers[0].refusal("/rematch") == (403, "bad-seat")


def test_guests_open_no_rematch_when_no_game_is_left(service, guests):
    """A day without whole games left must have no rematch, and the game that is over says so as often as asked."""
    finish(guests)
    guests[0].standing()
    now = service.clock()
    for number in range(8):
        assert service.services.guest_games.begin(f"game {number}", now + GAMES.seconds, now) is None
    status, problem = guests[1].post("/rematch")
    assert (status, problem["code"], problem["budget"]) == (429, "budget-spent", "guests")
    assert guests[0].standing()["rematch"] is None


def test_rematches_count_for_the_address_once(service, guests):
    """A rematch must be one of the games of an address, however many of its players asked for it."""
    finish(guests)
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(lambda browser: browser.post("/rematch")[0], guests * 2)] == [201] * 4
    games, now, taken = service.services.guest_games, service.clock(), 0
    while games.may_open("192.0.2.7", now) and games.open(f"other {taken}", "192.0.2.7", now) is None:
        taken += 1
    assert taken == service.services.gate.policy.guest_games_an_address - 2
    for number in range(taken):
        games.give_back(f"other {number}", now)
    ann = guests[0].at(guests[0].take("/rematch")["game"])
    ben = guests[1].at(guests[1].take("/rematch")["game"])
    for browser in (ann, ben):
        browser.take("/oath", version=1)
    finish([ann])
    assert ann.refusal("/rematch") == (429, "too-many-games")


def test_guests_words_are_charged_to_their_game(service, guests):
    """A guest's play must be judged and charged to the game alone, and what is not spent come back at its end."""
    ann, ben = guests
    made = ann.take("/turns", turn=ann.standing()["turn"], move="8E HEAT")
    assert made["happened"]["outcome"] == "stands"
    assert service.services.guest_games.left(service.clock()).games_left == 7
    finish([ben])
    ann.standing()
    (held,) = service.services.gate.store.read([day_key(GUESTS + NOBODY, service.clock() // DAY)])
    assert held.counts[UNITS] == 1


def test_the_seat_of_somebody_else_is_not_given_away_by_a_rematch(service, guests):
    """A seat that was taken by invitation must be its taker's alone, whoever had it in the game before."""
    ann, ben = guests
    finish(guests)
    opened = ann.take("/rematch")
    eve = Browser(service, opened["game"])
    eve.take("/seat", invitation=opened["invitations"][0]["invitation"], name="Eve")
    for browser in (ann.at(opened["game"]), eve):
        browser.take("/oath", version=1)
    assert ben.refusal("/rematch") == (409, "seat-taken")
    assert ben.at(opened["game"]).look()[0] == 403
    assert eve.standing()["rack"]


def test_a_seat_that_was_recovered_is_not_given_back_by_a_rematch(service, guests):
    """A browser whose seat was taken on another device by its recovery code must not get it back by asking again."""
    ann, _ = guests
    finish(guests)
    opened = ann.take("/rematch")
    assert ann.take("/rematch")["recovery"] == opened["recovery"]
    phone = Browser(service, opened["game"])
    phone.take("/seat", recovery=opened["recovery"])
    assert ann.refusal("/rematch") == (409, "seat-taken")
    assert phone.standing()["you"] == opened["seat"]


def test_guests_open_no_rematch_when_their_link_was_withdrawn(service, guests, clock):
    """A keeper who withdraws the play link must end the games that follow from it too, also under a new link."""
    ann, ben = guests
    finish(guests)
    service.services.play_links.withdraw()
    assert ann.refusal("/rematch") == (403, "bad-play-link")
    clock.now += 60
    open_guest_game(service)
    assert ben.refusal("/rematch") == (403, "bad-play-link")
    assert ann.standing()["rematch"] is None
