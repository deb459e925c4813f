"""Where a sealed game stands and what has happened in it, as one seat may see it."""

from __future__ import annotations

from itertools import takewhile
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from ordws.api.replies import ReceiptOfPlay, format_utc, scored
from ordws.records.cgp import Position, write_cgp
from ordws.records.move_notation import read_move_with_swaps
from ordws.referee.sealed_game import GameRow, SealedGame, SubmissionOutcome, SubmissionText
from ordws.referee.time_control import on_clock
from ordws.rules.ending import winners
from ordws.rules.event import Played, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import apply_event
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.options import changed_options
from ordws.rules.state import (
    DepartureReason,
    EndReason,
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayReplay,
    ToDraw,
    ToMove,
)
from ordws.rules.visibility import unseen_tiles, visible_racks

PhaseName: TypeAlias = Literal["to-move", "may-replay", "may-check", "may-be-challenged", "over"]

_PLAY_OUTCOMES: Final = (
    SubmissionOutcome.STANDS,
    SubmissionOutcome.REJECTED,
    SubmissionOutcome.UNACCEPTABLE,
    SubmissionOutcome.LAID,
)
_CHALLENGE_OUTCOMES: Final = (
    SubmissionOutcome.UPHELD,
    SubmissionOutcome.FAILED,
    SubmissionOutcome.FOUND,
    SubmissionOutcome.NOT_FOUND,
)
_DATE_TIME: Final = Meta(extra_json_schema={"format": "date-time"})


class SeatStanding(Struct, frozen=True):
    """A player as one seat sees him: the rack is null where it is hidden, `left` says how he is out of the game."""

    player: str | None
    score: int
    tiles: int
    rack: str | None
    seconds: Annotated[int, Meta(description="The time used.")]
    left: Annotated[str | None, Meta(extra_json_schema={"enum": [*[why.value for why in DepartureReason], None]})]


class Happened(Struct, frozen=True):
    """A turn: the move as it was sent, its words and would-be score, and what became of it.

    Of an exchange others see the number of tiles; of a play that the rules do not let be made, nothing.
    """

    turn: int
    seat: int
    move: str
    swaps: list[str]
    outcome: Annotated[str, Meta(extra_json_schema={"enum": [outcome.value for outcome in SubmissionOutcome]})]
    words: list[str]
    score: int
    receipt: ReceiptOfPlay | None


class Standing(Struct, frozen=True):
    """Where a game stands, as one seat may see it."""

    game: str
    rules: str
    options: Annotated[dict[str, str], Meta(description="Those that are set otherwise than in the rule set.")]
    edition: str
    expires: Annotated[str, _DATE_TIME]
    turn: Annotated[int, Meta(description="The number that the next move is sent with.")]
    phase: Annotated[
        PhaseName,
        Meta(
            description="`to-move`: a play, an exchange or a pass. `may-replay`: a play or a pass, the last play having"
            " been found. `may-check`: whose play was rejected sends `check-ospd`, or `-` to go on without."
            " `may-be-challenged`: an opponent sends `challenge`, or whoever is next moves, so that the play stands;"
            " where that ends the game, by `-`. Any seat may resign at any time."
        ),
    ]
    mover: Annotated[int | None, Meta(description="Whose clock runs: he is to act.")]
    you: Annotated[int, Meta(description="Seats are numbered from 0; sentences speak of player 1 and so on.")]
    position: Annotated[str, Meta(description="CGP; the racks begin with the mover's, hidden ones are empty.")]
    rack: str
    seats: list[SeatStanding]
    bag: int
    unseen: Annotated[dict[str, int], Meta(description="Tiles of the pool that this seat does not see.")]
    last: Happened | None
    ending: Annotated[str | None, Meta(extra_json_schema={"enum": [*[why.value for why in EndReason], None]})]
    winners: list[int]


class TurnTaken(Struct, frozen=True):
    """What happened by a move, and where the game stands since."""

    happened: Happened
    standing: Standing


def view_turn_taken(sealed_game: SealedGame, seat: int) -> TurnTaken:
    """The last turn as the seat was told of it; it follows from the rows alone."""
    return TurnTaken(view_last_turn(sealed_game, seat), view_standing(sealed_game, seat, sealed_game.clock_started))


