"""Games whose players take their seats by invitation, and browsers that have cookies and no client key."""

from __future__ import annotations

from copy import copy

HOME = {"REMOTE_ADDR": "192.0.2.7"}
SEAT_COOKIE = "ordws_seat"


class Browser:
    """A browser without a client key, which keeps the cookies it is sent."""

    def __init__(self, service, game, address=HOME, **headers):
        self.http = service.app.test_client()
        self.game, self.path, self.address = game, f"/v1/games/{game}", address
        self.headers = {"Origin": "http://localhost", **headers}

    def at(self, game):
        """Return the same browser, with its cookies, at another game."""
        following = copy(self)
        following.game, following.path = game, f"/v1/games/{game}"
        return following

    def send(self, method, path="", body=None, **headers):
        """Return status and JSON of the reply; its text where it is no JSON."""
        sent = {"headers": {**self.headers, **headers}, "environ_base": self.address}
        reply = self.http.open(f"{self.path}{path}", method=method, json=body, **sent)
        return reply.status_code, reply.get_json(force=True) if "json" in reply.content_type else reply.text

    def post(self, path, **body):
        return self.send("POST", path, body)

    def refusal(self, path, **body):
        """Return status and code of a refused request."""
        status, problem = self.post(path, **body)
        return status, problem["code"]

    def take(self, path, **body):
        """Return the reply to a request that is answered."""
        status, answer = self.post(path, **body)
        assert status in (200, 201), answer
        return answer

    def look(self):
        """Return status and body of a request for the standing."""
        return self.send("GET")

    def standing(self):
        status, body = self.look()
        assert status == 200, body
        return body

    @property
    def cookie(self):
        return self.http.get_cookie(SEAT_COOKIE, path=self.path).value

    @cookie.setter
    def cookie(self, value):
        self.http.set_cookie(SEAT_COOKIE, value, path=self.path)


class InvitedGame:
    """A game with invitations that a client opened."""

    def __init__(self, service, rules="scrabble-o", seats=({}, {}), key=None, **fields):
        self.service = service
        body = {"rules": rules, "seats": list(seats), "invitations": True, **fields}
        reply = service.http.post("/v1/games", json=body, headers={"Authorization": f"Bearer {key or service.key}"})
        assert reply.status_code == 201, reply.text
        self.opened = reply.json
        self.id = reply.json["game"]
        self.invitations = [seat["invitation"] for seat in reply.json["seats"]]
        self.tokens = [seat["token"] for seat in reply.json["seats"]]

    def browser(self, **headers):
        return Browser(self.service, self.id, **headers)

    def seated(self, seat, name=None):
        """Return a browser that has taken a seat, and the reply."""
        browser = self.browser()
        return browser, browser.take("/seat", invitation=self.invitations[seat], name=name or f"Player {seat + 1}")

    def begun(self):
        """Return browsers that have taken all seats and sworn."""
        browsers = [self.seated(seat)[0] for seat in range(len(self.invitations))]
        for browser in browsers:
            browser.take("/oath", version=1)
        return browsers


def open_guest_game(service, **fields):
    """Open a game of guests by a play link, and return the opener's browser and the body of the reply."""
    link = service.services.play_links.add(service.clock())
    browser = Browser(service, "")
    body = {"link": link, "rules": "scrabble-o", "seats": 2, "name": "Ann", "first": "me", **fields}
    sent = {"headers": browser.headers, "environ_base": browser.address}
    reply = browser.http.post("/v1/guest-games", json=body, **sent)
    assert reply.status_code == 201, reply.text
    return browser.at(reply.json["game"]), reply.json


def finish(browsers):
    """End a game of two by a resignation."""
    browsers[0].take("/turns", turn=browsers[0].standing()["turn"], move="resign")
