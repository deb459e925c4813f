"""Tests of the games of an event: opened once for a table, begun by oaths, called off in time, told without words."""

from __future__ import annotations

import json
import threading

import pytest
from event_desk import EventDesk
from leaks import find_leaks
from small_installation import NOON

from ordws.referee.sealed_game import EventTable


@pytest.fixture
def desk(service, installation):
    return EventDesk(service, installation)


def move(browser, text):
    return browser.take("/turns", turn=browser.standing()["turn"], move=text)


def pass_out(browsers):
    """End a game by passes; return the standing of the first player."""
    while (standing := browsers[0].standing())["phase"] != "over":
        move(browsers[standing["mover"]], "-")
    return standing


def refusal(reply):
    return reply.status_code, reply.json["code"]


def test_a_table_has_one_game_however_often_it_is_asked_for(desk, installation):
    """A desk that was cut off before it noted the game gets the same one, with the same links, charged once."""
    first = desk.open()
    before = desk.service.quota("?player=e-Ann", desk.key)["games"]
    assert (first.status_code, desk.open().json) == (201, first.json)
    assert desk.service.quota("?player=e-Ann", desk.key)["games"] == before
    renamed = desk.open(seats=[{"player": "e-Ann", "name": "Anne"}, {"player": "e-Ben", "name": "Ben"}])
    assert renamed.json["game"] == first.json["game"]
    others = {desk.open(**place).json["game"] for place in ({"table": 2}, {"game": 2}, {"draw": 2}, {"event": "f"})}
    assert len({first.json["game"], *others}) == 5
    assert refusal(desk.open(names=("Ann", "Cy"))) == (409, "table-bound")


def test_a_desk_killed_between_charge_and_game_is_charged_once(desk, monkeypatch):
    """The charge of a table's game is written before the game, and counts once though the game is dealt again."""

    def die(header):
        raise SystemExit

    with monkeypatch.context() as killed:
        killed.setattr(desk.service.services.games, "open", die)
        with pytest.raises(SystemExit):
            desk.open()
    left = desk.service.quota("?player=e-Ann", desk.key)["games"]
    assert desk.open().status_code == 201
    assert desk.service.quota("?player=e-Ann", desk.key)["games"] == left


def test_two_desks_that_ask_at_once_get_one_game(desk):
    """Of two games that are dealt for a table at the same moment one is kept, and both desks are told of it."""
    games, meet = desk.service.services.games, threading.Barrier(2)
    find = games.find_by_id

    def find_together(game, now):
        found = find(game, now)
        if found is None and not meet.broken:
            meet.wait(60)
        return found

    games.find_by_id = find_together
    opened = []
    desks = [threading.Thread(target=lambda: opened.append(desk.open())) for _ in range(2)]
    for each in desks:
        each.start()
    for each in desks:
        each.join()
    games.find_by_id = find
    assert [reply.status_code for reply in opened] == [201, 201]
    assert opened[0].json == opened[1].json


def test_a_game_is_charged_to_the_entrants_that_play_it(desk):
    """Each entrant spends one of their games, and the event's rules, options and clock are those of the game."""
    games = [desk.service.quota(f"?player=e-{name}", desk.key)["games"] for name in ("Ann", "Ben", "Cy")]
    opened = desk.open(options={"scoreless_turns": 4}, clock=600).json
    after = [desk.service.quota(f"?player=e-{name}", desk.key)["games"] for name in ("Ann", "Ben", "Cy")]
    assert [before - left for before, left in zip(games, after, strict=True)] == [1, 1, 0]
    standing = desk.begin(opened)[0].standing()
    assert (standing["clock"]["milliseconds"], standing["options"]["scoreless_turns"]) == (600_000, "4")
    place = {"event": "Spring Open", "round": 1, "table": 1, "game": 1, "called_off": False, "over": False}
    assert standing["event_table"] == place


def test_a_game_goes_from_waiting_to_its_result(desk):
    """A desk is told who has come, that a game is running, and its result, before and after the rows are swept."""
    opened = desk.open().json
    game = opened["game"]
    (waiting,) = desk.find(game)
    assert (waiting["kind"], waiting["status"], waiting["digest"]) == ("sealed", "waiting", None)
    ann = desk.seat(opened, 0)
    ann.take("/oath", version=1)
    seats = [(seat["name"], seat["taken"], seat["sworn"]) for seat in desk.find(game)[0]["seats"]]
    assert seats == [("Ann", True, True), ("Ben", False, False)]
    ben = desk.seat(opened, 1)
    ben.take("/oath", version=1)
    assert desk.find(game)[0]["status"] == "running"
    move(ann, "-")
    move(ben, "resign")
    (over,) = desk.find(game)
    assert (over["status"], over["ending"], over["winners"]) == ("over", "forfeit", [0])
    assert [(seat["turns"], seat["left"]) for seat in over["seats"]] == [(1, None), (0, "resigned")]
    assert len(over["digest"]) == 64
    desk.service.clock.now += 86_400 + 3_601
    desk.service.services.games.sweep(desk.service.clock.now)
    assert desk.find(game) == [over]


def test_a_clock_ends_a_game_that_nobody_looks_at(desk):
    """A desk that asks flags the player whose time is up, though both players have gone."""
    opened = desk.open(clock=600).json
    desk.begin(opened)
    desk.service.clock.now += 599
    assert desk.find(opened["game"])[0]["status"] == "running"
    desk.service.clock.now += 2
    assert desk.find(opened["game"])[0]["status"] == "running", "the second player's clock runs now"
    desk.service.clock.now += 601
    (over,) = desk.find(opened["game"])
    assert (over["status"], over["ending"]) == ("over", "time")
    assert [(seat["left"], seat["turns"]) for seat in over["seats"]] == [("time-up", 0), ("time-up", 0)]


