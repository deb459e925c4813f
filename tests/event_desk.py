"""A desk without pages: an operator's key with the scope of events, and the requests by which it asks."""

from __future__ import annotations

from typing import Any

from invited_game import Browser
from small_installation import NOON, InProcessService, SmallInstallation

SCOPES = ("judge", "tournament")


class EventDesk:
    """The requests of a desk to a service in process, for tables of one event."""

    def __init__(self, service: InProcessService, installation: SmallInstallation, name: str = "league") -> None:
        self.service = service
        self.key = installation.register.add(name, "operator", NOON - 40 * 86_400, scopes=SCOPES)
        installation.register.verify(name, NOON)

    def post(self, path: str, body: Any) -> Any:
        return self.service.post(body, self.key, f"/v1/tournament{path}")

    def open(self, table: int = 1, names: tuple[str, ...] = ("Ann", "Ben"), **fields: Any) -> Any:
        """Return the reply to the request that opens the game of a table."""
        seats = [{"player": f"e-{name}", "name": name} for name in names]
        body = {"event": "e", "title": "Spring Open", "round": 1, "table": table, "seats": seats, **fields}
        return self.post("/games", {"rules": "scrabble-o", **body})

    def find(self, *games: str) -> Any:
        reply = self.post("/games/find", {"games": [*games]})
        assert reply.status_code == 200, reply.json
        return reply.json["games"]

    def call_off(self, game: str, **fields: Any) -> Any:
        reply = self.post(f"/games/{game}/call-off", fields)
        assert reply.status_code == 200, reply.json
        return reply.json

    def seat(self, opened: Any, seat: int) -> Browser:
        """Return a browser that has taken a seat of an opened game by the link that its player was shown."""
        browser = Browser(self.service, opened["game"])
        browser.take("/seat", invitation=opened["seats"][seat]["invitation"])
        return browser

    def begin(self, opened: Any) -> list[Browser]:
        """Return browsers that have taken all seats and sworn."""
        browsers = [self.seat(opened, seat) for seat in range(len(opened["seats"]))]
        for browser in browsers:
            browser.take("/oath", version=1)
        return browsers
