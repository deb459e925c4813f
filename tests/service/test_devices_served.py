"""Paired devices over HTTP: how they are let in, what they may ask, and how they are let out."""

from __future__ import annotations

import json
import re
from itertools import count

import pytest
from paired_devices import DAY, Director, Tablet, direct
from small_house import NOON, Clock, Service
from werkzeug.test import Client

from ordws.identity.devices import MOST_WRONG
from ordws.service.counts import Refusal
from ordws.service.metrics import Counted

NUMBERS = count(1)
EMPTY = "/".join(["21"] * 21)
FOREIGN = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "http://localhost:81"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://[::1"},
]


@pytest.fixture(scope="module")
def house(shared_house):
    return shared_house


@pytest.fixture(scope="module")
def running():
    return Clock()


@pytest.fixture
def clock(running):
    running.now = NOON
    return running


@pytest.fixture(scope="module")
def served(house, running):
    """The service that all tests of this module ask, each for a club of its own."""
    return Service(house.desk(), house.key, running)


@pytest.fixture
def service(served, clock):
    served.lines.clear()
    return served


@pytest.fixture
def name():
    return f"club {next(NUMBERS)}"


@pytest.fixture
def club(service, house, name):
    return direct(service, house, name)


@pytest.fixture
def home(service, house, name):
    return Director(service, house.register.add(f"home of {name}", "home", NOON - 40 * DAY))


def first(club):
    """The id of the club's first device."""
    return club.get("/v1/devices").json["devices"][0]["id"]


@pytest.fixture
def tablet(club):
    return club.pairs("Table 3")


def with_cookie(service, cookie):
    """What a browser is told of its device that sends just this."""
    return service.app.test_client(use_cookies=False).get("/v1/device", headers={"Cookie": cookie})


def refusal(reply):
    assert reply.headers["Content-Type"] == "application/problem+json"
    return reply.status_code, reply.json["code"]


def test_a_director_lets_a_device_in(club, service, name):
    """The code is shown once, the device gets its cookie, and then says where it is paired."""
    given = club.post("/v1/devices", {"table": "Table 3", "log": False})
    code = given.json["code"]
    assert re.fullmatch("[2-9A-HJKMNP-TV-Z]{5}-[2-9A-HJKMNP-TV-Z]{5}", code)
    assert (given.status_code, given.json) == (
        201, {"code": code, "table": "Table 3", "expires": "2026-11-21T12:15:00Z"},
    )  # fmt: skip
    tablet = Tablet(service)
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    reply = tablet.pair(code.lower().replace("-", " "))
    assert (reply.status_code, reply.json) == (200, {"table": "Table 3", "club": name})
    assert tablet.get("/v1/device").json == {"table": "Table 3", "club": name, "edition": "ORDWS 2026"}
    assert club.get("/v1/devices").json == {
        "devices": [{"id": first(club), "table": "Table 3", "paired": "2026-11-21T12:00:00Z", "log": False}]
    }


def test_the_cookie_is_for_this_service_alone(club, service):
    """No script reads it, no other site sends it, nothing but /v1 gets it, and it stays for 400 days."""
    reply = Tablet(service).pair(club.code("Table 3"))
    (cookie,) = reply.headers.getlist("Set-Cookie")
    assert re.fullmatch(
        "ordws_device=[0-9A-Za-z_-]{43}; Max-Age=34560000; Path=/v1; HttpOnly; SameSite=Strict", cookie
    )
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("how", [{"base_url": "https://localhost"}, {"headers": {"X-Forwarded-Proto": "https"}}])
def test_over_tls_it_is_sent_over_nothing_else(club, service, how):
    """A request that came over TLS, here or at a proxy, sets a cookie that is Secure."""
    code = {"code": club.code("Table 3")}
    (cookie,) = service.app.test_client().post("/v1/pair", json=code, **how).headers.getlist("Set-Cookie")
    assert cookie.endswith("; SameSite=Strict; Secure")


def test_every_wrong_code_gets_the_same_answer(club, service, clock):
    """Wrong, used, expired, and what is no code: one body, one set of headers."""
    used, expired = club.code("a"), club.code("b")
    Tablet(service).pair(used)
    clock.now += 900
    told = set()
    for code in (used, expired, "K7QXF-93MD2", "no code", ""):
        reply = Tablet(service).pair(code)
        assert refusal(reply) == (403, "bad-code")
        told.add((re.sub(rb"id-\d+", b"", reply.data), tuple(reply.headers.keys())))
    assert len(told) == 1


