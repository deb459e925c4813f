"""Tests of the games that table stations send: verified, kept for the director, refused where something was changed."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest
from each_row import each_row
from leaks import find_leaks
from paired_devices import DeviceBrowser, refusal
from signing_station import (
    MINUTE,
    RULES,
    SigningKey,
    game_of_event,
    register_key,
    send_game,
    short_game,
    short_record,
    sign_chain,
)

from ordws.api import device_records
from ordws.api.station_events import SignedEvent, read_events
from ordws.api.station_record import check_clocks
from ordws.identity.devices import DeviceKey, read_point

KEY = SigningKey()


@pytest.fixture
def station(tablet):
    assert register_key(tablet, KEY).status_code == 200
    return tablet


@pytest.fixture
def director(club, service):
    """The director's own device."""
    browser = DeviceBrowser(service)
    assert browser.pair(club.post("/v1/devices", {"table": "Ann", "director": True}).json["code"]).status_code == 200
    return browser


def changed(number, **fields):
    """Return the events of the short game with other fields in one of them."""
    events = short_game()
    events[number] = {**events[number], **fields}
    return events


def with_pass(number, after):
    """Return the events of the short game with a pass before one of them, for which no clock has run."""
    events = short_game()
    before = events[number - 1]
    for later in events[number:]:
        later["at"] += after
    passed = {"kind": "pass", "player": 0, "at": before["at"] + after, "clocks": before["clocks"]}
    return [*events[:number], passed, *events[number:]]


def ahead(days):
    """Return the events of the short game, so many days later than the service's clock."""
    return [{**event, "at": event["at"] + days * 24 * 60 * MINUTE} for event in short_game()]


def test_a_director_is_told_what_needs_a_decision(station, director):
    """A game must be kept with its scores, late verdicts, neutralised time and attestations, and charge one game."""
    before = station.left()
    sent = send_game(station, short_record(), sign_chain(KEY, short_game()))
    assert sent.status_code == 201, sent.data
    assert {name: before[name] - station.left()[name] for name in ("games", "units")} == {"games": 1, "units": 0}
    (board,) = director.get("/v1/boards").json["boards"]
    assert (board["id"], board["table"], board["players"], board["late_noes"]) == (
        sent.json["id"],
        "Table 3",
        ["Ann", "Bob"],
        1,
    )
    shown = director.get(f"/v1/boards/{board['id']}").json
    assert [play["checked"] for play in shown["plays"]] == [True, False]
    assert shown["station"] == {
        "began": "2026-11-21T19:00:00Z",
        "ended": "2026-11-21T19:10:10Z",
        "scores": [play["score"] for play in shown["plays"]],
        "milliseconds": [2 * MINUTE, MINUTE],
        "late": [{"move": "9H ZAG", "player": "Bob", "at": "2026-11-21T19:05:05Z", "valid": False}],
        "neutralised": [
            {"player": "Ann", "milliseconds": MINUTE, "reason": "a fire drill", "at": "2026-11-21T19:06:10Z"}
        ],
        "attested": [True, True],
        "closed": None,
        "turn_points": [play["score"] for play in shown["plays"]],
        "turns": [1, 1],
        "left": [None, None],
        "standing": 5_000,
    }


def test_clocks_that_stand_beside_plays_are_counted():
    """The time in which no clock ran before the last turn is told: verdicts, and what a play found bad late took."""
    events = short_game()
    caught = {"kind": "catch", "at": events[5]["at"] + 2 * MINUTE, "clocks": events[5]["clocks"], "turn": 0}
    for later in events[6:]:
        later["at"] += 2 * MINUTE
    point = read_point(KEY.public["x"], KEY.public["y"])
    signed = [SignedEvent(**each) for each in sign_chain(KEY, [*events[:6], caught, events[6]])]
    assert check_clocks(read_events(signed, DeviceKey(point))) == 5_000 + 2 * MINUTE


