"""Tests of games that guests open by the play link, from the link to what the game gives back."""

from __future__ import annotations

import json
from contextlib import closing

import pytest
from each_row import each_row
from invited_game import HOME, Browser, finish
from sealed_game import NOON, FixedDraws, install_edition, install_game_edition
from small_installation import InProcessService

from ordws.api.services import open_play_links
from ordws.guard.charge import CORE, GUESTS, NOBODY, UNITS, day_key
from ordws.guard.policy import DAY, Policy
from ordws.lexicon.sealed_edition import SealedLists

RACKS = ("AEHLTVZ", "CEILOQU")


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


class Guests:
    """Whoever has the play link of a service."""

    def __init__(self, service, **grant):
        self.service = service
        self.link = service.services.play_links.add(1, **grant)

    def open(self, address="192.0.2.7", **fields):
        """Return status, body and the browser that opened a game."""
        body = {"link": self.link, "name": "Ann", **fields}
        http = self.service.app.test_client()
        reply = http.post(
            "/v1/guest-games",
            json=body,
            headers={"Origin": "http://localhost"},
            environ_base={**HOME, "REMOTE_ADDR": address},
        )
        answer = json.loads(reply.text)
        browser = Browser(self.service, answer.get("game", ""))
        browser.http = http
        return reply.status_code, answer, browser

    def begin(self, **fields):
        """Return the browsers of a game that has begun, in the order of its seats."""
        status, opened, ann = self.open(**fields)
        assert status == 201, opened
        browsers = {opened["seat"]: ann}
        for each in opened["invitations"]:
            browsers[each["seat"]] = Browser(self.service, opened["game"])
            assert browsers[each["seat"]].post("/seat", invitation=each["invitation"], name="Ben")[0] == 200
        for browser in browsers.values():
            assert browser.post("/oath", version=1)[0] == 200
        return [browsers[seat] for seat in sorted(browsers)]

    def ask(self):
        """Return what the page is told of the link."""
        return json.loads(self.service.http.post("/v1/play-link", json={"link": self.link}).text)

    @property
    def left(self):
        return self.ask()["games_left"]


@pytest.fixture
def guests(service):
    service.services.games.chance = FixedDraws(*RACKS)
    return Guests(service)


def test_a_guest_opens_a_game_and_has_a_seat(guests, service):
    """The reply must have the seat, its recovery code, the other invitations, and what is left of the day."""
    assert guests.ask() == {
        "name": None,
        "games_left": 8,
        "games_a_day": 8,
        "resets": guests.ask()["resets"],
    }
    status, opened, ann = guests.open(first="me", clock=1_500)
    assert (status, opened["seat"], opened["games_left"], opened["rules"]) == (201, 0, 7, "scrabble-i")
    assert [each["seat"] for each in opened["invitations"]] == [1]
    standing = ann.standing()
    assert (standing["you"], standing["phase"], standing["seats"][0]["player"]) == (0, "waiting", "Ann")
    recovered = Browser(service, opened["game"])
    assert recovered.post("/seat", recovery=opened["recovery"])[0] == 200


@each_row(("first", "seats", "mine"), [("me", 3, 0), ("other", 3, 2), ("other", 2, 1)])
def test_who_opens_a_game_says_when_to_move(guests, first, seats, mine):
    """The player who opens it must move first or last; the other seats are invited to."""
    _, opened, _ = guests.open(first=first, seats=seats)
    assert opened["seat"] == mine
    assert sorted([mine, *[each["seat"] for each in opened["invitations"]]]) == list(range(seats))


def test_chance_gives_every_seat(guests, service):
    """By chance, both seats come."""
    seats = set()
    for n in range(60):
        _, opened, _ = guests.open(address=f"192.0.2.{n}")
        seats.add(opened["seat"])
        service.services.guest_games.give_back(opened["game"], NOON)
    assert seats == {0, 1}


