"""The next game of the same players, of guests or of a client, opened by any of them when a game is over."""

from __future__ import annotations

import threading
from typing import Final

from ordws.api.guest_games import check_guests_may_open, opened_reply, store_guest_game
from ordws.api.problems import Problem, ProblemCode, budget_spent
from ordws.api.replies import Reply
from ordws.api.requests import Nothing, PathAndBody
from ordws.api.seat_access import GUEST_PREFIX, SeatAtGame, SeatCaller, find_seat
from ordws.api.services import Services
from ordws.api.standing import rematch_seat
from ordws.api.words import identity_of
from ordws.errors import StoreDown
from ordws.referee.deal import new_game
from ordws.referee.sealed_game import RematchOpened, SealedGame, Seating, SeatNote, SubmissionOutcome
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.state import GameOver

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