def test_who_guesses_is_stopped(club, service, clock):
    """After 600 wrong codes in a second none is looked at before the next one; what is paired goes on."""
    clock.now += 7_200  # in a second of its own
    tablet, code = club.pairs("Table 3"), club.code("Table 4")
    for _ in range(MOST_WRONG):
        assert service.desk.devices.pair("K7QXF-93MD2", clock.now) is None
    replies = [Tablet(service).pair(each) for each in (code, "K7QXF-93MD2")]
    assert [refusal(reply) for reply in replies] == [(429, "too-many-guesses")] * 2
    assert {reply.headers["Retry-After"] for reply in replies} == {"1"}
    assert tablet.judge("LOVERS").data == b'{"valid":true }'
    clock.now += 1
    assert Tablet(service).pair(code).status_code == 200


def test_a_seventh_code_is_refused(club):
    """A few wait to be used, and no more."""
    for _ in range(6):
        club.code("t")
    assert refusal(club.post("/v1/devices", {"table": "t"})) == (409, "too-many-devices")


@pytest.mark.parametrize(
    "body", [{"table": ""}, {"table": " "}, {"table": "a\nb"}, {"table": "a" * 65}, {}, {"table": "t", "log": 1}]
)
def test_a_table_has_a_name(club, body):
    """Which can be shown; nothing is done where it has none."""
    assert refusal(club.post("/v1/devices", body)) == (400, "bad-request")


def test_a_device_asks_what_a_table_needs(tablet):
    """Words, plays, scores, the OSPD, and what is left; verdicts are the bytes that every caller gets."""
    play = {"position": EMPTY, "move": "11K CAT"}
    assert tablet.judge("LOVERS", game="g").data == b'{"valid":true }'
    assert tablet.judge("MISFEED", game="g").data == b'{"valid":false}'
    assert tablet.post("/v1/plays", {**play, "game": "g"}).json["valid"] is True
    assert tablet.post("/v1/score", play).json["score"] == 10
    assert tablet.post("/v1/ospd", {"words": ["CAT"]}).data == b'{"found":true }'
    left = tablet.left("g")
    assert (left["units"], left["game"], left["games"], left["plays"], left["invalid"]) == (354, 26, 11, 57, 15)
    assert (left["core"], left["operator"], left["players"]) == (1498, 1998, 20)


def test_each_device_is_a_player_of_its_own(club, service):
    """What one spends is not the other's, and the club's daily total is of all together."""
    one, other = club.pairs("Table 1"), club.pairs("Table 2")
    one.judge("LOVERS")
    assert (one.left()["units"], other.left()["units"]) == (355, 356)
    assert (one.left()["operator"], other.left()["operator"]) == (1999, 1999)


def test_no_pseudonym_is_a_device(club, service):
    """However a club calls its players, none of them has the budgets of a device."""
    one = club.pairs("Table 1")
    one.judge("LOVERS")
    for between in (" ", "", "_", "-"):
        player = f"device{between}{first(club)}"
        assert service.judge("QUIZ", "ZAX", key=club.key, player=player).status_code == 200
    assert service.judge("CAT", key=club.key, player=f"device\u00a0{first(club)}").json["code"] == "bad-request"
    assert one.left()["units"] == 355


def test_a_verified_club_opens_its_evening(club, house, service):
    """24 tablets that were never seen before all get their answers; of a club that nobody knows, 20 do."""
    assert [answers(club, number) for number in range(24)] == [200] * 24
    key = house.register.add(f"strangers {next(NUMBERS)}", "operator", NOON - 40 * DAY)
    strangers = Director(service, key)
    assert [answers(strangers, number) for number in range(21)] == [200] * 20 + [429]


def answers(club, number):
    """The status of the first question on a new device."""
    return club.pairs(f"Table {number}").judge("LOVERS", game="g").status_code


def test_players_of_a_verified_club_are_counted(club, service):
    """Its devices leave all twenty pseudonyms of the day to its players."""
    club.pairs("Table 3").judge("LOVERS")
    asked = [service.judge("AT", key=club.key, player=f"p{number}").status_code for number in range(21)]
    assert asked == [200] * 20 + [429]


