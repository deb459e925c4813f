"""Tests of the requests that paired devices may send, and of the budgets they are charged to."""

from __future__ import annotations

from each_row import each_row
from paired_devices import CLUB_NUMBERS, DAY, DeviceBrowser, Director, first_device_id, refusal
from small_installation import NOON

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


def test_a_device_may_use_judge_plays_scores_checks_and_quota(tablet):
    """A device may ask for words, plays, scores, the OSPD and its quota, and gets the same bytes as every caller."""
    play = {"position": EMPTY, "move": "11K CAT"}
    assert tablet.judge("LOVERS", game="g").data == b'{"valid":true }'
    assert tablet.judge("MISFEED", game="g").data == b'{"valid":false}'
    assert tablet.post("/v1/plays", {**play, "game": "g"}).json["valid"] is True
    assert tablet.post("/v1/score", play).json["score"] == 10
    assert tablet.post("/v1/ospd", {"words": ["CAT"]}).data == b'{"found":true }'
    left = tablet.left("g")
    assert (left["units"], left["game"], left["games"], left["plays"]) == (354, 26, 11, 57)
    assert left["core"] == 538


def test_each_device_is_a_player_of_its_own(club, service):
    """Each device has its own budgets, and the club's daily total is shared by all, which no device is shown."""
    one, other = club.pairs("Table 1"), club.pairs("Table 2")
    one.judge("LOVERS")
    assert (one.left()["units"], other.left()["units"]) == (355, 356)
    assert set(other.left()) == {"core", "units", "outside", "games"}
    shown = service.quota("?player=ann", key=club.key)
    assert (shown["operator"], shown["players"]) == (1999, 125)


def test_no_pseudonym_is_a_device(club, service):
    """No pseudonym of a player may share the budgets of a device."""
    one = club.pairs("Table 1")
    one.judge("LOVERS")
    for between in (" ", "", "_", "-"):
        player = f"device{between}{first_device_id(club)}"
        assert service.judge("QUIZ", "ZAX", key=club.key, player=player).status_code == 200
    assert (
        service.judge("CAT", key=club.key, player=f"device\u00a0{first_device_id(club)}").json["code"] == "bad-request"
    )
    assert one.left()["units"] == 355


def test_a_verified_club_may_pair_24_new_devices(club, installation, service):
    """24 new devices of a verified club must all be answered, and 20 of an unverified club."""
    assert [answers(club, number) for number in range(24)] == [200] * 24
    key = installation.register.add(f"strangers {next(CLUB_NUMBERS)}", "operator", NOON - 40 * DAY)
    strangers = Director(service, key)
    assert [answers(strangers, number) for number in range(21)] == [200] * 20 + [429]


def answers(club, number):
    """Return the status of the first question on a new device."""
    return club.pairs(f"Table {number}").judge("LOVERS", game="g").status_code


def test_devices_of_a_verified_club_are_not_new_players(club, service):
    """The devices of a verified club must leave all 125 new players of the day to its pseudonyms."""
    club.pairs("Table 3").judge("LOVERS")
    asked = [service.judge("AT", key=club.key, player=f"p{number}").status_code for number in range(126)]
    assert asked == [200] * 125 + [429]


def test_a_home_clients_device_shares_its_budgets(service, home):
    """A device of a home client must be charged to the client's own budgets."""
    home.pairs("Kitchen").judge("LOVERS")
    home.pairs("Garden").judge("QUIZ")
    assert service.quota(key=home.key)["units"] == 354


def test_a_device_names_no_player(tablet):
    """A request of a device must not name a player."""
    play = {"position": EMPTY, "move": "11K CAT", "player": "ann"}
    replies = [
        tablet.judge("CAT", player="ann"),
        tablet.post("/v1/plays", play),
        tablet.post("/v1/score", play),
        tablet.post("/v1/ospd", {"words": ["CAT"], "player": "ann"}),
        tablet.get("/v1/quota?player=ann"),
    ]
    assert {refusal(reply) for reply in replies} == {(400, "bad-request")}


def test_other_operations_need_the_key(tablet):
    """A device must not open games, pair or revoke devices, or read the log."""
    asked = [
        tablet.post("/v1/games", {"seats": [{}, {}]}),
        tablet.post("/v1/devices", {"table": "t"}),
        tablet.get("/v1/devices"),
        tablet.post("/v1/devices/1/revoke", {}),
        tablet.get("/v1/devices/log"),
        tablet.post("/v1/devices/log/find", {"words": ["CAT"]}),
    ]
    assert {refusal(reply) for reply in asked} == {(401, "unauthorized")}
    assert tablet.judge("CAT").status_code == 200


def test_a_key_takes_precedence_over_the_cookie(tablet, service, home):
    """With an Authorization header, valid or not, the cookie must be ignored."""
    assert refusal(tablet.post("/v1/judge", {"words": ["CAT"]}, Authorization="Bearer x")) == (401, "unauthorized")
    bearer = f"Bearer {home.key}"
    assert tablet.post("/v1/judge", {"words": ["LOVERS"]}, Authorization=bearer).status_code == 200
    assert (service.quota(key=home.key)["units"], tablet.left()["units"]) == (355, 356)
    assert refusal(tablet.get("/v1/device", Authorization=bearer)) == (401, "not-paired")


@each_row("headers", FOREIGN)
def test_pages_of_other_sites_cannot_use_the_cookie(tablet, headers):
    """A request that the browser attributes to a page of another site must not use the cookie."""
    replies = [
        tablet.post("/v1/judge", {"words": ["LOVERS"]}, **headers),
        tablet.get("/v1/quota", **headers),
        tablet.post("/v1/device/forget", {}, **headers),
    ]
    assert {refusal(reply) for reply in replies} == {(403, "cross-site")}
    assert tablet.left()["units"] == 356


@each_row("headers", FOREIGN)
def test_pages_of_other_sites_cannot_pair_a_browser(club, service, headers):
    """A page of another site must not pair its visitor's browser, and the code must stay usable."""
    code = club.code("Table 3")
    assert refusal(DeviceBrowser(service).post("/v1/pair", {"code": code}, **headers)) == (403, "cross-site")
    assert DeviceBrowser(service).pair(code).status_code == 200


@each_row("headers", [{}, {"Sec-Fetch-Site": "none"}, {"Origin": "HTTP://LOCALHOST"}])
def test_own_pages_and_programs_can_use_the_cookie(tablet, headers):
    """Pages of this service and programs, which send no such headers, may use the cookie."""
    assert tablet.get("/v1/quota", **headers).status_code == 200


def test_a_request_with_a_key_is_answered_from_any_site(service):
    """A request with a key must be answered whatever site its headers name."""
    headers = {"Authorization": f"Bearer {service.key}", "Origin": "https://league.example"}
    assert service.http.post("/v1/judge", json={"words": ["CAT"]}, headers=headers).status_code == 200