def test_a_game_that_did_not_begin_is_called_off(desk):
    """After a game was called off nobody takes a seat or swears, and who had sworn by then does not change."""
    opened = desk.open().json
    ann, ben = desk.seat(opened, 0), desk.seat(opened, 1)
    ann.take("/oath", version=1)
    called = desk.call_off(opened["game"])
    assert (called["status"], [seat["sworn"] for seat in called["seats"]]) == ("called-off", [True, False])
    assert ben.refusal("/oath", version=1) == (409, "called-off")
    assert ann.standing()["event_table"]["called_off"] is True
    assert desk.call_off(opened["game"]) == called == desk.find(opened["game"])[0]
    other = desk.open(table=2).json
    desk.call_off(other["game"])
    browser = ben.at(other["game"])
    assert browser.refusal("/seat", invitation=other["seats"][0]["invitation"]) == (409, "called-off")


def test_a_game_that_has_begun_is_not_called_off(desk):
    """The last oath wins over a desk that comes too late, and the players are not disturbed."""
    opened = desk.open().json
    browsers = desk.begin(opened)
    assert desk.call_off(opened["game"])["status"] == "running"
    assert move(browsers[0], "-")["happened"]["outcome"] == "passed"


def test_a_game_of_a_voided_round_is_stopped(desk):
    """A desk may stop a game that runs: nobody moves any more, no clock runs, and it has neither result nor record."""
    opened = desk.open(clock=600).json
    ann, ben = desk.begin(opened)
    move(ann, "-")
    before = ben.standing()
    assert (before["mover"], before["acts"][:1]) == (before["you"], ["play"])
    called = desk.call_off(opened["game"], begun=True)
    assert (called["status"], called["digest"], called["seats"][0]["score"]) == ("called-off", None, None)
    for browser in (ann, ben):
        standing = browser.standing()
        assert (standing["event_table"]["called_off"], standing["acts"], standing["mover"]) == (True, [], None)
        assert (standing["phase"], standing["clock"]["running_ms"]) == (before["phase"], 0)
    assert ben.refusal("/turns", turn=before["turn"], move="-") == (409, "called-off")
    assert ann.take("/turns", turn=before["turn"] - 1, move="-")["happened"]["outcome"] == "passed", "a move sent again"
    assert ben.send("GET", Accept="text/plain")[0] == 409
    desk.service.clock.now += 3 * 600
    assert desk.find(opened["game"]) == [called]
    assert desk.call_off(opened["game"], begun=True) == called
    desk.service.clock.now += 86_400 + 3_601
    desk.service.services.games.sweep(desk.service.clock.now)
    assert desk.find(opened["game"])[0]["status"] == "unknown"


def test_a_game_that_is_over_keeps_its_result(desk):
    """A game that ended before its desk stopped it has its result."""
    opened = desk.open().json
    browsers = desk.begin(opened)
    move(browsers[0], "resign")
    assert desk.call_off(opened["game"], begun=True)["status"] == "over"
    assert browsers[1].standing()["event_table"]["called_off"] is False


def test_a_game_of_an_event_has_no_rematch(desk):
    """The next game is the event's to draw."""
    browsers = desk.begin(desk.open().json)
    move(browsers[0], "resign")
    assert browsers[1].refusal("/rematch") == (400, "bad-request")


def test_a_desk_sees_its_own_games_alone(desk, service, installation):
    """Neither another operator's games nor guests' nor invented ids are told of, or called off."""
    opened = desk.open().json
    other = EventDesk(service, installation, "another")
    for game in (opened["game"], "0" * 32):
        (found,) = other.find(game)
        assert (found["status"], found["kind"], found["seats"]) == ("unknown", None, [])
        assert other.call_off(game)["status"] == "unknown"
    assert desk.find(opened["game"])[0]["status"] == "waiting"
    services = service.services.games
    assert opened["game"] == services.event_game_id("2", EventTable("e", "", 1, 1)), "the key and the place alone"
    assert other.open().json["game"] != opened["game"]


def test_a_key_without_the_scope_opens_no_event(desk, service, installation):
    """A key of another scope, and a paired device, must not open, look at or call off games of events."""
    key = installation.register.add("club", "operator", NOON)
    body = {"games": ["0" * 32]}
    assert service.post(body, key, "/v1/tournament/games/find").json["code"] == "out-of-scope"
    assert service.http.post("/v1/tournament/games/find", json=body).status_code == 401
    assert service.judge("CAT", key=desk.key, player="e-Ann").status_code == 200


def test_replies_and_logs_hold_no_word_of_a_game(desk, service):
    """What a desk is told of a game, and what is logged, must hold none of its words; they are in the record."""
    opened = desk.open(rules="classic").json
    browsers = desk.begin(opened)
    rack = browsers[0].standing()["rack"].replace("?", "z")
    move(browsers[0], f"8D {rack}")
    told = [desk.open(rules="classic").json, desk.find(opened["game"]), desk.call_off(opened["game"])]
    pass_out(browsers)
    told.append(desk.find(opened["game"]))
    record = browsers[0].send("GET", Accept="text/plain")[1]
    assert find_leaks(record.encode(), [rack.upper()]), "the word is found where it stands"
    written = json.dumps(told) + "".join(map(json.dumps, service.lines))
    assert opened["game"] in written
    assert not find_leaks(written.encode(), [rack.upper()])