def test_a_home_players_device_is_the_player(service, home):
    """A phone at home asks under the budgets of the key that let it in."""
    home.pairs("Kitchen").judge("LOVERS")
    home.pairs("Garden").judge("QUIZ")
    assert service.quota(key=home.key)["units"] == 354


def test_a_device_names_no_player(tablet):
    """It is one."""
    play = {"position": EMPTY, "move": "11K CAT", "player": "ann"}
    replies = [
        tablet.judge("CAT", player="ann"), tablet.post("/v1/plays", play), tablet.post("/v1/score", play),
        tablet.post("/v1/ospd", {"words": ["CAT"], "player": "ann"}), tablet.get("/v1/quota?player=ann"),
    ]  # fmt: skip
    assert {refusal(reply) for reply in replies} == {(400, "bad-request")}


def test_all_else_needs_the_key(tablet):
    """A device opens no games, lets no other device in or out, and reads no log."""
    asked = [
        tablet.post("/v1/games", {"seats": [{}, {}]}), tablet.post("/v1/devices", {"table": "t"}),
        tablet.get("/v1/devices"), tablet.post("/v1/devices/1/revoke", {}), tablet.get("/v1/devices/log"),
        tablet.post("/v1/devices/log/find", {"words": ["CAT"]}),
    ]  # fmt: skip
    assert {refusal(reply) for reply in asked} == {(401, "unauthorized")}
    assert tablet.judge("CAT").status_code == 200


def test_a_key_stands_before_the_cookie(tablet, service, home):
    """With an Authorization header the cookie is not looked at, whether the header opens anything or not."""
    assert refusal(tablet.post("/v1/judge", {"words": ["CAT"]}, Authorization="Bearer x")) == (401, "unauthorized")
    bearer = f"Bearer {home.key}"
    assert tablet.post("/v1/judge", {"words": ["LOVERS"]}, Authorization=bearer).status_code == 200
    assert (service.quota(key=home.key)["units"], tablet.left()["units"]) == (355, 356)
    assert refusal(tablet.get("/v1/device", Authorization=bearer)) == (401, "not-paired")


@pytest.mark.parametrize("headers", FOREIGN)
def test_pages_of_other_sites_do_not_use_the_cookie(tablet, headers):
    """What a browser says of the page that asks is held against the service's own name."""
    replies = [
        tablet.post("/v1/judge", {"words": ["LOVERS"]}, **headers), tablet.get("/v1/quota", **headers),
        tablet.post("/v1/device/forget", {}, **headers),
    ]  # fmt: skip
    assert {refusal(reply) for reply in replies} == {(403, "cross-site")}
    assert tablet.left()["units"] == 356


@pytest.mark.parametrize("headers", FOREIGN)
def test_pages_of_other_sites_pair_nothing(club, service, headers):
    """Nobody has a visitor's browser judge in another club's name; the code stays as it was."""
    code = club.code("Table 3")
    assert refusal(Tablet(service).post("/v1/pair", {"code": code}, **headers)) == (403, "cross-site")
    assert Tablet(service).pair(code).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "none"}, {"Origin": "HTTP://LOCALHOST"}])
def test_pages_of_ours_and_programs_use_it(tablet, headers):
    """Who says nothing of a page is no page."""
    assert tablet.get("/v1/quota", **headers).status_code == 200


def test_a_key_is_no_cookie(service):
    """What programs send with a key is not held against a site."""
    headers = {"Authorization": f"Bearer {service.key}", "Origin": "https://league.example"}
    assert service.http.post("/v1/judge", json={"words": ["CAT"]}, headers=headers).status_code == 200


def test_a_device_forgets_itself(tablet, club, service, name):
    """Its cookie is cleared, and would open nothing any more."""
    token = tablet.cookie
    assert with_cookie(service, f"ordws_device={token}").status_code == 200
    reply = tablet.post("/v1/device/forget", {})
    assert (reply.status_code, reply.json) == (200, {"table": "Table 3", "club": name})
    assert reply.headers["Set-Cookie"] == "ordws_device=; Max-Age=0; Path=/v1; HttpOnly; SameSite=Strict"
    assert tablet.cookie == ""
    for reply in (tablet.get("/v1/device"), with_cookie(service, f"ordws_device={token}")):
        assert refusal(reply) == (401, "not-paired")
    assert club.get("/v1/devices").json == {"devices": []}