def test_a_repeat_is_the_same_and_another_record_is_refused(station, director):
    """A station that lost the reply must get it again, and no second game must be kept under the label."""
    events = sign_chain(KEY, short_game())
    first = send_game(station, short_record(), events)
    assert send_game(station, short_record(), events).json == first.json
    again = sign_chain(KEY, short_game())  # ECDSA draws another number for each signature
    assert refusal(send_game(station, short_record(), again)) == (409, "board-kept")
    assert len(director.get("/v1/boards").json["boards"]) == 1


def test_nothing_in_a_chain_can_be_changed(station, director):
    """An event that was changed, left out, doubled or moved after it was signed must refuse the whole game."""
    events = sign_chain(KEY, short_game())
    tampered = []
    for number, event in enumerate(events):
        fields = json.loads(event["text"])
        later = {**event, "text": json.dumps({**fields, "at": fields["at"] + 1})}
        forged = {"text": later["text"], "signature": SigningKey().sign(later["text"])}
        resigned = {"text": later["text"], "signature": KEY.sign(later["text"])}
        swapped = [*events[:number], *events[number + 1 : number + 2], event, *events[number + 2 :]]
        tampered += [
            [*events[:number], later, *events[number + 1 :]],
            [*events[:number], forged, *events[number + 1 :]],
            [*events[:number], *events[number + 1 :]],
            [*events[:number], event, event, *events[number + 1 :]],
            *([swapped] if number < len(events) - 1 else []),
            # The key itself may sign another event, but then the digest in the next one is wrong.
            *([[*events[:number], resigned, *events[number + 1 :]]] if number < len(events) - 1 else []),
        ]
    for each in tampered:
        assert refusal(send_game(station, short_record(), each)) == (422, "bad-events")
    assert director.get("/v1/boards").json["boards"] == []


@each_row(
    ("events", "says"),
    [
        (changed(0, game="another"), "label"),
        (changed(0, players=["Ann", "Cec"]), "players"),
        (changed(0, players=["Ann"]), "no event"),
        (changed(2, player=0), "oath"),
        (changed(2, player=2), "player"),
        (changed(2, wording="I swear nothing."), "promise"),
        (changed(2, version=0, wording="I swear nothing."), "version"),
        (changed(11, version=2), "promise"),
        (changed(4, clocks=[MINUTE - 1, 0]), "clocks"),
        (changed(4, clocks=[MINUTE, 1]), "clocks"),
        (changed(5, at=short_game()[5]["at"] + 5), "clocks"),
        (changed(5, of=3), "verdict"),
        (changed(6, clocks=[MINUTE, 0]), "a turn behind the end"),
        (changed(8, milliseconds=2 * MINUTE), "clocks"),
        (changed(10, of=4), "late verdict"),
        (with_pass(10, after=0), "a turn behind the end"),
        (with_pass(9, after=2 * MINUTE), "a turn behind the end"),
        (ahead(3 * 365), "ahead"),
        (ahead(1), "ahead"),
        (changed(12, player=0), "attested"),
        (changed(12, kind="unknown"), "no event"),
        (changed(12, more=1), "no event"),
        (short_game()[:-1], "attested"),
        (short_game()[1:], "opens the game"),
    ],
)
def test_events_that_misfit_are_refused_though_their_device_signed_them(station, events, says):
    """Clocks that do not follow from times, missing promises and loose references must be named."""
    reply = send_game(station, short_record(), sign_chain(KEY, events))
    assert refusal(reply) == (422, "bad-events")
    assert says in reply.json["detail"]


@each_row(
    ("record", "events"),
    [
        (short_record(adjust=1), short_game()),
        (short_record(), changed(6, move="9H ZAGS")),
        (short_record(), changed(6, player=0)),
        (short_record(), changed(5, valid=False)),
        (short_record(first="8H KKKKKKK"), changed(4, move="8H KKKKKKK")),
        (short_record().replace("#note ordws ended stopped\n", ""), short_game()),
        (short_record().replace(">Bob", ">Ann"), short_game()),
        ("", short_game()),
    ],
)
def test_a_record_that_does_not_follow_from_the_events_is_refused(station, record, events):
    """A record with another score, play, player, verdict or end must be refused, as one with too many of a tile."""
    assert refusal(send_game(station, record, sign_chain(KEY, events))) == (422, "bad-record")