def view_standing(sealed_game: SealedGame, seat: int, now: int) -> Standing:
    """Where the game stands now."""
    header, state = sealed_game.header, sealed_game.state
    mover = on_clock(state)
    racks = visible_racks(state, seat)
    return Standing(
        game=header.game,
        rules=state.rules.id,
        options=changed_options(state.rules),
        edition=header.edition_name,
        expires=format_utc(header.expires),
        turn=sealed_game.turn,
        phase=_phase_name(state),
        mover=mover,
        you=seat,
        position=_write_position(state, racks, mover or 0),
        rack=state.seats[seat].rack,
        seats=_view_seats(sealed_game, racks, mover, now),
        bag=len(state.bag),
        unseen=unseen_tiles(state, seat),
        last=view_last_turn(sealed_game, seat) if sealed_game.rows else None,
        ending=state.phase.reason.value if isinstance(state.phase, GameOver) else None,
        winners=list(winners(state)),
    )


def view_last_turn(sealed_game: SealedGame, viewer: int) -> Happened:
    """The last turn, as a seat may see it."""
    row, before = sealed_game.rows[-1], sealed_game.states[-2]
    words: list[str] = []
    score, receipt = 0, None
    asked = _visible_move(row, viewer)
    if row.outcome in _PLAY_OUTCOMES and asked.move:
        explained = scored(_replay_ruling(before, row))
        words, score, receipt = explained.words, explained.score, explained.receipt
    elif row.outcome in _CHALLENGE_OUTCOMES:
        words = list(asked.words) or _words_in_question(before)
    if row.outcome is SubmissionOutcome.NOT_FOUND:
        score = sealed_game.state.turns[len(before.turns) - 1].points
    return Happened(
        len(sealed_game.rows), row.seat, asked.move, list(asked.swaps), row.outcome.value, words, score, receipt
    )


def _visible_move(row: GameRow, viewer: int) -> SubmissionText:
    """What a seat may see of what another has sent."""
    if row.submitted is None:
        return SubmissionText((), "")
    if row.seat == viewer:
        return row.submitted
    if row.outcome is SubmissionOutcome.UNACCEPTABLE:
        return SubmissionText((), "")
    if row.outcome is SubmissionOutcome.EXCHANGED:
        return row.submitted._replace(move=f"-{len(row.submitted.move) - 1}")
    return row.submitted


def _replay_ruling(state: GameState, row: GameRow) -> Legal:
    """The ruling on the play of a row, given where the game stood before."""
    assert row.submitted is not None
    swaps, play = read_move_with_swaps(row.submitted.text)
    first = (
        [Swapped(row.seat, *square) for square in swaps]
        if row.outcome is SubmissionOutcome.UNACCEPTABLE
        else row.events
    )
    for event in takewhile(lambda event: not isinstance(event, Played), first):
        following = apply_event(state, event)
        assert not isinstance(following, Illegal)
        state = following
    assert isinstance(play, Play)
    ruling = judge(state.rules, state.board, play)
    assert isinstance(ruling, Legal)
    return ruling


def _words_in_question(state: GameState) -> list[str]:
    phase = state.phase
    return phase.ruling.words if isinstance(phase, MayBeChallenged | MayCheckOspd) else []


def _phase_name(state: GameState) -> PhaseName:
    match state.phase:
        case ToMove() | ToDraw():
            return "to-move"
        case MayReplay():
            return "may-replay"
        case MayCheckOspd():
            return "may-check"
        case MayBeChallenged():
            return "may-be-challenged"
        case GameOver():
            return "over"


def _write_position(state: GameState, racks: tuple[str | None, ...], first: int) -> str:
    order = [*range(first, len(racks)), *range(first)]
    idle = len([*takewhile(lambda turn: not turn.points, reversed(state.turns))])
    return write_cgp(
        Position(
            state.board,
            tuple([racks[seat] or "" for seat in order]),
            tuple([state.scores[seat] for seat in order]),
            idle,
        )
    )


def _view_seats(
    sealed_game: SealedGame, racks: tuple[str | None, ...], mover: int | None, now: int
) -> list[SeatStanding]:
    state = sealed_game.state
    running = max(0, now - sealed_game.clock_started)
    return [
        SeatStanding(
            sitter.name,
            score,
            len(seat.rack),
            rack,
            seat.seconds + (running if at == mover else 0),
            seat.departure.reason.value if seat.departure else None,
        )
        for at, (sitter, seat, score, rack) in enumerate(
            zip(sealed_game.header.seats, state.seats, state.scores, racks, strict=True)
        )
    ]