def test_a_director_lets_a_device_out(tablet, club):
    """At once; what it asks then is refused as of anybody who is not known."""
    path = f"/v1/devices/{first(club)}/revoke"
    reply = club.post(path, {})
    assert (reply.status_code, reply.json["table"]) == (200, "Table 3")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(club.post(path, {})) == (404, "not-found")


def test_a_director_sees_his_own_devices_alone(tablet, club, service, house, name):
    """Another club's devices are not listed, not revoked, and not told from those that never were."""
    other = direct(service, house, f"not {name}")
    assert other.get("/v1/devices").json == {"devices": []}
    replies = [other.post(f"/v1/devices/{number}/revoke", {}) for number in (first(club), 9999)]
    assert len({re.sub(rb"id-\d+", b"", reply.data) for reply in replies}) == 1
    assert tablet.judge("LOVERS").status_code == 200


@pytest.mark.parametrize("number", ["0", "-1", "x", "1" * 19, "1.0", "\u0661", "1%20"])
def test_what_is_no_device_is_nowhere(tablet, club, number):
    """Whatever stands in the path."""
    assert refusal(club.post(f"/v1/devices/{number}/revoke", {})) == (404, "not-found")


def test_a_device_ends_with_the_last_key(service, house, name, clock):
    """At the second at which its client could not ask any more itself; codes do too."""
    club = Director(service, house.register.add(f"trial of {name}", "operator", NOON, expires=NOON + 600))
    tablet, code = club.pairs("Table 3"), club.code("Table 4")
    clock.now += 600
    assert refusal(club.get("/v1/devices")) == (401, "unauthorized")
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")
    assert refusal(Tablet(service).pair(code)) == (403, "bad-code")


def test_a_revoked_client_has_no_devices(tablet, house, name):
    """Its key and its devices stop together."""
    house.register.revoke(name, 1)
    assert refusal(tablet.judge("LOVERS")) == (401, "unauthorized")
    assert refusal(tablet.get("/v1/device")) == (401, "not-paired")


def test_a_device_may_what_its_client_may(service, house):
    """The scopes of the client are those of its devices."""
    key = house.register.add("games", "operator", 0, scopes={"judge"})
    tablet = Director(service, key).pairs("t")
    with house.register._transaction() as db:
        db.execute("update clients set scopes = 'game' where name = 'games'")
    assert refusal(tablet.judge("LOVERS")) == (403, "out-of-scope")


def test_a_test_clients_device_asks_the_toy_set(service, house):
    """And touches no live meter."""
    tablet = Director(service, house.register.add("toy", "operator", 0, test=True)).pairs("t")
    assert tablet.cookie.startswith("test.")
    assert tablet.get("/v1/device").json["edition"] == "ORDWS TOY"
    assert tablet.judge("STAINER").data == b'{"valid":true }'
    assert tablet.judge("SPENT").status_code == 429
    assert tablet.post("/v1/ospd", {"words": ["QUOIT"]}).data == b'{"found":true }'


class Noted:
    """A row of the metrics that remembers which refusals it was told."""

    def __init__(self):
        self.refusals = []

    def begin(self):
        pass

    def end(self, route, status, seconds, refusal):
        self.refusals.append(refusal)


def test_what_a_test_device_is_refused_is_not_counted(service, house, club, name):
    """Its refusals are played, as a test key's are; those of other devices are counted."""
    toy = Director(service, house.register.add(f"toy of {name}", "operator", 0, test=True))
    row = Noted()
    counted = Client(Counted(service.app.wsgi_app, row), use_cookies=False)
    for director in (toy, club):
        cookie = {"Cookie": f"ordws_device={director.pairs('t').cookie}"}
        counted.post("/v1/judge", json={"words": ["C4T"]}, headers=cookie)
    assert row.refusals == [None, Refusal("bad-word")]


def test_an_answer_is_asked_for_again_by_the_device_that_had_it(club):
    """Two devices that use the same Idempotency-Key are two callers."""
    one, other = club.pairs("Table 1"), club.pairs("Table 2")
    first = one.post("/v1/judge", {"words": ["LOVERS"]}, **{"Idempotency-Key": "k"})
    again = one.post("/v1/judge", {"words": ["LOVERS"]}, **{"Idempotency-Key": "k"})
    others = other.post("/v1/judge", {"words": ["MISFEED"]}, **{"Idempotency-Key": "k"})
    assert (first.data, again.data, others.data) == (b'{"valid":true }', b'{"valid":true }', b'{"valid":false}')
    assert ["Idempotent-Replayed" in reply.headers for reply in (first, again, others)] == [False, True, False]


