"""The right to act for a seat: a client's key with a seat token, or the cookie of a browser that took the seat."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

from ordws.api.problems import Problem, bad_seat
from ordws.api.public_editions import PRACTICE_PREFIX
from ordws.api.replies import Cookie
from ordws.api.services import Services
from ordws.api.words import identity_of
from ordws.errors import StoreDown
from ordws.guard.guests import guest_identity
from ordws.guard.question import Identity
from ordws.identity.register import RegisteredClient
from ordws.referee.games import SealedGames
from ordws.referee.moments import Moment
from ordws.referee.sealed_game import SealedGame
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.state import GameOver

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
