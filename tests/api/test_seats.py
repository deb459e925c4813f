"""Tests of invitations, seats that browsers take, recovery codes and promises."""

from __future__ import annotations

import json

import pytest
from sealed_game import FixedDraws, install_game_edition

NAMES = ("Ann", "Ben")
RACKS = ("AEHLTVZ", "CEILOQU")


class Browser:
    """A browser without a client key, which keeps the cookies it is sent."""

    def __init__(self, service, game, **headers):
        self.http = service.app.test_client()
        self.game, self.path = game, f"/v1/games/{game}"
        self.headers = {"Origin": "http://localhost", **headers}

    def send(self, method, path="", body=None, **headers):
        """Return status and JSON, or text, of the reply."""
        reply = self.http.open(
            f"{self.path}{path}", method=method, json=body, headers={**self.headers, **headers}, environ_base=ADDRESS
        )
        return reply.status_code, reply.get_json() if reply.is_json or reply.status_code >= 400 else reply.text

    def post(self, path, **body):
        return self.send("POST", path, body)

    def refusal(self, path, **body):
        """Return status and code of a refused request."""
        status, body = self.post(path, **body)
        return status, json.loads(body)["code"] if isinstance(body, str) else body["code"]

    def standing(self):
        status, body = self.send("GET")
        assert status == 200, body
        return body

    @property
    def cookie(self):
        return self.http.get_cookie("ordws_seat", path=self.path).value


ADDRESS = {"REMOTE_ADDR": "192.0.2.7"}


class InvitedGame:
    """A game with invitations that a client opened."""

    def __init__(self, service, rules="scrabble-o", seats=2, **fields):
        self.service = service
        body = {"rules": rules, "seats": [{}] * seats, "invitations": True, **fields}
        reply = service.http.post("/v1/games", json=body, headers={"Authorization": f"Bearer {service.key}"})
        assert reply.status_code == 201, reply.text
        self.id = reply.json["game"]
        self.invitations = [seat["invitation"] for seat in reply.json["seats"]]
        self.tokens = [seat["token"] for seat in reply.json["seats"]]

    def browser(self, **headers):
        return Browser(self.service, self.id, **headers)

    def seated(self, seat, name=None):
        """Return a browser that has taken a seat, and the reply to its taking."""
        browser = self.browser()
        status, taken = browser.post("/seat", invitation=self.invitations[seat], name=name or NAMES[seat])
        assert status == 200, taken
        return browser, taken

    def begun(self):
        """Return browsers that have taken all seats and sworn."""
        browsers = [self.seated(seat, f"Player {seat}")[0] for seat in range(len(self.invitations))]
        for browser in browsers:
            status, standing = browser.post("/oath", version=1)
            assert status == 200, standing
        return browsers


@pytest.fixture
def installation(installation):
    return install_game_edition(installation)


@pytest.fixture
def game(service):
    service.services.games.chance = FixedDraws(*RACKS)
    return InvitedGame(service)


def test_two_browsers_take_seats_swear_play_and_attest(game, clock):
    """A game with invitations must go from a link to the attestation without any client key."""
    ann, taken = game.seated(0)
    assert (taken["seat"], taken["standing"]["phase"], taken["standing"]["mover"]) == (0, "waiting", None)
    status, shown = game.browser().post("/invitation", invitation=game.invitations[1])
    assert status == 200, shown
    assert [(seat["player"], seat["taken"]) for seat in shown["seats"]] == [("Ann", True), (None, False)]
    assert (shown["seat"], shown["taken"], shown["rules"]) == (1, False, "scrabble-o")
    ben, _ = game.seated(1)
    assert ann.post("/oath", version=1)[1]["phase"] == "waiting"
    clock.now += 50
    status, standing = ben.post("/oath", version=1)
    assert (standing["phase"], standing["rack"], standing["seats"][0]["seconds"]) == ("to-move", RACKS[1], 0)
    clock.now += 7
    assert ann.standing()["seats"][0]["seconds"] == 7
    status, made = ann.post("/turns", turn=ann.standing()["turn"], move="8E HEAT")
    assert (status, made["happened"]["outcome"], made["happened"]["turn"]) == (200, "stands", 5)
    status, _ = ben.post("/turns", turn=6, move="resign")
    assert status == 200
    assert ben.post("/attestation", version=1)[1]["seats"][1]["attested"] is True
    standing = ann.standing()
    assert [seat["attested"] for seat in standing["seats"]] == [False, True]
    assert (standing["phase"], standing["last"]["outcome"], standing["turn"]) == ("over", "resigned", 8)


def test_before_all_have_sworn_nobody_sees_a_tile(game):
    """No reply before the last oath may hold a rack, or tell what is left in the bag."""
    ann, taken = game.seated(0)
    ben, _ = game.seated(1)
    for standing in (taken["standing"], ann.post("/oath", version=1)[1], ann.standing(), ben.standing()):
        assert standing["phase"] == "waiting"
        assert (standing["rack"], standing["unseen"]) == ("", {})
        assert {seat["rack"] for seat in standing["seats"]} == {None}
        assert standing["position"].endswith(" / 0/0 0")
    status, _ = game.browser().send("GET", Authorization=f"Bearer {game.service.key}", **{"Seat-Token": game.tokens[0]})
    assert status == 200
    assert ann.refusal("/turns", turn=4, move="8E HEAT") == (409, "not-started")
    assert ann.refusal("/turns", turn=4, move="resign") == (409, "not-started")
