"""Tests of games against the program, from the opening to the end, and of what they leave alone."""

from __future__ import annotations

import itertools
import json

import pytest
from event_desk import EventDesk
from invited_game import HOME, Browser, InvitedGame, finish
from sealed_game import NOON, FixedDraws, install_game_edition

from ordws.api.practice_register import write_credential

RACKS = ("AEHLTVZ", "CEILOQU")


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


class Practice:
    """The people and the program of a service."""

    def __init__(self, service, installation):
        self.service = service
        self.credential = write_credential(installation.instance.computer_key.read_bytes())

    def ask(self, credential=None, games=()):
        """Return status and body of the program's question for turns that are due."""
        question = {"credential": credential or self.credential, "games": [*games]}
        reply = self.service.http.post("/v1/practice/due", json=question)
        return reply.status_code, json.loads(reply.text)

    def due(self):
        status, body = self.ask()
        assert status == 200, body
        return body["turns"]

    def open(self, address="192.0.2.7", **fields):
        """Return status, body and the browser that opened a game."""
        http = self.service.app.test_client()
        origin = {"Origin": "http://localhost"}
        environ = {**HOME, "REMOTE_ADDR": address}
        reply = http.post("/v1/practice", json=fields, headers=origin, environ_base=environ)
        answer = json.loads(reply.text)
        browser = Browser(self.service, answer.get("game", ""))
        browser.http = http
        return reply.status_code, answer, browser

    def begin(self, **fields):
        """Return the browser of a new game in which it is to move, and what acts as the program."""
        self.service.services.games.chance = FixedDraws(*RACKS)
        status, opened, browser = self.open(first="me", rules="scrabble-o", **fields)
        assert status == 201, opened
        return browser, Program(self, opened["game"])


class Program:
    """What acts for the program in one game: it has what is due and the cookie that came with it."""

    def __init__(self, practice, game):
        self.practice, self.browser = practice, Browser(practice.service, game)

    def take(self, move):
        """Take the turn that is due, and return status and body of the reply."""
        [due] = [each for each in self.practice.due() if each["standing"]["game"] == self.browser.game]
        self.browser.cookie = due["cookie"]
        return self.browser.post("/turns", turn=due["standing"]["turn"], move=move)


@pytest.fixture
def practice(service, installation):
    practice = Practice(service, installation)
    practice.due()  # the program is there
    return practice


def test_a_game_begins_at_once(practice):
    """Whoever opens a game has the seat and may move, without a key, a link or an oath."""
    status, opened, ann = practice.open(first="me", name="Ann")
    standing = ann.standing()
    assert (status, opened["seat"], standing["phase"], standing["mover"]) == (201, 0, "to-move", 0)
    seats = [(seat["player"], seat["program"]) for seat in standing["seats"]]
    assert seats == [("Ann", None), ("Program (club)", "club")]


def test_words_are_judged_by_public_lists(practice):
    """A word of the open players' list stands though the edition lacks it; one of the edition alone does not."""
    ann, program = practice.begin()
    played = ann.take("/turns", turn=ann.standing()["turn"], move="8E THAE")
    assert played["happened"]["outcome"] == "stands"
    assert program.take("-")[0] == 200
    ben, _ = practice.begin()
    assert ben.take("/turns", turn=ben.standing()["turn"], move="8E HEAT")["happened"]["outcome"] == "rejected"


def test_a_club_s_own_words_decide(practice):
    """The words that a club allows or strikes hold in practice as in any game."""
    ann, _ = practice.begin(options={"allow": "TEAH"})
    assert ann.take("/turns", turn=ann.standing()["turn"], move="8E TEAH")["happened"]["outcome"] == "stands"
    ben, _ = practice.begin(options={"strike": "THAE"})
    assert ben.take("/turns", turn=ben.standing()["turn"], move="8E THAE")["happened"]["outcome"] == "rejected"


