"""The sender that a request counts for while it is under way: its client or device, and its address."""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias
from wsgiref.types import WSGIEnvironment

from ordws.api.services import Services
from ordws.errors import StoreDown
from ordws.sender_address import network_of
from ordws.web.browser_headers import device_token, seat_cookies

SenderName: TypeAlias = tuple[int, int | None] | str
"""What requests are counted under: the ids of a client and of its device, if one sends them, or an address."""

_GAME_PATH: Final = re.compile("/v1/games/([0-9a-f]{32})(?=/|$)", re.ASCII)


class Sender(NamedTuple):
    """The sender of a request. The address is kept in memory alone, and never logged or shown."""

    address: str
    client: int | None = None
    """The id of the client whose key, or whose device, was recognised."""
    device: int | None = None
    """The id of the device, where one sends the request."""
    is_stranger: bool = False
    """True where the credential is missing or invalid; False too where the register did not answer."""
    registered: object = None
    """The client or device that was recognised, as the register had it then."""

    @property
    def names(self) -> tuple[SenderName, ...]:
        """The names that the request counts under; senders take turns by the first."""
        return (self.address,) if self.client is None else ((self.client, self.device), self.address)


def identify_sender(services: Services, environ: WSGIEnvironment, now: int) -> Sender:
    """Return the sender of a request; one whose credential is missing or invalid is known by the address alone.

    One with the cookie of a seat is known by the address too, but is no stranger.
    """
    client = None
    try:
        if authorization := environ.get("HTTP_AUTHORIZATION"):
            client = services.register.identify(authorization, now)
        elif token := device_token(environ):
            client = services.devices.identify(token, now)
    except StoreDown:
        # The refusal follows later, from the route.
        return Sender(sender_address(environ))
    if client is None:
        path = None if authorization else _GAME_PATH.match(environ.get("PATH_INFO", ""))
        # Somebody else may have taken the seat since, which the route will see.
        seat = path and services.games.credentials.read_cookies(path[1], seat_cookies(environ))
        return Sender(sender_address(environ), is_stranger=seat is None)
    device = client.device.id if client.device else None
    return Sender(sender_address(environ), client.id, device, registered=client)


def sender_address(environ: WSGIEnvironment) -> str:
    """Return the address that a request comes from, as it counts.

    Over TCP this is the peer, and what `X-Forwarded-For` says is ignored, for anybody can write it. A Unix socket has
    no peer address, and only the proxy may connect to it, so there the proxy's `X-Forwarded-For` is believed.
    """
    return network_of(environ.get("REMOTE_ADDR") or environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
