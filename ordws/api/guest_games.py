"""Games of guests: whoever has the installation's play link opens one without a key (docs/guard.md Decision 18)."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import randbelow
from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.games import deal_game
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.requests import Nothing, Sent
from ordws.api.seat_access import GUEST_PREFIX, cookie_of_seat
from ordws.api.seat_requests import OpenGuestGame
from ordws.api.services import Services
from ordws.guard.policy import DAY
from ordws.referee.sealed_game import GameHeader, SealedGame, SeatHolder, SeatNote, SubmissionOutcome
from ordws.referee.seat_credentials import SeatCookie
from ordws.referee.seating import Seating
from ordws.rules.game import Game

OPEN_GUEST_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-play-link",
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "too-many-games",
    "budget-spent",
)
_DATE_TIME: Final = Meta(extra_json_schema={"format": "date-time"})


class GuestGamesToday(Struct, frozen=True):
    """The whole games that guests may still open today, all together, and on a new day."""

    games_left: int
    games_a_day: int
    resets: Annotated[str, _DATE_TIME]


class SeatToGive(Struct, frozen=True):
    """The invitation to a seat, for the link `/play/{game}#seat=...`."""

    seat: int
    invitation: str


class OpenedGuestGame(Struct, frozen=True):
    """A new game of guests. The calling browser has its seat by the cookie of the reply."""

    game: str
    rules: str
    edition: str
    expires: Annotated[str, _DATE_TIME]
    seat: int
    recovery: Annotated[str, Meta(description="The code that takes the seat in another browser.")]
    invitations: Annotated[list[SeatToGive], Meta(description="None for a rematch in a game of a client.")]
    games_left: Annotated[int | None, Meta(description="Null for a rematch in a game of a client.")]


def show_guest_games(services: Services, request: Nothing, now: int) -> Reply:
    """Tell how many whole games guests may still open today, all together."""
    left = services.guest_games.left(now)
    return replies.private(GuestGamesToday(left.games_left, left.games_a_day, replies.format_utc(left.resets)))


def open_guest_game(services: Services, request: Sent[OpenGuestGame], now: int) -> Reply:
    """Open a game by the play link, with an invitation for each other seat; the caller's is taken by a cookie.

    The game holds 28 of the units that all guests share. It begins when all have taken their seats and sworn.
    """
    body, address = request.body, request.address
    if not services.play_links.is_valid(body.link):
        raise Problem("bad-play-link", "the play link is not complete, or was withdrawn; ask whoever runs the service")
    dealt = deal_game(services, body, body.seats)
    header = store_guest_game(services, dealt, [None] * body.seats, address, now)
    seat = {"me": 0, "other": body.seats - 1, "chance": randbelow(body.seats)}[body.first]
    note = SeatNote(seat, SubmissionOutcome.SEATED, Seating(1, 1, body.name))
    services.games.append_note(SealedGame.from_rows(header, ()), lambda _: note)
    return opened_reply(services, header, SeatCookie(header.game, seat, 1), 1, now)


def check_guests_may_open(services: Services, address: str, now: int) -> None:
    """Raise a Problem where guests, or those at this address, can open no game any more today."""
    if not services.guest_games.left(now).games_left:
        raise guests_spent(services, now)
    if not services.guest_games.may_open(address, now):
        raise _too_many_games(now)


def store_guest_game(
    services: Services, dealt: Game, names: Sequence[str | None], address: str, now: int, game: str | None = None
) -> GameHeader:
    """Store a game of guests that needs their promises, and hold what it may spend; raise a Problem where it may not.

    Without an id the game gets a new one; with one it may be that of a game that is stored already, and was not opened
    to its end.
    """
    stored = None if game is None else services.games.find_by_id(game, now)
    if stored is not None:
        header = stored.header
    else:
        check_guests_may_open(services, address, now)
        edition, id = services.editions.current, game or services.games.new_id()
        holders = tuple([SeatHolder(f"{GUEST_PREFIX}{id}", None, name) for name in names])
        named = edition.number, edition.name
        header = services.games.new_header(dealt, holders, *named, now, game=id, needs_promises=True)
        # Stored before it holds anything: what nobody can find would be held for nothing.
        services.games.open(header)
    if stored is None or stored.is_waiting:
        refused = services.guest_games.open(header.game, address, now)
        if refused is not None:
            raise _too_many_games(now) if refused.budget == "address" else guests_spent(services, now)
    return header


def opened_reply(services: Services, header: GameHeader, cookie: SeatCookie, invited: int, now: int) -> Reply:
    """Return the reply that gives a browser its seat of a new game, and in one of guests the invitations to the others.

    In a client's game they would let a player spend the budgets of others, who find their own in the game before.
    """
    credentials, seat = services.games.credentials, cookie.seat
    is_of_guests = header.seats[seat].client.startswith(GUEST_PREFIX)
    return replies.private(
        OpenedGuestGame(
            header.game,
            header.dealt_game.rules.id,
            header.edition_name,
            replies.format_utc(header.expires),
            seat,
            credentials.write_recovery_code(header.game, seat, invited),
            [
                SeatToGive(other, credentials.write_invitation(header.game, other))
                for other in range(len(header.seats))
                if is_of_guests and other != seat
            ],
            services.guest_games.left(now).games_left if is_of_guests else None,
        ),
        cookie_of_seat(services.games, cookie, header.expires - now),
    )


def _too_many_games(now: int) -> Problem:
    return Problem(
        "too-many-games",
        "so many games were opened from this address today that the next is for tomorrow, UTC",
        retry_after=DAY - now % DAY,
    )


def guests_spent(services: Services, now: int) -> Problem:
    """Return the problem of a day on which guests can open no whole game any more."""
    left = services.guest_games.left(now)
    detail = "guests share the games of a day" if left.games_a_day else "this service opens no games to guests"
    return Problem(
        "budget-spent",
        f"{detail}, and no whole game is left; more may come when others end, and all do at midnight UTC",
        retry_after=left.resets - now,
        budget="guests",
    )