def test_a_device_signs_for_itself_alone(station, club, service, installation):
    """A game that another device signed must be refused, as that of a device without a key, and of a household."""
    events = sign_chain(KEY, short_game())
    other = club.pairs("Table 4")
    assert refusal(send_game(other, short_record(), events)) == (409, "no-key")
    assert register_key(other, SigningKey()).status_code == 200
    assert refusal(send_game(other, short_record(), events)) == (422, "bad-events")
    assert refusal(send_game(DeviceBrowser(service), short_record(), events)) == (401, "not-paired")
    assert send_game(station, short_record(), events).status_code == 201


def test_a_device_registers_one_key(tablet):
    """The first key must stay, the same again must be the same, and what is no point of the curve must be refused."""
    assert tablet.get("/v1/device").json["signs"] is False
    no_point = {**KEY.public, "x": "A" * 43}
    assert refusal(tablet.post("/v1/device/key", {"key": no_point})) == (422, "bad-key")
    first = register_key(tablet, KEY)
    assert (first.status_code, register_key(tablet, KEY).json) == (200, first.json)
    assert refusal(register_key(tablet, SigningKey())) == (409, "key-registered")
    assert tablet.get("/v1/device").json["signs"] is True


def test_a_household_keeps_no_boards(home):
    """A device of a household must be told that stations are for clubs."""
    tablet = home.pairs("kitchen")
    register_key(tablet, KEY)
    reply = send_game(tablet, short_record(), sign_chain(KEY, short_game()))
    assert refusal(reply) == (403, "operators-only")


def test_a_long_game_is_taken_and_a_longer_body_is_not(station):
    """A body of 256 KiB must be read for this request alone."""
    padded = {"game": "g", "record": "x" * 41_000, "events": sign_chain(KEY, short_game())}
    assert refusal(station.post("/v1/stations/games", padded)) == (400, "bad-request")
    assert refusal(station.post("/v1/boards", padded))[0] == 413
    padded["record"] = "x" * 300_000
    assert refusal(station.post("/v1/stations/games", padded))[0] == 413


PLACE = {"event": "e", "title": "Spring Open", "round": 2, "table": 7, "players": ["Ann", "Bob"], "rules": RULES}


@pytest.fixture
def desk(installation, name, club):
    """The key of the club's desk."""
    installation.register.add_scope(name, "tournament")
    installation.register.verify(name, 0)
    return club


def bind(desk, device="Table 3", **fields):
    return desk.post("/v1/tournament/stations", {**PLACE, "device": device, **fields})


def look(desk, *games):
    return desk.post("/v1/tournament/games/find", {"games": [*games]}).json["games"]


def test_a_device_has_so_many_games_to_send_at_most(station, desk, monkeypatch):
    """A device with as many games as it may have gets no other; one that it has already is told again."""
    monkeypatch.setattr(device_records, "MOST_UNSENT", 2)
    first = bind(desk, table=1)
    assert bind(desk, table=2).status_code == 201
    refused = bind(desk, table=3)
    assert (refused.status_code, refused.json["code"]) == (409, "table-bound")
    assert "yet to send" in refused.json["detail"]
    assert bind(desk, table=1).json == first.json


