"""The right to act for a seat, by a client's key and a seat token or by a browser's cookie, and to listen for its game.

With a ticket a seat listens for new rows of its game, at the stream process.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.problems import Problem, bad_seat
from ordws.api.public_editions import PRACTICE_PREFIX
from ordws.api.replies import Cookie, Reply, TimeField
from ordws.api.requests import Nothing, PathAndBody
from ordws.api.services import Services
from ordws.api.words import identity_of
from ordws.errors import StoreDown
from ordws.guard.charge import Identity
from ordws.guard.guests import guest_identity
from ordws.identity.register import RegisteredClient
from ordws.referee.games import SealedGames
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import SealedGame
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.state import GameOver
from ordws.stream.tickets import COOKIE, TICKET_SECONDS, StreamTicket

SEAT_COOKIE: Final = "ordws_seat"
"""The name of the cookie that holds a seat of one game, on whose path alone it is sent."""
GUEST_PREFIX: Final = "guest "
"""The beginning of the client of a seat that no client has opened; the id of the game follows."""


class SeatCaller(NamedTuple):
    """The credentials with which a seat is asked for: a client and the header Seat-Token, or a seat's cookie."""

    client: RegisteredClient | None = None
    seat_token: str = ""
    cookie: SeatCookie | None = None
    origin: str = ""
    """The origin at which the caller reaches the service."""
    address: str = ""
    """The address that the request comes from, which is never logged, stored or shown."""


class SeatAtGame(NamedTuple):
    """A seat of a game that somebody may act for; the client is None where none opened the game."""

    services: Services
    """The services that the game uses: the toy services for a test client, those of practice against the program."""
    sealed_game: SealedGame
    seat: int
    client: RegisteredClient | None
    moment: Moment
    """The time at which the request came."""

    @property
    def identity(self) -> Identity:
        """Return the identity that is charged for the words of this seat."""
        holder = self.sealed_game.header.seats[self.seat]
        if self.client is None:
            return guest_identity(self.sealed_game.header.game)
        return identity_of(self.client, holder.player)


def find_seat(services: Services, caller: SeatCaller, game: str, now: int, token: str | None = None) -> SeatAtGame:
    """Return the seat of a game that a caller may act for, after flagging players whose time is up.

    `token` is the seat token of a body that may have one, or empty. Raises a Problem for one without a seat.
    """
    # The time that it takes to find the game is not the player's.
    arrived = services.games.clock()
    if caller.cookie is not None:
        if token:
            raise Problem("bad-request", '"seat": sent with the cookie of a seat, expected none')
        found = _find_by_cookie(services, caller.cookie, now, arrived)
    else:
        is_header = token is None or (not token and bool(caller.seat_token))
        field, sent = ("Seat-Token", caller.seat_token) if is_header else ('"seat"', token or "")
        client = caller.client
        seated = client and services.games.find(game, sent, str(client.id), now)
        if not client or not seated:
            raise bad_seat(field, sent)
        found = SeatAtGame(services.for_client(client), *seated, client, arrived)
    sealed_game = services.games.apply_time_limits(found.sealed_game, arrived)
    give_back_if_over(services, sealed_game, now)
    return found._replace(sealed_game=sealed_game)


def give_back_if_over(services: Services, sealed_game: SealedGame, now: int) -> None:
    """Give back what a guests' game holds and did not spend, once it is over."""
    header = sealed_game.header
    if isinstance(sealed_game.state.phase, GameOver) and header.seats[0].client.startswith(GUEST_PREFIX):
        # What is still held is given back with the next request for the game, or when it has expired.
        with suppress(StoreDown):
            services.guest_games.give_back(header.game, now)


def _find_by_cookie(services: Services, cookie: SeatCookie, now: int, arrived: Moment) -> SeatAtGame:
    sealed_game = services.games.find_by_id(cookie.game, now)
    if sealed_game is None:
        raise Problem("bad-seat", "this game has expired: a game is kept for a day, one of practice for an idle hour")
    if cookie.generation != sealed_game.seat_records[cookie.seat].generation:
        raise seat_moved()
    holder = sealed_game.header.seats[cookie.seat]
    client = holder.client
    if holder.is_program or client.startswith(PRACTICE_PREFIX):
        return SeatAtGame(services.for_practice, sealed_game, cookie.seat, None, arrived)
    if client.startswith(GUEST_PREFIX):
        return SeatAtGame(services, sealed_game, cookie.seat, None, arrived)
    registered = services.register.find(int(client), now)
    if registered is None:
        raise Problem("bad-seat", "the client that opened this game has no valid key any more")
    return SeatAtGame(services.for_client(registered), sealed_game, cookie.seat, registered, arrived)


def seat_moved() -> Problem:
    return Problem("seat-moved", "this seat was taken in another browser; the recovery code of the seat takes it back")


def called_off(sealed_game: SealedGame) -> Problem:
    if sealed_game.called_off_by is not None:
        return Problem("called-off", "a player called it off before a play was made")
    detail = "its event went on without this game: it did not begin in time, or its round was drawn again"
    return Problem("called-off", detail)


def cookie_of_seat(games: SealedGames, seat: SeatCookie, seconds: int) -> Cookie:
    """Return the cookie that gives a browser its seat."""
    # It goes to this game's routes alone, and with no POST of a page of another site.
    return Cookie(SEAT_COOKIE, games.credentials.write_cookie(seat), seconds, f"/v1/games/{seat.game}")


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
