"""The sender of a request: a client or device that the register knows, a seat of a game, or a stranger."""

from __future__ import annotations

import re
from typing import Final
from wsgiref.types import WSGIEnvironment

from ordws.admission import Kind
from ordws.api import problems
from ordws.api.services import Services
from ordws.errors import StoreDown
from ordws.sender_address import network_of
from ordws.web.admission import Sender
from ordws.web.browser_headers import device_token, seat_cookies

MAX_UNKNOWN: Final = 60
"""The keys of one address that are looked up in a minute and not found. It sends no others that are not remembered."""
_MAX_ADDRESSES: Final = 65_536
_MAX_GAMES: Final = 4_096
_GAME_SECONDS: Final = 3_600
"""The time for which a game counts as running after a request for it was answered."""
_GAME_PATH: Final = re.compile("/v1/games/([0-9a-f]{32})(?=/|$)", re.ASCII)


class Senders:
    """The senders of requests, as the register, the games and what was asked before tell them apart."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._minute = -1
        self._unknown: dict[str, set[int]] = {}
        """For this minute, hashes of the credentials that the register did not have, by the address that sent them."""
        self._running_games: dict[str, int] = {}

    def identify(self, environ: WSGIEnvironment, now: int) -> Sender:
        """Return the sender of a request; raise a Problem where it sends too many keys that nobody has."""
        address = sender_address(environ)
        authorization, token = environ.get("HTTP_AUTHORIZATION"), ""
        if not authorization:
            token = device_token(environ) if "HTTP_COOKIE" in environ else ""
            if not token:
                return self._without_credential(environ, address, now)
        if now // 60 != self._minute:
            self._minute, self._unknown = now // 60, {}
        unknown = self._unknown.get(address, ())
        # The hash is salted for each process, so that nobody can make two credentials with the same one.
        digest = hash(authorization or token) if unknown else 0
        is_full = len(unknown) >= MAX_UNKNOWN
        try:
            if unknown and digest in unknown:
                client = None
            elif authorization:
                client = self._services.register.identify(authorization, now, may_search=not is_full)
                if client is None and is_full:
                    raise problems.too_busy()
            else:
                client = self._services.devices.identify(token, now)
        except StoreDown as err:
            # The refusal follows later, if the request needs a client.
            return Sender(address, Kind.SEATED, address, fault=err)
        if client is None:
            if len(self._unknown) < _MAX_ADDRESSES and not is_full:
                self._unknown.setdefault(address, set()).add(hash(authorization or token))
            return Sender(address, name=address) if authorization else self._without_credential(environ, address, now)
        device = client.device
        return Sender(address, Kind.KNOWN, (client.id, device and device.id), client)

    def note_game(self, game: str, now: int) -> None:
        """Note that a request for a game was answered."""
        if len(self._running_games) >= _MAX_GAMES:
            self._running_games = {}
        self._running_games[game] = now

    def _without_credential(self, environ: WSGIEnvironment, address: str, now: int) -> Sender:
        found = _GAME_PATH.match(environ["PATH_INFO"]) if "HTTP_COOKIE" in environ else None
        # Somebody else may have taken the seat since, which the action will see.
        seat = found and self._services.games.credentials.read_cookies(found[1], seat_cookies(environ))
        if not found or seat is None:
            return Sender(address, name=address)
        runs = now - self._running_games.get(found[1], -_GAME_SECONDS) < _GAME_SECONDS
        return Sender(address, Kind.SEATED if runs else Kind.STRANGER, address, has_seat=True)


def sender_address(environ: WSGIEnvironment) -> str:
    """Return the address that a request comes from, as it counts.

    Over TCP this is the peer, and what `X-Forwarded-For` says is ignored, for anybody can write it. A Unix socket has
    no peer address, and only the proxy may connect to it, so there the proxy's `X-Forwarded-For` is believed.
    """
    return network_of(environ.get("REMOTE_ADDR") or environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
