"""The service as the program reaches it: over a local socket, with its credential for turns that are due alone."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, NamedTuple

TIMEOUT_SECONDS: Final = 10.0
_SEAT_COOKIE: Final = "ordws_seat"


class ServiceDown(Exception):
    """The service did not answer, or asks to come again."""


class TurnRefused(NamedTuple):
    """A turn that the service did not take, with the problem's code and status."""

    code: str
    status: int


class LocalService:
    """The service at `unix:PATH` or `http://HOST:PORT` of this host."""

    def __init__(self, address: str, credential: str) -> None:
        self._address, self._credential = address, credential

    def fetch_due(self, games: Iterable[str] = ()) -> dict[str, Any]:
        """Return the reply to the question for turns that are due, in these games or in all of them.

        Raises ServiceDown where there is none.
        """
        question = {"credential": self._credential, "games": [*games]}
        status, body = self._send("POST", "/v1/practice/due", question)
        if status != 200:
            raise ServiceDown(f"the service refuses to tell which turns are due: {body.get('code', status)}")
        return body

    def take_turn(self, game: str, cookie: str, turn: dict[str, Any]) -> dict[str, Any] | TurnRefused:
        """Take a turn of a game, and return the reply or why it was refused.

        The same turn again gets the same reply. Raises ServiceDown where it is not known whether it was taken.
        """
        status, body = self._send("POST", f"/v1/games/{game}/turns", turn, cookie)
        if status >= 500 or status == 429:
            raise ServiceDown(f"the service did not take a turn: {body.get('code', status)}")
        return body if status == 200 else TurnRefused(str(body.get("code", "")), status)

    def fetch_turns(self, game: str, cookie: str) -> list[dict[str, Any]] | None:
        """Return the turns of a game; None where it has expired. Raises ServiceDown."""
        status, body = self._send("GET", f"/v1/games/{game}/turns", None, cookie)
        if status >= 500:
            raise ServiceDown(f"the service does not show a game: {body.get('code', status)}")
        return body["turns"] if status == 200 else None

    def send_review(self, game: str, turns: list[dict[str, Any]]) -> None:
        """Give the service the review of a game; raise ServiceDown where it did not take it."""
        body = {"credential": self._credential, "game": game, "turns": turns}
        status, answer = self._send("POST", "/v1/practice/reviews", body)
        if status != 200:
            raise ServiceDown(f"the service did not take a review: {answer.get('code', status)}")

    def _send(
        self, method: str, path: str, body: dict[str, Any] | None, cookie: str = ""
    ) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "Host": "localhost"}
        if cookie:
            headers["Cookie"] = f"{_SEAT_COOKIE}={cookie}"
        connection = _open(self._address)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            answer = json.loads(reply.read())
        except (OSError, HTTPException, ValueError) as err:
            raise ServiceDown(f"the service does not answer: {type(err).__name__}") from err
        finally:
            connection.close()
        return reply.status, answer


class _UnixConnection(HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=TIMEOUT_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(TIMEOUT_SECONDS)
        self.sock.connect(self._path)


def _open(address: str) -> HTTPConnection:
    scheme, _, rest = address.partition(":")
    return _UnixConnection(rest) if scheme == "unix" else HTTPConnection(rest.strip("/"), timeout=TIMEOUT_SECONDS)