def test_the_room_for_answers_is_the_clients(club, monkeypatch):
    """Whoever pairs a device after another has no more answers kept than one device; without a key all goes on."""
    monkeypatch.setattr("ordws.desk.repeats.MOST_A_DAY", 5)
    kept = []
    for table in ("Table 1", "Table 2"):
        tablet = club.pairs(table)
        for number in range(3):
            reply = tablet.post("/v1/judge", {"words": ["AA"]}, **{"Idempotency-Key": f"{number}"})
            kept.append(reply.json.get("budget", reply.status_code))
        tablet.post("/v1/device/forget", {})
    assert kept == [200] * 5 + ["replies"]
    assert club.pairs("Table 3").judge("AA").status_code == 200


def test_of_two_cookies_none_counts(tablet, club, service):
    """Another host of this domain may have put one of them there, so that a table would be another club's."""
    other = club.pairs("Table 4")
    assert with_cookie(service, f"a=b; ordws_device={tablet.cookie}").status_code == 200
    for cookie in (
        f"ordws_device={tablet.cookie}; ordws_device={other.cookie}", f"ordws_device={tablet.cookie};ordws_device=x",
        f"ordws_device=; ordws_device={tablet.cookie}", f"xordws_device={tablet.cookie}; ordws_device",
    ):  # fmt: skip
        assert refusal(with_cookie(service, cookie)) == (401, "not-paired")


def test_a_lost_register_lets_nobody_in(tablet, club, house):
    """503, as of every store."""
    path = house.instance.clients
    path.rename(path.with_suffix(".away"))
    replies = [tablet.judge("LOVERS"), tablet.pair("K7QXF-93MD2"), tablet.get("/v1/device")]
    assert {refusal(reply) for reply in replies} == {(503, "store-down")}
    path.with_suffix(".away").rename(path)
    assert tablet.judge("LOVERS").status_code == 200


@pytest.mark.parametrize(
    ("kind", "verified", "is_alarming"), [("operator", True, False), ("operator", False, True), ("home", True, True)]
)
def test_a_known_clubs_judge_is_asked_of_doubtful_words_alone(house, kind, verified, is_alarming):
    """Which is no sign of mining at its tables. Any key can pair a program: of all others it is one, as of the key."""
    service = Service(house.desk(), house.key, Clock())
    name = f"doubtful {next(NUMBERS)}"
    club = Director(service, house.register.add(name, kind, NOON - 40 * DAY))
    tablet = club.pairs("Table 3")
    if verified:
        house.register.verify(name, NOON)
    words = [f"{one}{other}Q{one}" for one in "ZBYCXDWFVG" for other in "JKQZXV"]
    before = service.desk.gate.store.alarming(NOON)
    asked = [tablet.judge(word, game=f"g{number // 15}").status_code for number, word in enumerate(words)]
    service.desk.gate.watch(NOON, all_of_it=True)
    signs = {sign.rpartition("/")[2] for sign in service.desk.gate.store.alarming(NOON) - before}
    assert ("share" in signs) == ("invalid" in signs) == is_alarming
    assert (asked == [200] * 60) == (not is_alarming)


def test_a_log_line_names_no_table_code_or_cookie(club, service, name, caplog):
    """Routes are templates, and what devices are known by stands in no line."""
    code = club.code("Table Quincunx")
    tablet = Tablet(service)
    tablet.pair(code)
    tablet.judge("LOVERS")
    tablet.pair(code)
    tablet.get("/v1/device", **{"Sec-Fetch-Site": "cross-site"})
    club.post(f"/v1/devices/{first(club)}/revoke", {})
    said = json.dumps([line._asdict() for line in service.lines]) + caplog.text
    assert {line.route for line in service.lines} == {
        "/v1/devices", "/v1/pair", "/v1/judge", "/v1/device", "/v1/devices/{id}/revoke",
    }  # fmt: skip
    for secret in ("Quincunx", code, code.replace("-", ""), tablet.cookie, "LOVERS", name):
        assert secret not in said
