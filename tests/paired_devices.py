"""Devices of tables, each a browser with its own cookies, and the director who pairs them."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from small_installation import NOON, InProcessService, SmallInstallation

DAY = 86_400
CLUB_NUMBERS = count(1)
"""Numbers that make the names of clubs different within one service."""


class Director:
    """The holder of a club's key."""

    def __init__(self, service: InProcessService, key: str) -> None:
        self.service, self.key = service, key

    def get(self, path: str) -> Any:
        return self.service.http.get(path, headers={"Authorization": f"Bearer {self.key}"})

    def post(self, path: str, body: Any) -> Any:
        return self.service.post(body, self.key, path)

    def code(self, table: str, *, log: bool = False) -> str:
        reply = self.post("/v1/devices", {"table": table, "log": log})
        assert reply.status_code == 201, reply.data
        return str(reply.json["code"])

    def pairs(self, table: str, *, log: bool = False) -> DeviceBrowser:
        """Return a device that is paired for a table."""
        tablet = DeviceBrowser(self.service)
        reply = tablet.pair(self.code(table, log=log))
        assert reply.status_code == 200, reply.data
        return tablet


class DeviceBrowser:
    """A browser that has the pages of the service open."""

    def __init__(self, service: InProcessService) -> None:
        self.http = service.app.test_client()

    def pair(self, code: str) -> Any:
        return self.post("/v1/pair", {"code": code})

    def get(self, path: str, **headers: str) -> Any:
        return self.http.get(path, headers=headers)

    def post(self, path: str, body: Any, **headers: str) -> Any:
        defaults = {"Content-Type": "application/json", "Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
        return self.http.post(path, data=json.dumps(body).encode(), headers={**defaults, **headers})

    def judge(self, *words: str, **fields: Any) -> Any:
        return self.post("/v1/judge", {"words": [*words], **fields})

    def left(self, game: str = "") -> dict[str, int]:
        """Return what is left of each budget of the device."""
        reply = self.get(f"/v1/quota?game={game}" if game else "/v1/quota")
        assert reply.status_code == 200, reply.data
        return {budget["budget"]: budget["left"] for budget in reply.json["budgets"]}

    @property
    def cookie(self) -> str:
        cookie = self.http.get_cookie("ordws_device", path="/v1")
        return cookie.value if cookie else ""


def make_director(
    service: InProcessService, installation: SmallInstallation, name: str = "club", *, verified: bool = True
) -> Director:
    """Return the director of a club that a keeper has registered."""
    key = installation.register.add(name, "operator", NOON - 40 * DAY)
    if verified:
        installation.register.verify(name, NOON)
    return Director(service, key)


def first_device_id(club: Director) -> int:
    """Return the id of the club's first device."""
    return int(club.get("/v1/devices").json["devices"][0]["id"])


def get_device_with_cookie(service: InProcessService, cookie: str) -> Any:
    """Return the reply about its device to a browser that sends exactly this cookie."""
    return service.app.test_client(use_cookies=False).get("/v1/device", headers={"Cookie": cookie})


def refusal(reply: Any) -> tuple[int, str]:
    """Return the status and code of a problem."""
    assert reply.headers["Content-Type"] == "application/problem+json"
    return reply.status_code, reply.json["code"]