def test_a_game_leaves_every_meter_and_result_as_it_was(practice, installation, service):
    """A whole game of practice changes no row of the live meters, and has no result for standings or statistics."""
    before = installation.stored_meters()
    ann, program = practice.begin()
    ann.take("/turns", turn=ann.standing()["turn"], move="8E HEAT")
    ann.take("/turns", turn=ann.standing()["turn"], move="check-ospd")
    program.take("8E TILE")
    ann.take("/turns", turn=ann.standing()["turn"], move="resign")
    assert ann.standing()["ending"] == "forfeit"
    service.services.games.sweep(NOON + 200_000)
    assert installation.stored_meters() == before
    assert service.services.games.results.ended_since() == []


def test_the_program_sees_what_its_seat_sees(practice):
    """What is due has the program's rack and no other, and the program takes the turn once, however often it asks."""
    ann, program = practice.begin()
    assert practice.due() == []
    ann.take("/turns", turn=ann.standing()["turn"], move="-")
    [due] = practice.due()
    assert (due["strength"], due["standing"]["rack"]) == ("club", "CEILOQU")
    assert [seat["rack"] for seat in due["standing"]["seats"]] == [None, "CEILOQU"]
    status, reply = program.take("-Q")
    again = program.browser.post("/turns", turn=reply["happened"]["turn"], move="-Q")
    assert (status, again) == (200, (200, reply))
    other = program.browser.refusal("/turns", turn=reply["happened"]["turn"], move="-")
    assert other == (409, "turn-taken")


def test_a_question_that_names_games_is_answered_for_these(practice):
    """The program asks for the games that it had a notice of; it is told how many run, and of no review."""
    (ann, _), (ben, _), (cy, _) = practice.begin(), practice.begin(), practice.begin()
    for each in (ann, ben):
        each.take("/turns", turn=each.standing()["turn"], move="-")
    cy.take("/turns", turn=cy.standing()["turn"], move="resign")
    cy.take("/review")
    assert {due["standing"]["game"] for due in practice.due()} == {ann.game, ben.game}
    named = practice.ask(games=[ben.game, cy.game, "0" * 32])[1]
    assert [due["standing"]["game"] for due in named["turns"]] == [ben.game]
    assert (named["games"], named["review"]) == (2, None)


def test_only_the_program_is_told_what_is_due(practice):
    """Without the credential of this installation nobody is told of games."""
    status, problem = practice.ask("ordws_computer_" + 43 * "A")
    assert (status, problem["code"]) == (403, "program-only")


def test_there_is_no_game_without_the_program(practice, service, clock):
    """Where the program has not asked for a while, the page is told so, and no game is opened."""
    assert json.loads(service.http.get("/v1/practice").text) == {"program": True, "games_left": 20}
    clock.now += 60
    assert json.loads(service.http.get("/v1/practice").text)["program"] is False
    assert practice.open()[1]["code"] == "no-program"


def test_an_address_and_the_host_have_a_few_games_at_once(practice, service):
    """An address has three games at once and the host twenty; one that is over gives its place back."""
    browsers = [practice.begin()[0] for _ in range(3)]
    assert practice.open()[:2][1]["code"] == "too-many-games"
    browsers[0].take("/turns", turn=browsers[0].standing()["turn"], move="resign")
    assert practice.open()[0] == 201
    others = [practice.open(address=f"192.0.2.{100 + number}")[0] for number in range(17)]
    assert others == 17 * [201]
    status, problem, _ = practice.open(address="192.0.2.200")
    assert (status, problem["code"]) == (429, "practice-full")


def test_a_subscriber_s_larger_network_has_a_few_games_at_once(practice):
    """A network of IPv6 of 56 bits has twice the games of an address, one of 48 bits four times; others go on."""

    def open_from(*prefixes):
        opened = [practice.open(address=f"2001:db8:aa:{prefix:x}::7")[1] for prefix in prefixes for _ in range(3)]
        return [each.get("code", "opened") for each in opened]

    assert open_from(0x100, 0x101, 0x102) == 6 * ["opened"] + 3 * ["too-many-games"]
    assert open_from(0x200, 0x201, 0x300) == 6 * ["opened"] + 3 * ["too-many-games"]
    assert practice.open(address="2001:db8:ab::7")[0] == 201
    assert practice.open(address="192.0.2.7")[0] == 201