def test_a_station_reports_the_game_of_an_event(station, desk):
    """A bound station is told place, names and rules; its game, played off line, is the result when it comes."""
    bound = bind(desk)
    assert bound.status_code == 201, bound.json
    assert bind(desk).json == bound.json
    game = bound.json["game"]
    told = {"game": game, "event": "Spring Open", "round": 2, "table": 7, "number": 1, "players": ["Ann", "Bob"]}
    assert station.get("/v1/stations/games").json == {"games": [{**told, "rules": RULES, "options": {}}]}
    (waiting,) = look(desk, game)
    assert (waiting["kind"], waiting["status"]) == ("station", "waiting")
    # Bound to the next round meanwhile, the station sends the game that it has played without a connection.
    later = bind(desk, round=3).json["game"]
    sent = send_game(station, short_record(), sign_chain(KEY, game_of_event(game)))
    assert (sent.status_code, sent.json["bound"]) == (201, game)
    over, waiting = look(desk, game, later)
    scores = [each["score"] for each in over["seats"]]
    assert over["seats"] == [
        {
            "name": name,
            "taken": None,
            "sworn": None,
            "score": score,
            "turn_points": score,
            "turns": 1,
            "left": None,
            "attested": True,
        }
        for name, score in zip(("Ann", "Bob"), scores, strict=True)
    ]
    assert over["digest"] == sha256(short_record().encode()).hexdigest()
    assert (over["status"], over["late_noes"], waiting["status"]) == ("over", 0, "waiting")
    assert [each["game"] for each in station.get("/v1/stations/games").json["games"]] == [later]
    by_board = look(desk, sent.json["id"])[0]
    assert {**by_board, "game": game} == over


@pytest.mark.parametrize(
    "changes",
    [{"players": ["Ann", "Cy"]}, {"players": ["Bob", "Ann"]}, {"rules": "scrabble-o"}, {"options": {"end": "cycle"}}],
    ids=["others", "starts swapped", "rules", "options"],
)
def test_a_game_of_others_or_by_other_rules_is_no_result(station, desk, changes):
    """A game whose names, order or rules are not the event's is kept for the director, and the event has no result."""
    game = bind(desk, **changes).json["game"]
    sent = send_game(station, short_record(), sign_chain(KEY, game_of_event(game)))
    assert (sent.status_code, "bound" in sent.json) == (201, False)
    assert look(desk, game)[0]["status"] == "waiting"


def test_another_device_takes_a_game_over_until_it_is_sent(station, club, desk):
    """A broken tablet's game moves to another; the first no longer reports it, and what was sent does not move."""
    other = club.pairs("Table 4")
    register_key(other, KEY)
    game = bind(desk).json["game"]
    assert bind(desk, "Table 4").json["game"] == game
    assert station.get("/v1/stations/games").json == {"games": []}
    events = sign_chain(KEY, game_of_event(game))
    assert "bound" not in send_game(station, short_record(), events).json
    assert send_game(other, short_record(), events).json["bound"] == game
    assert refusal(bind(desk)) == (409, "table-bound")
    assert desk.post(f"/v1/tournament/games/{game}/call-off", {}).json["status"] == "over"


def test_a_game_is_bound_to_one_device_of_the_club(service, club, desk):
    """A table without a device, with two devices, or with the director's, plays no game of an event."""
    assert refusal(bind(desk)) == (409, "no-device")
    club.pairs("Table 3")
    assert bind(desk).status_code == 201
    club.pairs("Table 3")
    assert refusal(bind(desk)) == (409, "no-device")
    assert refusal(bind(desk, "Table 9")) == (409, "no-device")
    DeviceBrowser(service).pair(club.post("/v1/devices", {"table": "Ann", "director": True}).json["code"])
    assert refusal(bind(desk, "Ann")) == (409, "no-device")


def test_a_game_that_is_called_off_leaves_its_station(station, desk):
    """A desk that voids a round takes its games from the stations."""
    game = bind(desk).json["game"]
    assert desk.post(f"/v1/tournament/games/{game}/call-off", {}).json["status"] == "unknown"
    assert station.get("/v1/stations/games").json == {"games": []}


def test_what_a_desk_is_told_of_a_stations_game_has_no_word(station, desk, service):
    """Neither replies to a desk nor the log hold a word of the game at a station; its record does."""
    game = bind(desk).json["game"]
    sent = send_game(station, short_record(), sign_chain(KEY, game_of_event(game)))
    told = json.dumps([sent.json, look(desk, game), station.get("/v1/stations/games").json])
    words = ["ACTION"]  # three letters would be found in any digest
    assert find_leaks(short_record().encode(), words) == {*words}, "the word is found where it stands"
    assert not find_leaks((told + "".join(map(json.dumps, service.lines))).encode(), words)
