"""Reviews of games of two: the program's process makes them after the end, for the players.

A review goes by words that everybody may know, and looks at no verdict. A running game has none, nor has one of an
event that goes on.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.practice_games import RETRY_SECONDS, CredentialField, check_credential, hash_networks
from ordws.api.problems import Problem, ProblemCode
from ordws.api.replies import Reply
from ordws.api.requests import Nothing, PathAndBody, Sent
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


class ReviewRecord(Struct, forbid_unknown_fields=True, frozen=True):
    """The record of a finished game that was kept at a table."""

    record: Annotated[str, Meta(min_length=1, max_length=12_000, description="As GCG.")]


class KeepReview(Struct, forbid_unknown_fields=True, frozen=True):
    """A review that the program has made."""

    credential: CredentialField
    game: Annotated[str, Meta(max_length=32)]
    turns: Annotated[list[ReviewedMove], Meta(max_length=400)]


def show_review(services: Services, caller: SeatCaller, request: PathAndBody[Nothing], now: int) -> Reply:
    """Show the review of a finished game against the program or a friend, or ask the program for it.

    A turn has its number in the score sheet, and what it lost against the first of up to three `best` moves from
    public words. A review is kept as long as the game. Games of more than two have none; a game of an event has one
    once the event is over.
    """
    sealed_game = find_seat(services, caller, request.path["id"], now).sealed_game
    header, register = sealed_game.header, services.practice_register
    if len(header.seats) != _PLAYERS or not _has_cookies(header):
        raise Problem("not-found", "reviews are made of games of two in the browser")
    if not isinstance(sealed_game.state.phase, GameOver):
        raise Problem("game-not-over", "a running game is not reviewed")
    if header.event_table is not None and not sealed_game.is_event_over:
        raise Problem("game-not-over", "a game of an event is reviewed once the event is over")
    if (done := _find_or_expect(services, header.game, now)) is not None:
        return done
    register.ask_review(header.game, now)
    services.wake_program(sealed_game)
    return replies.private(Review("waiting", []))


def review_record(services: Services, request: Sent[ReviewRecord], now: int) -> Reply:
    """Show the review of a game that was kept at a table, or ask the program for it; the same record asks again.

    A turn has its number among the lines of the record's players. Only turns with the whole rack are reviewed, and only
    of a finished game of two whose record `ordws replay` finds exact; of another record there is no turn. An address
    may send 30 records a day, and each is kept for a day; while 300 reviews wait, no other record is taken.
    """
    record, register = request.body.record, services.practice_register
    game = register.id_of_record(record)
    if (done := _find_or_expect(services, game, now)) is not None:
        return done
    full = register.add_record(record, hash_networks(services.for_practice, request.address, now), now)
    if full == "day":
        raise Problem("too-many-games", "so many records came from this address in a day: try again tomorrow")
    if full == "reviews":
        raise Problem("practice-full", "so many reviews wait for the program", retry_after=RETRY_SECONDS)
    register.ask_review(game, now)
    return replies.private(Review("waiting", []))


def _find_or_expect(services: Services, game: str, now: int) -> Reply | None:
    """Return the review that was made; None where the program can make it. Raises a Problem where it cannot."""
    register = services.practice_register
    kept = register.find_review(game)
    if kept is not None:
        return replies.private(Review("done", msgspec.json.decode(kept, type=list[ReviewedMove])))
    if not register.has_program(now):
        detail = "the program does not run here now, and reviews are its work"
        raise Problem("no-program", detail, retry_after=RETRY_SECONDS)
    return None


def _has_cookies(header: GameHeader) -> bool:
    """Return whether the seats of a game are taken by cookies, one of which the program gets to read the turns."""
    return header.program_seat is not None or header.needs_promises


def keep_review(services: Services, request: KeepReview, now: int) -> Reply:
    """Keep a review that the program has made; sent again it changes nothing."""
    check_credential(services, request.credential)
    services.practice_register.keep_review(request.game, msgspec.json.encode(request.turns))
    return replies.private(Review("done", request.turns))