def test_an_address_may_begin_ninety_games_in_a_day(practice):
    """Games that are over count for the day, since each is kept for a day; other addresses go on."""
    for _ in range(90):
        ann, _ = practice.begin()
        ann.take("/turns", turn=ann.standing()["turn"], move="resign")
    status, problem, _ = practice.open()
    assert (status, problem["code"]) == (429, "too-many-games")
    assert "in a day" in problem["detail"]
    assert practice.open(address="192.0.2.8")[0] == 201


def test_addresses_take_turns_with_reviews(practice):
    """Who asks for many reviews waits for those of other addresses, however early they have asked."""
    asked = []
    for address in ["192.0.2.7", "192.0.2.7", "192.0.2.7", "192.0.2.8"]:
        ann, _ = practice.begin(address=address)
        ann.take("/turns", turn=ann.standing()["turn"], move="resign")
        ann.take("/review")
        asked.append(ann.game)
    made = []
    while (due := practice.ask()[1]["review"]) is not None:
        made.append(due["standing"]["game"])
        body = {"credential": practice.credential, "game": made[-1], "turns": []}
        assert practice.service.http.post("/v1/practice/reviews", json=body).status_code == 200
    assert sorted(made) == sorted(asked)
    assert asked[3] in made[:2], "the other address came second"


def test_a_game_ends_an_hour_after_its_last_move(practice, clock):
    """A move puts the end off; an hour without one ends the game and gives its place back."""
    ann, _ = practice.begin()
    clock.now += 3_000
    practice.due()
    ann.take("/turns", turn=ann.standing()["turn"], move="-")
    clock.now += 3_000
    assert ann.look()[0] == 200
    clock.now += 600
    assert ann.refusal("/turns", turn=1, move="-") == (403, "bad-seat")
    assert practice.due() == []


def test_a_review_waits_for_the_program_and_is_kept(practice):
    """A finished game is reviewed once it was asked for, and a running one never."""
    ann, _ = practice.begin()
    assert ann.refusal("/review") == (409, "game-not-over")
    ann.take("/turns", turn=ann.standing()["turn"], move="8E THAE")
    ann.take("/turns", turn=ann.standing()["turn"], move="resign")
    assert ann.take("/review") == {"state": "waiting", "turns": []}
    asked = practice.ask()[1]["review"]
    assert asked["standing"]["game"] == ann.game
    best = [{"move": "8E CAT", "score": 10, "value": 12.5}]
    turns = [{"turn": 3, "seat": 0, "move": "8E THAE", "score": 14, "lost": 0.5, "best": best}]
    body = {"credential": practice.credential, "game": ann.game, "turns": turns}
    for _ in range(2):
        assert practice.service.http.post("/v1/practice/reviews", json=body).status_code == 200
    assert practice.ask()[1]["review"] is None
    assert ann.take("/review") == {"state": "done", "turns": turns}
    wrong = practice.service.http.post("/v1/practice/reviews", json={**body, "credential": "x"})
    assert wrong.json["code"] == "program-only"


def test_a_game_of_friends_has_a_review(practice):
    """A finished game of two people is reviewed like one against the program, for both; a running one is not."""
    ann, ben = InvitedGame(practice.service).begun()
    assert ann.refusal("/review") == (409, "game-not-over")
    finish([ann])
    assert [each.take("/review")["state"] for each in (ann, ben)] == ["waiting", "waiting"]
    due = practice.ask()[1]["review"]
    assert due["standing"]["game"] == ann.game
    program = Browser(practice.service, ann.game)
    program.cookie = due["cookie"]
    assert program.send("GET", "/turns")[0] == 200
    body = {"credential": practice.credential, "game": ann.game, "turns": []}
    assert practice.service.http.post("/v1/practice/reviews", json=body).status_code == 200
    assert [each.take("/review")["state"] for each in (ann, ben)] == ["done", "done"]


