"""Invitations to the seats of a sealed game, the seats that are taken by them, and the players' promises.

A tap takes a seat, not the opening of the link, for chat programs open links (docs/guard.md Decision 19).
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.guest_games import guests_spent
from ordws.api.problems import Problem, ProblemCode, too_many_guesses
from ordws.api.promises import PROMISES, PromiseWording, make_promise
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import Nothing, PathAndBody, PlayerField, Sent, check_printable
from ordws.api.seat_access import GUEST_PREFIX, SeatCaller, called_off, cookie_of_seat, find_seat, seat_moved
from ordws.api.services import Services
from ordws.api.standing import EventPlace, Standing, view_event_place, view_standing
from ordws.referee.sealed_game import CalledOff, SealedGame, Seating, SeatNote, SubmissionOutcome
from ordws.referee.seat_credentials import SeatCookie
from ordws.rules.options import changed_options
from ordws.rules.state import GameOver
from ordws.typed_codes import read_code

SEAT_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("bad-seat", "seat-moved")
TAKE_SEAT_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-invitation",
    "called-off",
    "seat-taken",
    "own-invitation",
    "bad-recovery-code",
    "too-many-guesses",
)
MAX_GENERATIONS: Final = 50
"""The number of times that a seat can be taken, since each is a row."""


_INVITATION: Final = Meta(max_length=64, description="`ordws_invite_...`, from the link of the invitation.")


class ReadInvitation(Struct, forbid_unknown_fields=True, frozen=True):
    """An invitation to look at."""

    invitation: Annotated[str, _INVITATION]


class TakeSeat(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """An invitation to a seat, or the recovery code of a seat: one of the two."""

    invitation: Annotated[str, _INVITATION] | None = None
    recovery: (
        Annotated[
            str,
            Meta(
                max_length=32,
                description="In either case, with or without hyphens.",
                examples=["7K2Q-M4ZX-0RTB"],
            ),
        ]
        | None
    ) = None
    name: Annotated[PlayerField | None, Meta(description="The player's name, with an invitation.")] = None
    again: Annotated[
        bool,
        Meta(
            description="Whether the seat is taken over from the browser that took it by this invitation before, which"
            " is possible until its player has sworn: after a reply that was lost."
        ),
    ] = False

    def __post_init__(self) -> None:
        check_printable(self.name)


class MakePromise(Struct, forbid_unknown_fields=True, frozen=True):
    """The version of the words that the player was shown."""

    version: Annotated[int, Meta(ge=1, le=1_000)]


class ClockOffered(Struct, frozen=True):
    """The clock of a game: its kind, and the time of each player, or of each turn; 0: untimed."""

    kind: str
    milliseconds: int
    overtime_minutes: int
    overtime_points: int


class SeatInvited(Struct, frozen=True):
    """A seat as one who is invited to another sees it."""

    player: str | None
    taken: bool


class SeatOffer(Struct, frozen=True):
    """The game and the seat that an invitation is for. Looking at it takes nothing."""

    game: str
    rules: str
    options: Annotated[dict[str, str], Meta(description="The options that differ from the rule set's.")]
    clock: ClockOffered
    seat: int
    taken: bool
    sworn: Annotated[bool, Meta(description="Whether its holder has sworn, so that nobody else can take it.")]
    seats: list[SeatInvited]
    event_table: Annotated[EventPlace | None, Meta(description="Null where the game is not of an event.")]
    expires: TimeField


class TakenSeat(Struct, frozen=True):
    """A seat that the calling browser has from now on, by a cookie."""

    seat: int
    recovery: Annotated[
        str, Meta(description="The code that takes the seat in another browser, or in this one without its cookie.")
    ]
    standing: Standing


class _Invited(NamedTuple):
    """A game, and the seat of it that an invitation is for."""

    sealed_game: SealedGame
    seat: int


def read_invitation(services: Services, request: PathAndBody[ReadInvitation], now: int) -> Reply:
    """Show the game and the seat that an invitation is for. It takes nothing."""
    sealed_game, seat = _find_invited(services, request.path["id"], request.body.invitation, now)
    header, records = sealed_game.header, sealed_game.seat_records
    rules = header.dealt_game.rules
    return replies.private(
        SeatOffer(
            header.game,
            rules.id,
            changed_options(rules),
            ClockOffered(rules.clock.value, 1_000 * rules.clock_seconds, rules.overtime_minutes, rules.overtime_points),
            seat,
            records[seat].is_taken,
            records[seat].has_sworn,
            [SeatInvited(name, record.is_taken) for name, record in zip(sealed_game.seat_names, records, strict=True)],
            view_event_place(sealed_game),
            replies.format_utc(header.expires),
        )
    )


def take_seat(services: Services, request: Sent[PathAndBody[TakeSeat]], now: int) -> Reply:
    """Take a seat of a game by its invitation, or take it again by its recovery code.

    The cookie of the reply stands for the seat from then on, and any earlier cookie of the seat does not. An
    invitation takes a free seat. From the browser that holds the seat it gets the same reply again; in another one,
    `again` takes the seat over as long as its holder has not sworn, as after a reply that was lost.

    The recovery code, `XXXX-XXXX-XXXX` of 60 bits, takes the seat at any time, and stays the same when it is used. A
    seat can change browsers 50 times. Of wrong codes 60 a second from one address are answered, and 600 from all.
    """
    game, body = request.body.path["id"], request.body.body
    if (body.invitation is None) == (body.recovery is None):
        raise Problem("bad-request", 'body: expected either "invitation" or "recovery"')
    if body.recovery is not None:
        sealed_game, seat = _recover_seat(services, game, body.recovery, request.address, now)
    else:
        sealed_game, seat = _take_by_invitation(services, game, body, request.cookie, now)
    header, record, games = sealed_game.header, sealed_game.seat_records[seat], services.games
    taken = TakenSeat(
        seat,
        games.credentials.write_recovery_code(game, seat, record.invited),
        view_standing(sealed_game, seat, games.clock(), games.credentials),
    )
    cookie = SeatCookie(game, seat, record.generation)
    return replies.private(taken, cookie_of_seat(games, cookie, header.expires - now))


def take_oath(services: Services, caller: SeatCaller, request: PathAndBody[MakePromise], now: int) -> Reply:
    """Take the oath before the game. The first clock starts when the last player has sworn.

    `version` is that of the words which the player was shown, `promises` of the standing; they are kept as a digest,
    with the time. Sent again it changes nothing.
    """
    return _promise(services, caller, request, SubmissionOutcome.SWORN, PROMISES.oath, now)


def attest(services: Services, caller: SeatCaller, request: PathAndBody[MakePromise], now: int) -> Reply:
    """Attest, when the game is over, that the oath was kept."""
    return _promise(services, caller, request, SubmissionOutcome.ATTESTED, PROMISES.attestation, now)


def call_off_unplayed(services: Services, caller: SeatCaller, request: PathAndBody[Nothing], now: int) -> Reply:
    """Call a game off before a play is made; what was charged for it stays charged, and a repeat changes nothing.

    Nobody plays it any more, and nobody has lost it. A game of an event cannot be called off in this way.
    """
    _, sealed_game, seat, *_ = find_seat(services, caller, request.path["id"], now)

    def decide(latest: SealedGame) -> SeatNote | None:
        if latest.called_off_by is not None:
            return None
        if not latest.may_be_called_off:
            raise Problem("turn-taken", "a game is called off before its first play, and never in an event; resign it")
        return SeatNote(seat, SubmissionOutcome.CALLED_OFF, CalledOff())

    sealed_game = services.games.append_note(sealed_game, decide)
    return replies.private(view_standing(sealed_game, seat, services.games.clock(), services.games.credentials))


def _find_invited(services: Services, game: str, invitation: str, now: int) -> _Invited:
    """Return the game and the seat of an invitation; raise a Problem where it is of no running game."""
    seat = services.games.credentials.read_invitation(game, invitation)
    if seat is None:
        raise Problem("bad-invitation", "this is no invitation to this game: ask for the whole link once more")
    sealed_game = services.games.find_by_id(game, now)
    if sealed_game is None or not sealed_game.header.needs_promises or seat >= len(sealed_game.header.seats):
        raise Problem("bad-invitation", "the game of this invitation has expired: it is kept for a day")
    return _Invited(sealed_game, seat)


def _take_by_invitation(services: Services, game: str, body: TakeSeat, cookie: SeatCookie | None, now: int) -> _Invited:
    sealed_game, seat = _find_invited(services, game, body.invitation or "", now)
    if cookie is not None and cookie.generation == sealed_game.seat_records[cookie.seat].generation:
        if cookie.seat == seat:
            return _Invited(sealed_game, seat)
        raise Problem(
            "own-invitation",
            f"this browser has seat {cookie.seat + 1} of the game, and the invitation is for another player: send it"
            " to them",
        )

    def decide(latest: SealedGame) -> SeatNote:
        record = latest.seat_records[seat]
        if latest.is_called_off:
            raise called_off(latest)
        if record.has_sworn:
            detail = "its player has sworn already; whoever took it has a recovery code, which takes it again"
            raise Problem("seat-taken", detail)
        if record.is_taken and not body.again:
            raise Problem(
                "seat-taken",
                'another browser took it; "again" takes it over until its player has sworn, for who did it themselves',
            )
        generation = _next_generation(record.generation)
        return SeatNote(seat, SubmissionOutcome.SEATED, Seating(generation, generation, body.name))

    return _Invited(services.games.append_note(sealed_game, decide), seat)


def _recover_seat(services: Services, game: str, code: str, address: str, now: int) -> _Invited:
    if wait := services.recovery_guesses.acquire(address, now):
        raise too_many_guesses(wait)
    normal_code = read_code(code)
    sealed_game = None if normal_code is None else services.games.find_by_id(game, now)
    if normal_code is not None and sealed_game is not None:
        matches = partial(services.games.credentials.is_recovery_code, normal_code, game)
        for seat, record in enumerate(sealed_game.seat_records):
            if record.generation and matches(seat, record.invited):

                def decide(latest: SealedGame, seat: int = seat) -> SeatNote:
                    held = latest.seat_records[seat]
                    if not matches(seat, held.invited):
                        raise _bad_recovery_code()
                    seating = Seating(_next_generation(held.generation), held.invited, held.name)
                    return SeatNote(seat, SubmissionOutcome.SEATED, seating)

                services.recovery_guesses.forgive(address, now)
                return _Invited(services.games.append_note(sealed_game, decide), seat)
    raise _bad_recovery_code()


def _bad_recovery_code() -> Problem:
    return Problem("bad-recovery-code", "no seat of this game has this recovery code, or the game has expired")


def _next_generation(generation: int) -> int:
    if generation >= MAX_GENERATIONS:
        raise Problem("seat-taken", f"this seat was taken {generation} times and stays where it is")
    return generation + 1


def _promise(
    services: Services,
    caller: SeatCaller,
    request: PathAndBody[MakePromise],
    outcome: SubmissionOutcome,
    wording: PromiseWording,
    now: int,
) -> Reply:
    """Append the row of a promise, unless the seat has made it, and return the standing."""
    _, sealed_game, seat, *_ = find_seat(services, caller, request.path["id"], now)
    if not sealed_game.header.needs_promises:
        raise Problem("bad-request", "this game was opened without invitations, and its players make no promises")
    promise = make_promise(wording, request.body.version)

    def decide(latest: SealedGame) -> SeatNote | None:
        record = latest.seat_records[seat]
        # Another browser may have taken the seat since it was found, and nobody promises for another.
        if caller.cookie is not None and record.generation != caller.cookie.generation:
            raise seat_moved()
        if outcome is SubmissionOutcome.SWORN:
            if latest.is_called_off and not record.has_sworn:
                raise called_off(latest)
            if record.has_sworn:
                return None
            # Asked again where another oath came first, so that of two in the same moment one is the last.
            _hold_if_last(services, latest, seat, now)
            return SeatNote(seat, outcome, promise)
        if not isinstance(latest.state.phase, GameOver):
            raise Problem("game-not-over", "the attestation is for after the game")
        return None if record.has_attested else SeatNote(seat, outcome, promise)

    sealed_game = services.games.append_note(sealed_game, decide)
    return replies.private(view_standing(sealed_game, seat, services.games.clock(), services.games.credentials))


def _hold_if_last(services: Services, sealed_game: SealedGame, seat: int, now: int) -> None:
    """Hold what a game of guests may spend, where this oath begins it; raise a Problem where that is not left.

    A game that nobody began has given it back by then.
    """
    header = sealed_game.header
    if sealed_game.is_called_off or not header.seats[seat].client.startswith(GUEST_PREFIX):
        return
    others = [record for other, record in enumerate(sealed_game.seat_records) if other != seat]
    is_last = all(record.has_sworn for record in others)
    if is_last and services.guest_games.begin(header.game, header.expires, now) is not None:
        raise guests_spent(services, now, services.guest_games.link_of(header.game))