def test_a_game_is_charged_to_what_it_holds_and_gives_back_the_rest(guests, service):
    """The words of a guests' game must be units of the game and nothing of the unverified; the rest comes back."""
    first, second = guests.begin(first="me", rules="scrabble-o")
    assert guests.left == 7
    status, made = first.post("/turns", turn=first.standing()["turn"], move="8E HEAT")
    assert (status, made["happened"]["outcome"]) == (200, "stands")
    status, _ = second.post("/turns", turn=second.standing()["turn"], move="resign")
    assert status == 200
    assert (guests.left, service.services.gate.unverified_spent(NOON)) == (8, {})
    (record,) = service.services.gate.store.read([day_key(GUESTS + NOBODY, NOON // DAY)])
    assert (record.counts[UNITS], record.counts[CORE]) == (1, 0)


def test_an_oath_sent_again_after_the_end_holds_nothing(guests):
    """A game that is over has given back what it held, and an oath that is repeated must change nothing."""
    first, second = guests.begin(first="me", rules="scrabble-o")
    assert first.post("/turns", turn=first.standing()["turn"], move="resign")[0] == 200
    assert [each.post("/oath", version=1)[0] for each in (first, second)] == [200, 200]
    assert guests.left == 8


def test_two_oaths_in_the_same_moment_hold_the_game_for_the_day(guests, service, clock, monkeypatch):
    """Where another oath is stored while one is on its way, the later one must find that it begins the game."""
    _, opened, ann = guests.open(first="me", rules="scrabble-o")
    ben = Browser(service, opened["game"])
    assert ben.post("/seat", invitation=opened["invitations"][0]["invitation"], name="Ben")[0] == 200
    append, statuses = service.services.games.append, []

    def append_after_another(*arguments):
        if not statuses:
            statuses.append(None)
            statuses.append(ben.post("/oath", version=1)[0])
        return append(*arguments)

    monkeypatch.setattr(service.services.games, "append", append_after_another)
    assert ann.post("/oath", version=1)[0] == 200
    assert (statuses[1], ann.standing()["phase"]) == (200, "to-move")
    clock.now += 3_600
    service.services.guest_games.sweep(clock.now)
    assert guests.left == 7


def test_guests_are_told_nothing_of_an_own_list(installation, clock):
    """A check of the OSPD in a game of guests must read the open list: an own one needs a key (Decision 13)."""
    lists = SealedLists(own_reference=frozenset({"TEAH"}), own_name="OSPD 7")
    install_edition(installation, ("HEAT",), number=3, core=("HEAT",), reference=("HEAT", "THAE"), sealed_lists=lists)
    service = InProcessService(installation.services(), installation.key, clock)
    told = {}
    for word in ("TEAH", "THAE"):
        service.services.games.chance = FixedDraws(*RACKS)
        first, _ = Guests(service).begin(first="me", rules="scrabble-o")
        moves = (f"8E {word}", "check-ospd")
        told[word] = [
            first.post("/turns", turn=first.standing()["turn"], move=move)[1]["happened"]["outcome"] for move in moves
        ]
    assert told == {"TEAH": ["rejected", "not-found"], "THAE": ["rejected", "found"]}
    service.services.register.close()


def test_what_is_stored_for_a_seat_is_bounded_over_its_holders(guests, monkeypatch):
    """Whoever takes a seat anew by its recovery code must not be given new room for stored replies."""
    monkeypatch.setattr("ordws.web.application.MAX_SEAT_BYTES_PER_DAY", 2_000)
    _, opened, browser = guests.open(first="me", rules="scrabble-o")
    ben = Browser(guests.service, opened["game"])
    assert ben.post("/seat", invitation=opened["invitations"][0]["invitation"], name="Ben")[0] == 200
    assert [each.post("/oath", version=1)[0] for each in (browser, ben)] == [200, 200]
    turn = {"turn": browser.standing()["turn"], "move": "8E HEAT"}

    def send_turn(key):
        return browser.send("POST", "/turns", turn, **{"Idempotency-Key": key})[0]

    assert [send_turn(str(number)) for number in range(4)][::3] == [200, 429]
    assert browser.post("/seat", recovery=opened["recovery"])[0] == 200
    assert send_turn("5") == 429


def test_a_game_that_ended_by_time_gives_back_when_it_is_looked_at(guests, clock):
    """A flag that falls while nobody looks must give the units back with the next request."""
    first, _ = guests.begin(first="me", rules="scrabble-o", clock=60, options={"clock": "total"})
    for phase in ("to-move", "over"):
        assert guests.left == 7
        clock.now += 61
        assert first.standing()["phase"] == phase
    assert guests.left == 8


def test_a_withdrawn_link_opens_nothing_and_games_go_on(guests, installation):
    """A withdrawal must hold at once; a game that was opened must be played on."""
    first, _ = guests.begin(first="me", rules="scrabble-o")
    with closing(open_play_links(installation.instance)) as links:
        links.withdraw()
    status, answer, _ = guests.open()
    assert (status, answer["code"], guests.link in json.dumps(answer)) == (403, "bad-play-link", False)
    assert guests.ask()["code"] == "bad-play-link"
    assert first.post("/turns", turn=first.standing()["turn"], move="8E HEAT")[0] == 200


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"link": "ordws_play_" + "A" * 43}, 403, "bad-play-link"),
        ({"link": ""}, 403, "bad-play-link"),
        ({"rules": "chess"}, 422, "unknown-rules"),
        ({"options": {"colour": "red"}}, 422, "unknown-option"),
        ({"rules": "classic", "seats": 3}, 422, "too-many-players"),
        ({"seats": 5}, 400, "bad-request"),
        ({"first": "never"}, 400, "bad-request"),
        ({"name": "a\nb"}, 400, "bad-request"),
        ({"name": None}, 400, "bad-request"),
    ],
)
def test_a_refused_opening_holds_nothing(guests, service, fields, status, code):
    """Whatever is wrong with a request, no game is opened, and neither the budget nor the address pays for it."""
    for _ in range(8):
        found, answer, _ = guests.open(**fields)
        assert (found, answer["code"]) == (status, code)
    assert (guests.left, guests.open()[0]) == (8, 201)


