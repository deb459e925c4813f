"""Stream tickets: with one a seat listens for new rows of its game, at the stream process."""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.replies import Cookie, Reply, TimeField
from ordws.api.requests import Nothing, PathAndBody
from ordws.api.seat_access import SeatCaller, find_seat
from ordws.api.services import Services
from ordws.stream.tickets import COOKIE, TICKET_SECONDS, StreamTicket

_PLAIN_ORIGIN: Final = re.compile(r"(https?)://([a-z0-9.-]{1,150}|\[[0-9a-f:.]{2,60}\])(?::[0-9]{1,5})?", re.ASCII)


class StreamTicketGiven(Struct, frozen=True):
    """A ticket for one seat. It is sent as the cookie `ordws_stream`, which the reply sets too."""

    ticket: str
    expires: Annotated[TimeField, Meta(description="The time until which a stream can be opened; an open one goes on.")]
    events: Annotated[
        str, Meta(description="The address of the stream: a path of this service, or a URL where it has another port.")
    ]


def give_ticket(services: Services, caller: SeatCaller, request: PathAndBody[Nothing], now: int) -> Reply:
    """Give a seat a ticket, with which it listens for new rows of its game within the next minute.

    The stream is `GET /v1/games/{id}/events` of the stream process, with server-sent events: `row` with `{"row": 7}`,
    the number of rows so far, at once and at each change; after each a `nonce` with `{"nonce": "..."}`, to be sent
    back with the next turn; `presence` with `{"here": [0], "away_ms": {"1": 40000}}`, the seats that have a stream
    and those that had one, which an installation of several hosts leaves out; and `replaced` with `{}` as the last
    one where the same seat has a newer stream. A comment comes every 15 seconds.

    A seat has one stream. It ends when another browser takes the seat, and with the process. What it tells is a
    reason to ask `GET /v1/games/{id}`; a reader who hears nothing for half a minute asks too. Pages of the origin
    that got the ticket may read it. Its problems are `bad-ticket`, `cross-site`, `too-busy` and `store-down`.
    """
    found = find_seat(services, caller, request.path["id"], now)
    game, generation = found.sealed_game.header.game, found.sealed_game.seat_records[found.seat].generation
    origin = caller.origin.lower() if _PLAIN_ORIGIN.fullmatch(caller.origin.lower()) else ""
    ticket = StreamTicket(game, found.seat, generation, now + TICKET_SECONDS, origin)
    text = services.stream_signer.sign_ticket(ticket)
    path = f"/v1/games/{game}/events"
    events = f"{stream_origin(origin, services.stream_port) or ''}{path}"
    given = StreamTicketGiven(text, replies.format_utc(ticket.expires), events)
    return replies.private(given, Cookie(COOKIE, text, TICKET_SECONDS, path))


def stream_origin(page_origin: str, port: int | None) -> str | None:
    """Return the origin of the stream for a page at this one, where it has a port of its own; else None."""
    # Over TLS a proxy stands in front, which leads to the stream too.
    page = _PLAIN_ORIGIN.fullmatch(page_origin.lower())
    return None if page is None or port is None or page[1] != "http" else f"http://{page[2]}:{port}"
