"""Practice: games of one person against the program, and the reviews of games of two that its process makes.

A game needs no key, no play link and no oath. Its words are judged by public lists alone (`public_editions.py`), so
that it costs nothing and tells nothing. A review is made after the end, for the players; it goes by words that
everybody may know, and looks at no verdict. A running game has none, nor has one of an event that goes on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from secrets import randbelow
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.games import deal_game, rules_of_game
from ordws.api.problems import Problem, ProblemCode
from ordws.api.public_editions import PRACTICE_PREFIX
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import (
    OPTIONS,
    Nothing,
    OptionValue,
    PathAndBody,
    PlayerField,
    RulesField,
    Sent,
    check_printable,
)
from ordws.api.seat_access import SeatCaller, cookie_of_seat, find_seat
from ordws.api.services import Services
from ordws.api.standing import Standing, view_standing
from ordws.referee.acts import find_acts
from ordws.referee.sealed_game import PROGRAM, GameHeader, SealedGame, SeatHolder, Seating, SeatNote, SubmissionOutcome
from ordws.referee.seat_credentials import SeatCookie
from ordws.referee.time_control import on_clock
from ordws.rules.ruleset import DEFAULT_RULES_ID
from ordws.rules.state import GameOver, TurnOutcome
from ordws.sender_limits import networks_of

OPEN_PRACTICE_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "no-program",
    "practice-full",
    "too-many-games",
)
_PLAYERS: Final = 2
_UNTIMED: Final = 0
RETRY_SECONDS: Final = 10
"""The time after which a place may be free, or the program be there again."""
_OPENING_SECONDS: Final = 60
"""The time within which a game that has its place in the register is stored."""
_PROGRAM_NAMES: Final = {"easy": "Program (easy)", "club": "Program (club)", "strong": "Program (strong)"}


CredentialField = Annotated[str, Meta(max_length=64, description="`ordws_computer_...`, the program's.")]


class OpenPractice(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A game against the program. Everything has a default."""

    strength: Annotated[Literal["easy", "club", "strong"], Meta(description="How well the program plays.")] = "club"
    name: Annotated[PlayerField, Meta(description="The player's name.")] = "Player"
    first: Annotated[Literal["me", "other", "chance"], Meta(description="Who moves first.")] = "chance"
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None

    def __post_init__(self) -> None:
        check_printable(self.name)


class OfferedPractice(Struct, frozen=True):
    """The answer to whether the program plays here, and how many more games it can play now."""

    program: Annotated[bool, Meta(description="False where the program does not run.")]
    games_left: int


class OpenedPractice(Struct, frozen=True):
    """A new game against the program. The calling browser has its seat by the cookie of the reply."""

    game: str
    rules: str
    expires: Annotated[TimeField, Meta(description="The end of the game if no move is made; each move puts it off.")]
    seat: int
    recovery: Annotated[str, Meta(description="The code that takes the seat in another browser.")]


class AskForTurns(Struct, forbid_unknown_fields=True, frozen=True):
    """The program's question for turns that are due."""

    credential: CredentialField
    games: Annotated[
        list[Annotated[str, Meta(max_length=32)]],
        Meta(max_length=200, description="Only these are looked at. Without any all are, and the next review is told."),
    ] = []


class DueTurn(Struct, frozen=True):
    """A game in which the program is to act, as its seat sees it, and the cookie with which it takes the turn."""

    strength: str
    cookie: str
    standing: Standing
    came_off: Annotated[list[str], Meta(description="The words of plays of this seat that came off.")]


class DueReview(Struct, frozen=True):
    """A finished game whose review was asked for: its standing and the cookie that shows its turns, or its record."""

    game: str
    cookie: str = ""
    standing: Standing | None = None
    record: str | None = None


class DueTurns(Struct, frozen=True):
    """The turns that are due, those of the games that have waited longest first, and the number of games that run."""

    games: int
    turns: list[DueTurn]
    review: Annotated[DueReview | None, Meta(description="The review to make when no turn is due.")]


def offer_practice(services: Services, request: Nothing, now: int) -> Reply:
    """Tell whether the program plays here, and how many more games it can play now."""
    # Games that are over give their places back when the program asks for turns, which it does every few seconds:
    # anybody may ask this, so that no game is read for it.
    register = services.practice_register
    return replies.private(OfferedPractice(register.has_program(now), register.places_left()))