def test_a_game_of_an_event_has_a_review_once_the_event_is_over(practice, installation):
    """While the event goes on its games are not reviewed; the desk says that it is over, as often as it likes."""
    desk = EventDesk(practice.service, installation)
    opened = desk.open().json
    ann, ben = desk.begin(opened)
    running = desk.open(table=2, names=("Cy", "Dee")).json["game"]
    over = {"games": [ann.game, running], "event_over": True}
    desk.post("/games/find", over)
    assert (ann.standing()["event_table"]["over"], ann.refusal("/review")) == (False, (409, "game-not-over"))
    finish([ann])
    assert ann.refusal("/review") == (409, "game-not-over")
    for _ in range(2):
        assert [each["status"] for each in desk.post("/games/find", over).json["games"]] == ["over", "waiting"]
    assert ann.standing()["event_table"]["over"]
    assert [each.take("/review")["state"] for each in (ann, ben)] == ["waiting", "waiting"]
    assert practice.ask()[1]["review"]["standing"]["game"] == ann.game


def test_the_record_of_a_kept_game_is_reviewed_for_its_day(practice, clock):
    """A record gets the review that the program made of it; thirty of an address are taken in a day, and no more."""
    http, records = practice.service.app.test_client(), [f"#player1 ann Ann {number}\n" for number in range(31)]

    def ask(record, address="192.0.2.7"):
        reply = http.post("/v1/practice/records", json={"record": record}, environ_base={"REMOTE_ADDR": address})
        return reply.json

    waiting = {"state": "waiting", "turns": []}
    assert [ask(record) for record in (records[0], *records[:30])] == [waiting] * 31
    assert ask(records[30])["code"] == "too-many-games"
    assert ask(records[30], "192.0.2.8") == waiting
    asked = practice.ask()[1]["review"]
    assert (asked["record"] in records, asked["standing"], asked["cookie"]) == (True, None, "")
    body = {"credential": practice.credential, "game": asked["game"], "turns": []}
    assert practice.service.http.post("/v1/practice/reviews", json=body).status_code == 200
    assert ask(asked["record"]) == {"state": "done", "turns": []}
    assert practice.ask()[1]["review"]["game"] != asked["game"]
    clock.now += 60
    assert ask("another")["code"] == "no-program"


def test_no_subscriber_of_ipv6_fills_the_queue_of_reviews(practice):
    """A network of 48 bits has four times the records of an address, and no more than 300 wait in all."""
    http, numbers = practice.service.app.test_client(), itertools.count()

    def send(address):
        body = {"record": f"#player1 ann Ann {next(numbers)}\n"}
        reply = http.post("/v1/practice/records", json=body, environ_base={"REMOTE_ADDR": address})
        return reply.json.get("state") or reply.json["code"]

    answers = [send(f"2001:db8:aa:{number << 8:x}::1") for number in range(5) for _ in range(30)]
    assert answers == ["waiting"] * 120 + ["too-many-games"] * 30
    answers = [send(f"192.0.2.{number}") for number in range(7) for _ in range(30)]
    assert answers == ["waiting"] * 180 + ["practice-full"] * 30


def test_which_games_have_no_review(practice, clock):
    """Games of more than two have none, and where the program does not run no game gets one."""
    browsers = InvitedGame(practice.service, seats=({}, {}, {})).begun()
    for browser in browsers[:2]:
        browser.take("/turns", turn=browser.standing()["turn"], move="resign")
    assert browsers[0].refusal("/review") == (404, "not-found")
    ann, _ = InvitedGame(practice.service).begun()
    finish([ann])
    clock.now += 60
    assert ann.refusal("/review") == (503, "no-program")
