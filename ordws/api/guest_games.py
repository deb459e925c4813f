"""Games of guests: whoever has the installation's play link opens one without a key (docs/guard.md Decision 18)."""

from __future__ import annotations

from collections.abc import Sequence
from secrets import randbelow
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.games import deal_game, rules_of_game
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import OPTIONS, ClockField, OptionValue, PlayerField, RulesField, Sent, check_printable
from ordws.api.seat_access import GUEST_PREFIX, cookie_of_seat
from ordws.api.services import Services
from ordws.guard.policy import DAY
from ordws.identity.play_links import PlayLink
from ordws.referee.sealed_game import GameHeader, SealedGame, SeatHolder, Seating, SeatNote, SubmissionOutcome
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.game import Game
from ordws.rules.rulesets import DEFAULT_RULES_ID

OPEN_GUEST_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-play-link",
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "too-many-games",
    "budget-spent",
)


_PLAY_LINK: Final = Meta(max_length=64, description="`ordws_play_...`, from the play link.")


class ReadPlayLink(Struct, forbid_unknown_fields=True, frozen=True):
    """A play link to look at."""

    link: Annotated[str, _PLAY_LINK]


class OpenGuestGame(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A game to play with friends, opened by a play link and without a key."""

    link: Annotated[str, _PLAY_LINK]
    name: Annotated[PlayerField, Meta(description="The name of the player who opens the game.")]
    seats: Annotated[int, Meta(ge=2, le=4, description="The number of players.")] = 2
    first: Annotated[
        Literal["me", "other", "chance"],
        Meta(description="Whether the player who opens the game moves first, last, or as chance has it."),
    ] = "chance"
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None

    def __post_init__(self) -> None:
        check_printable(self.name)


class ShownPlayLink(Struct, frozen=True):
    """The whole games that may still be opened by a play link today, and on a new day."""

    name: Annotated[
        str | None, Meta(description="Null for a link without a name: such links share the games of a day.")
    ]
    games_left: int
    games_a_day: int
    resets: TimeField


class SeatToGive(Struct, frozen=True):
    """The invitation to a seat, for the link `/play/{game}#seat=...`."""

    seat: int
    invitation: str


class OpenedGuestGame(Struct, frozen=True):
    """A new game of guests. The calling browser has its seat by the cookie of the reply."""

    game: str
    rules: str
    edition: str
    expires: TimeField
    seat: int
    recovery: Annotated[str, Meta(description="The code that takes the seat in another browser.")]
    invitations: Annotated[list[SeatToGive], Meta(description="None for a rematch in a game of a client.")]
    games_left: Annotated[int | None, Meta(description="Null for a rematch in a game of a client.")]


def show_play_link(services: Services, request: ReadPlayLink, now: int) -> Reply:
    """Tell the name of a play link, and how many whole games may still be opened by it today.

    The link is sent in the body, so that no token stands in an address. The games are those of the link, or of all
    links without a name together. A game that ends gives back what it did not spend, so that `games_left` may grow.
    """
    link = _find_link(services, request.link)
    left = services.guest_games.left(now, link.number)
    return replies.private(ShownPlayLink(link.name, left.games_left, left.games_a_day, replies.format_utc(left.resets)))


def open_guest_game(services: Services, request: Sent[OpenGuestGame], now: int) -> Reply:
    """Open a game by a play link, with an invitation for each other seat; the caller's is taken by a cookie.

    The game holds 28 of the units that all guests share, or that the link has of its own. It begins when all have taken
    their seats and sworn.

    It takes no Idempotency-Key: sent again, it opens another game. The link of an invitation is
    `/play/{game}#seat={invitation}`.
    """
    body, address = request.body, request.address
    link = _find_link(services, body.link).number
    dealt = deal_game(services, rules_of_game(body.rules, body.options, body.clock, body.seats), body.seats)
    header = store_guest_game(services, dealt, [None] * body.seats, address, now, link)
    seat = {"me": 0, "other": body.seats - 1, "chance": randbelow(body.seats)}[body.first]
    note = SeatNote(seat, SubmissionOutcome.SEATED, Seating(1, 1, body.name))
    services.games.append_note(SealedGame.from_rows(header, ()), lambda _: note)
    return opened_reply(services, header, SeatCookie(header.game, seat, 1), 1, now)


def check_guests_may_open(services: Services, address: str, now: int, link: int) -> None:
    """Raise a Problem where a play link, or guests at this address, can open no game any more today."""
    if not services.guest_games.left(now, link).games_left:
        raise guests_spent(services, now, link)
    if not (link or services.guest_games.may_open(address, now)):
        raise _too_many_games(now)


def store_guest_game(
    services: Services,
    dealt: Game,
    names: Sequence[str | None],
    address: str,
    now: int,
    link: int,
    game: str | None = None,
) -> GameHeader:
    """Store a game of guests that needs their promises, and hold what it may spend; raise a Problem where it may not.

    Without an id the game gets a new one; with one it may be that of a game that is stored already, and was not opened
    to its end.
    """
    stored = None if game is None else services.games.find_by_id(game, now)
    if stored is not None:
        header = stored.header
    else:
        check_guests_may_open(services, address, now, link)
        edition, id = services.editions.current, game or services.games.new_id()
        holders = tuple([SeatHolder(f"{GUEST_PREFIX}{id}", None, name) for name in names])
        named = edition.number, edition.name
        header = services.games.new_header(dealt, holders, *named, now, game=id, needs_promises=True)
        # Stored before it holds anything: what nobody can find would be held for nothing.
        services.games.open(header)
    if stored is None or stored.is_waiting:
        refused = services.guest_games.open(header.game, address, now, link)
        if refused is not None:
            raise _too_many_games(now) if refused.budget == "address" else guests_spent(services, now, link)
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
            services.guest_games.left(now, services.guest_games.link_of(header.game)).games_left
            if is_of_guests
            else None,
        ),
        cookie_of_seat(services.games, cookie, header.expires - now),
    )


def _find_link(services: Services, token: str) -> PlayLink:
    link = services.play_links.find(token)
    if link is None:
        raise Problem("bad-play-link", "the play link is not complete, or was withdrawn; ask whoever runs the service")
    return link


def _too_many_games(now: int) -> Problem:
    return Problem(
        "too-many-games",
        "so many games were opened from this address today that the next is for tomorrow, UTC",
        retry_after=DAY - now % DAY,
    )


def guests_spent(services: Services, now: int, link: int) -> Problem:
    """Return the problem of a day on which guests can open no whole game any more by their play link."""
    left = services.guest_games.left(now, link)
    if not left.games_a_day:
        detail = "the play link was withdrawn" if link else "this service opens no games to guests"
    else:
        detail = f"this play link has {left.games_a_day} games a day" if link else "guests share the games of a day"
    return Problem(
        "budget-spent",
        f"{detail}, and no whole game is left; more may come when others end, and all do at midnight UTC",
        retry_after=left.resets - now,
        budget="guests",
    )