def test_a_page_of_another_site_opens_nothing(guests, service):
    """The cookie of the reply must not be set for a page of another site."""
    reply = service.http.post(
        "/v1/guest-games",
        json={"link": guests.link, "name": "Ann"},
        headers={"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    )
    assert (reply.status_code, json.loads(reply.text)["code"], guests.left) == (403, "cross-site", 8)


def test_the_ninth_game_waits_for_another_to_end(guests, service, clock):
    """When no whole game is left the refusal must name the guests' budget; a game that ends makes room."""
    opened = [guests.open(address=f"192.0.2.{n}")[1] for n in range(8)]
    http = service.app.test_client()
    reply = http.post(
        "/v1/guest-games", json={"link": guests.link, "name": "Ann"}, headers={"Origin": "http://localhost"}
    )
    answer = json.loads(reply.text)
    assert (reply.status_code, answer["code"], answer["budget"]) == (429, "budget-spent", "guests")
    assert int(reply.headers["Retry-After"]) == DAY - clock.now % DAY
    service.services.guest_games.give_back(opened[0]["game"], clock.now)
    assert guests.open(address="192.0.2.9")[0] == 201


def test_an_address_opens_six_games_a_day(guests, service, clock):
    """The seventh game of an address must wait for tomorrow, another address and an IPv6 network count apart."""
    for n in range(6):
        _, opened, _ = guests.open(address=f"2001:db8:0:1::{n}")
        service.services.guest_games.give_back(opened["game"], clock.now)
    status, answer, _ = guests.open(address="2001:db8:0:1:ffff::1")
    assert (status, answer["code"]) == (429, "too-many-games")
    assert "2001" not in json.dumps(answer)
    assert guests.open(address="2001:db8:0:2::1")[0] == 201
    clock.now += DAY
    assert guests.open(address="2001:db8:0:1::1")[0] == 201


def test_a_service_without_units_for_guests_opens_nothing(serve):
    """Under `guest_units_a_day = 0` the page must say that no game is left, and a refusal why."""
    guests = Guests(serve(Policy(guest_units_a_day=0)))
    status, answer, _ = guests.open()
    assert (status, answer["budget"], guests.left) == (429, "guests", 0)
    assert "opens no games to guests" in answer["detail"]


def test_a_named_link_plays_its_games_and_their_rematches(service):
    """A club's games and rematches, all from one address, must be charged to its link and to nothing else."""
    club = Guests(service, name="Tuesday club", games=8)
    resets = club.ask()["resets"]
    assert club.ask() == {"name": "Tuesday club", "games_left": 8, "games_a_day": 8, "resets": resets}
    opened = [club.open(first="me", rules="scrabble-o") for _ in range(7)]
    assert [(status, answer["games_left"]) for status, answer, _ in opened] == [(201, 7 - n) for n in range(7)]
    first, second = club.begin(first="me", rules="scrabble-o")
    finish([first, second])
    rematch = first.take("/rematch")
    assert (rematch["games_left"], Guests(service).left, service.services.guest_games.link_of(rematch["game"])) == (
        0,
        8,
        1,
    )
    status, answer, _ = club.open()
    assert (status, answer["budget"]) == (429, "guests")
    assert "this play link has 8 games a day" in answer["detail"]


def test_a_named_link_that_was_withdrawn_ends_rematches_alone(service):
    """A club whose link was withdrawn must open nothing, whatever other links there are; theirs go on."""
    club, others = Guests(service, name="Tuesday club", games=8), Guests(service)
    games = [each.begin(first="me", rules="scrabble-o") for each in (club, others)]
    for browsers in games:
        finish(browsers)
    service.services.play_links.withdraw("Tuesday club")
    assert games[0][0].refusal("/rematch") == (403, "bad-play-link")
    assert games[1][0].take("/rematch")["games_left"] == 7
