"""Reviews of games of two, against the program or a friend: its process makes them after the end, for the players.

A review goes by words that everybody may know, and looks at no verdict. A running game has none, nor has one of an
event.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.practice_games import RETRY_SECONDS, CredentialField, check_credential
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.requests import Nothing, PathAndBody
from ordws.api.seat_access import SeatCaller, find_seat
from ordws.api.services import Services
from ordws.referee.sealed_game import GameHeader
from ordws.rules.state import GameOver

REVIEW_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-seat",
    "seat-moved",
    "game-not-over",
    "not-found",
    "no-program",
)
_PLAYERS: Final = 2
_MoveField = Annotated[str, Meta(max_length=80)]


class RatedMove(Struct, forbid_unknown_fields=True, frozen=True):
    """A move that public words allow: its score, and its value with what it leaves."""

    move: _MoveField
    score: int
    value: float


class ReviewedMove(Struct, forbid_unknown_fields=True, frozen=True):
    """A turn of a game, by its number, the best moves in its place, and the points that it lost against the first."""

    turn: int
    seat: int
    move: _MoveField
    score: int
    lost: float
    best: Annotated[list[RatedMove], Meta(max_length=3)]


class Review(Struct, frozen=True):
    """The review of a game: it waits for the program, or is done. Passes and rejected plays are left out."""

    state: Literal["waiting", "done"]
    turns: list[ReviewedMove]


class KeepReview(Struct, forbid_unknown_fields=True, frozen=True):
    """A review that the program has made."""

    credential: CredentialField
    game: Annotated[str, Meta(max_length=32)]
    turns: Annotated[list[ReviewedMove], Meta(max_length=400)]


def show_review(services: Services, caller: SeatCaller, request: PathAndBody[Nothing], now: int) -> Reply:
    """Show the review of a finished game against the program or a friend, or ask the program for it.

    A turn has its number in the score sheet, and what it lost against the first of up to three `best` moves from
    public words. A review is kept as long as the game; games of more than two, and of an event, have none.
    """
    sealed_game = find_seat(services, caller, request.path["id"], now).sealed_game
    header, register = sealed_game.header, services.practice_register
    if header.event_table is not None or len(header.seats) != _PLAYERS or not _has_cookies(header):
        raise Problem("not-found", "reviews are made of games of two in the browser that are of no event")
    if not isinstance(sealed_game.state.phase, GameOver):
        raise Problem("game-not-over", "a running game is not reviewed")
    kept = register.find_review(header.game)
    if kept is not None:
        return replies.private(Review("done", msgspec.json.decode(kept, type=list[ReviewedMove])))
    if not register.has_program(now):
        detail = "the program does not run here now, and reviews are its work"
        raise Problem("no-program", detail, retry_after=RETRY_SECONDS)
    register.ask_review(header.game, now)
    services.wake_program(sealed_game)
    return replies.private(Review("waiting", []))


def _has_cookies(header: GameHeader) -> bool:
    """Return whether the seats of a game are taken by cookies, one of which the program gets to read the turns."""
    return header.program_seat is not None or header.needs_promises


def keep_review(services: Services, request: KeepReview, now: int) -> Reply:
    """Keep a review that the program has made; sent again it changes nothing."""
    check_credential(services, request.credential)
    services.practice_register.keep_review(request.game, msgspec.json.encode(request.turns))
    return replies.private(Review("done", request.turns))
