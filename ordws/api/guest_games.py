"""Games that players open themselves: guests by the installation's play link, and the next game of the same players.

A game by a play link needs no key (docs/guard.md Decision 18). A rematch, of guests or of a client's players, is opened
by any of them when a game is over.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from secrets import randbelow
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.games import deal_game, rules_of_game
from ordws.api.problems import Problem, ProblemCode, budget_spent
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import (
    OPTIONS,
    ClockField,
    Nothing,
    OptionValue,
    PathAndBody,
    PlayerField,
    RulesField,
    Sent,
    check_printable,
)
from ordws.api.seat_access import GUEST_PREFIX, SeatAtGame, SeatCaller, cookie_of_seat, find_seat
from ordws.api.services import Services
from ordws.api.standing import rematch_seat
from ordws.api.words import identity_of
from ordws.errors import StoreDown
from ordws.guard.policy import DAY
from ordws.identity.play_links import PlayLink
from ordws.referee.sealed_game import (
    GameHeader,
    RematchOpened,
    SealedGame,
    SeatHolder,
    Seating,
    SeatNote,
    SubmissionOutcome,
    new_game,
)
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.game import Game
from ordws.rules.ruleset import DEFAULT_RULES_ID
from ordws.rules.state import GameOver

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


REMATCH_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-seat",
    "seat-moved",
    "game-not-over",
    "seat-taken",
    "bad-play-link",
    "too-many-games",
    "budget-spent",
)
_FIRST: Final = 1
_NOT_INVITED: Final = 0
"""The generations of a seat that a player took out of the last game, so that it is theirs as often as they ask."""

_dealing: Final = threading.Lock()
"""Held while a rematch is dealt, so that players of one address who ask at once are not counted once each."""


def open_rematch(services: Services, caller: SeatCaller, request: PathAndBody[Nothing], now: int) -> Reply:
    """Open the next game of the same players, and take the caller's seat in it; each starts one place earlier.

    All of them get the same game, in which each gets the seat of their own. The rules, options, clock and names stay.

    In the game of a client, which is charged like any of its games, `games_left` is null and `invitations` is empty:
    each player's own is in the standing of the game that is over. Guests play on as long as the play link was not
    withdrawn. A game of an event has none.
    """
    at_game = find_seat(services, caller, request.path["id"], now)
    services, sealed_game = at_game.services, at_game.sealed_game
    if not sealed_game.header.needs_promises:
        raise Problem("bad-request", "this game was opened without invitations: POST /v1/games opens the next one")
    if sealed_game.header.event_table is not None:
        raise Problem("bad-request", "this game is one of an event, which draws the next round")
    if not isinstance(sealed_game.state.phase, GameOver):
        raise Problem("game-not-over", "a rematch is for after the game")
    if sealed_game.rematch is None:
        with _dealing:
            sealed_game = _deal_rematch(at_game, caller.address, now)
    rematch = services.games.find_by_id(sealed_game.rematch or "", now)
    if rematch is None:
        raise StoreDown("the rematch of a game is gone, which should outlive it")
    header = rematch.header
    # Charged after the row that names it, and once: of games that two players opened at once, one is charged for.
    if at_game.client is None:
        link = services.guest_games.link_of(sealed_game.header.game)
        store_guest_game(services, header.dealt_game, (), caller.address, now, link, header.game)
    else:
        identities = [identity_of(at_game.client, holder.player) for holder in header.seats]
        if (refused := services.gate.open_game(identities, header.game, now)) is not None:
            raise budget_spent(refused)
    seat = rematch_seat(at_game.seat, len(header.seats))
    following = Seating(_FIRST, _NOT_INVITED, header.seats[seat].name)

    def decide(latest: SealedGame) -> SeatNote | None:
        record = latest.seat_records[seat]
        if record.generation == 0:
            return SeatNote(seat, SubmissionOutcome.SEATED, following)
        # Another player may have been invited to this seat, or its player have gone on with it on another device.
        if (record.generation, record.invited) != (_FIRST, _NOT_INVITED):
            raise Problem(
                "seat-taken",
                "your seat in the next game was taken by its invitation or recovery code, and belongs to that browser",
            )
        return None

    services.games.append_note(rematch, decide)
    return opened_reply(services, header, SeatCookie(header.game, seat, _FIRST), _NOT_INVITED, now)


def _deal_rematch(at_game: SeatAtGame, address: str, now: int) -> SealedGame:
    """Store another game of the same players, and return the one that is over with a row that names the next one."""
    services, header = at_game.services, at_game.sealed_game.header
    sealed_game = services.games.find_by_id(header.game, now) or at_game.sealed_game
    if sealed_game.rematch is not None:
        return sealed_game
    edition, game = services.editions.current, services.games.new_id()
    is_of_guests = at_game.client is None
    if is_of_guests:
        _check_guests_link(at_game, address, now)
    dealt = new_game(header.dealt_game.rules, len(header.seats), services.games.chance)
    holders = [
        holder._replace(client=f"{GUEST_PREFIX}{game}" if is_of_guests else holder.client, name=name)
        for holder, name in zip(header.seats, sealed_game.seat_names, strict=True)
    ]
    # The player of the second seat begins the next game.
    seats = (*holders[1:], holders[0])
    named = edition.number, edition.name
    services.games.open(services.games.new_header(dealt, seats, *named, now, game=game, needs_promises=True))
    note = SeatNote(at_game.seat, SubmissionOutcome.REMATCH, RematchOpened(game))
    return services.games.append_note(sealed_game, lambda latest: None if latest.rematch else note)


def _check_guests_link(at_game: SeatAtGame, address: str, now: int) -> None:
    """Raise a Problem where the play link of a game was withdrawn, or can open no game any more today."""
    services, header = at_game.services, at_game.sealed_game.header
    link = services.guest_games.link_of(header.game)
    # Links without a name are withdrawn at once, so that games of before have none that is as old as they are.
    began = header.began.milliseconds // 1_000
    if not any(each.number == link and (link or each.created <= began) for each in services.play_links.list()):
        raise Problem("bad-play-link", "the play link was withdrawn; ask whoever runs the service for another one")
    check_guests_may_open(services, address, now, link)