def open_practice(services: Services, request: Sent[OpenPractice], now: int) -> Reply:
    """Open a game against the program; the caller's seat is taken by a cookie, and the game begins at once.

    No key, link or oath is needed, nothing is charged, and everything in the body has a default. Words are judged by
    the open players' list and the published lists of the rule set; the word set is not asked. The game is untimed,
    ends an hour after the last move, and has no result. The routes of a seat do the rest.
    """
    body, register, games = request.body, services.practice_register, services.games
    dealt = deal_game(services, rules_of_game(body.rules, body.options, _UNTIMED, _PLAYERS), _PLAYERS)
    if not register.has_program(now):
        detail = "the program does not run here now; a game with people needs none"
        raise Problem("no-program", detail, retry_after=RETRY_SECONDS)
    practice = services.for_practice
    for _ in _running_games(services, now):
        pass  # those that are over give their places back
    game = games.new_id()
    full = register.add(game, hash_networks(practice, request.address, now), now)
    if full == "address":
        raise Problem("too-many-games", "so many games run from this address: end or resign one of them first")
    if full == "day":
        raise Problem("too-many-games", "so many games were begun from this address in a day: try again tomorrow")
    if full == "games":
        raise Problem("practice-full", "the program plays all the games that it can", retry_after=RETRY_SECONDS)
    seat = {"me": 0, "other": 1, "chance": randbelow(_PLAYERS)}[body.first]
    holders = [SeatHolder(PROGRAM, body.strength, _PROGRAM_NAMES[body.strength])] * _PLAYERS
    holders[seat] = SeatHolder(f"{PRACTICE_PREFIX}{game}", None, body.name)
    edition = practice.editions.current
    header = games.new_header(dealt, tuple(holders), edition.number, edition.name, now, game=game)
    games.open(header)
    sealed_game = SealedGame.from_rows(header, ())
    for each, holder in enumerate(holders):
        note = SeatNote(each, SubmissionOutcome.SEATED, Seating(1, 1, holder.name))
        sealed_game = games.append_note(sealed_game, lambda latest, note=note: note)  # type: ignore[misc]
    services.wake_program(sealed_game)
    return replies.private(
        OpenedPractice(
            game,
            dealt.rules.id,
            replies.format_utc(sealed_game.expires),
            seat,
            games.credentials.write_recovery_code(game, seat, 1),
        ),
        cookie_of_seat(games, SeatCookie(game, seat, 1), header.expires - now),
    )


def hash_networks(practice: Services, address: str, now: int) -> list[bytes]:
    """Return keyed hashes of an address and of the larger networks that one subscriber may have whole."""
    return [practice.gate.address_id(network, now) for network, _ in networks_of(address)]


def give_due_turns(services: Services, request: AskForTurns, now: int) -> Reply:
    """Give the program the turns that are due. It takes each by `POST /v1/games/{id}/turns`, as a browser does."""
    check_credential(services, request.credential)
    services.practice_register.note_program(now)
    named = frozenset(request.games)
    games = list(_running_games(services, now, named))
    turns = []
    for sealed_game in sorted(games, key=lambda each: each.clock_started.milliseconds):
        seat = sealed_game.header.program_seat
        assert seat is not None
        # A standing takes ten times as long to write as to see whether anything is due.
        if on_clock(sealed_game.state) == seat or "propose" in find_acts(sealed_game, seat):
            cookie, standing = _view_of_seat(services, sealed_game, seat)
            made = [turn for turn in sealed_game.state.turns if turn.player == seat and turn.ruling is not None]
            off = [turn.ruling for turn in made if turn.outcome is TurnOutcome.OFF]
            came_off = [word for ruling in off if ruling is not None for word in ruling.words]
            turns.append(DueTurn(sealed_game.header.seats[seat].player or "", cookie, standing, came_off))
    review = None if named else _next_review(services, now)
    return replies.private(DueTurns(services.practice_register.count(), turns, review))


def check_credential(services: Services, credential: str) -> None:
    """Raise a Problem for a credential that is not the program's."""
    if not services.practice_register.is_credential(credential):
        raise Problem("program-only", "this is not the credential of the program of this service")


def _view_of_seat(services: Services, sealed_game: SealedGame, seat: int) -> tuple[str, Standing]:
    """Return the cookie of a seat, and what it sees."""
    credentials = services.games.credentials
    cookie = SeatCookie(sealed_game.header.game, seat, sealed_game.seat_records[seat].generation)
    return credentials.write_cookie(cookie), view_standing(sealed_game, seat, services.games.clock(), credentials)


def _next_review(services: Services, now: int) -> DueReview | None:
    """Return the review that is to be made next; those of games that have expired leave the queue."""
    while (game := services.practice_register.next_review()) is not None:
        if (record := services.practice_register.find_record(game)) is not None:
            return DueReview(game, record=record)
        sealed_game = services.games.find_by_id(game, now)
        if sealed_game is not None:
            # The game is over, so that no seat of it can do anything any more.
            return DueReview(game, *_view_of_seat(services, sealed_game, sealed_game.header.program_seat or 0))
        services.practice_register.drop_review(game)
    return None


def _running_games(services: Services, now: int, named: Collection[str] = ()) -> Iterator[SealedGame]:
    """Yield the games of practice that run, or those of them that are named; those that are over leave the register."""
    for game, opened in services.practice_register.list():
        if named and game not in named:
            continue
        sealed_game = services.games.find_by_id(game, now)
        if sealed_game is None:
            has_ended = now > opened + _OPENING_SECONDS
        else:
            has_ended = isinstance(sealed_game.state.phase, GameOver) or sealed_game.is_called_off
        if has_ended:
            services.practice_register.remove(game)
        elif sealed_game is not None:
            yield sealed_game


REVIEW_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-seat",
    "seat-moved",
    "game-not-over",
    "not-found",
    "no-program",
)
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


_REVIEW: Final = msgspec.json.Decoder(list[ReviewedMove])


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
        return replies.private(Review("done", _REVIEW.decode(kept)))
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
