"""The standing of a sealed game and its last turn, as one seat may see them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from ordws.api.promises import PROMISES, Promises
from ordws.api.replies import ReceiptOfPlay, TimeField, format_utc, scored
from ordws.records.notation import Position, read_move_with_swaps, write_board, write_cgp
from ordws.referee.acts import ACTS, find_acts, find_check_price, find_words_to_check
from ordws.referee.moments import Moment, milliseconds_between
from ordws.referee.sealed_game import PLAY_OUTCOMES, SealedGame, SubmissionOutcome, SubmissionText
from ordws.referee.seat_credentials import SeatCredentials
from ordws.referee.time_control import credit_used, on_clock, time_of_round, time_of_turn
from ordws.rules.ending import PROPOSAL_SECONDS, winners
from ordws.rules.event import Played, Swapped
from ordws.rules.fault import Illegal
from ordws.rules.game import apply_event
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.options import changed_options
from ordws.rules.ruleset import Clock
from ordws.rules.state import (
    DepartureReason,
    EndReason,
    GameOver,
    GameState,
    MayBeChallenged,
    MayCheckOspd,
    MayPropose,
    MayReplay,
    Proposal,
    ToDraw,
    ToMove,
    unseen_tiles,
    visible_racks,
)
from ordws.rules.statistics import average, board_statistics


class ViewedProposal(Struct, frozen=True):
    """A proposal of the unplayed tiles round; no words where there was none, no points if not acceptable."""

    seat: int
    words: list[str]
    acceptable: bool
    points: int
    receipt: ReceiptOfPlay | None


class UnplayedRound(Struct, frozen=True):
    """The unplayed tiles round: the seats that have yet to propose a play with the other's tiles, and the time."""

    seats: list[int]
    milliseconds: Annotated[int, Meta(description="The time for a proposal.")]
    running_ms: Annotated[int, Meta(description="The time that has passed.")]
    proposals: Annotated[list[ViewedProposal], Meta(description="Empty until all are made.")]


def view_unplayed_round(sealed_game: SealedGame, now: Moment) -> UnplayedRound | None:
    """Return the unplayed tiles round of a game, whose proposals are opened together (docs/rules.md 9.5)."""
    state = sealed_game.state
    waiting = list(state.phase.players) if isinstance(state.phase, MayPropose) else []
    if not waiting and not state.proposals:
        return None
    proposals = [] if waiting else [view_proposal(proposal) for proposal in state.proposals]
    return UnplayedRound(waiting, 1_000 * PROPOSAL_SECONDS, time_of_round(sealed_game, now), proposals)


def view_proposal(proposal: Proposal) -> ViewedProposal:
    """Return a proposal once it is open."""
    player, ruling, is_acceptable, points = proposal
    explained = None if ruling is None else scored(ruling)
    words, receipt = (explained.words, explained.receipt) if explained else ([], None)
    return ViewedProposal(player, words, is_acceptable, points, receipt)


PhaseName: TypeAlias = Literal[
    "waiting", "to-move", "may-replay", "may-check", "may-be-challenged", "may-propose", "over"
]

_CHALLENGE_OUTCOMES: Final = (
    SubmissionOutcome.UPHELD,
    SubmissionOutcome.FAILED,
    SubmissionOutcome.FOUND,
    SubmissionOutcome.NOT_FOUND,
)


class SeatStanding(Struct, frozen=True):
    """A player as one seat sees them: a hidden rack is null, and `left` is the reason why they left the game."""

    player: str | None
    score: int
    tiles: int
    rack: str | None
    seconds: Annotated[int, Meta(description="The time used, in whole seconds.")]
    milliseconds: Annotated[int, Meta(description="The same to the millisecond.")]
    left: Annotated[str | None, Meta(extra_json_schema={"enum": [*[reason.value for reason in DepartureReason], None]})]
    turns: Annotated[int, Meta(description="The turns taken; a play that can still be challenged is one.")]
    points_per_turn: Annotated[float | None, Meta(description="To two decimals; null before the first turn.")]
    seconds_per_turn: Annotated[float | None, Meta(description="The time of these turns, without a turn under way.")]
    taken: Annotated[bool | None, Meta(description="Whether the seat is taken; null in games without invitations.")]
    sworn: Annotated[bool | None, Meta(description="Whether its player took the oath; null as well.")]
    attested: Annotated[bool | None, Meta(description="Whether its player attested after the game; null as well.")]
    program: Annotated[str | None, Meta(description="The strength of the program in this seat; else null.")]


class BoardWords(Struct, frozen=True):
    """The words on a board: their number, and their mean length in letters, 0 without a word."""

    words: int
    mean_length: float


class Happened(Struct, frozen=True):
    """A turn: the move as it was sent, its words and would-be score, and its outcome.

    Before the end other seats see the number of tiles of an exchange, and never a play that was taken back as
    unacceptable.
    """

    turn: int
    seat: int
    move: str
    swaps: list[str]
    outcome: Annotated[str, Meta(extra_json_schema={"enum": [outcome.value for outcome in SubmissionOutcome]})]
    words: list[str]
    score: int
    receipt: ReceiptOfPlay | None


class GameClock(Struct, frozen=True):
    """The clock of a game: what it does, and the time of each player, or of each turn, in ms; 0: untimed."""

    kind: Annotated[str, Meta(extra_json_schema={"enum": [kind.value for kind in Clock]})]
    milliseconds: int
    overtime_minutes: int
    overtime_points: int
    running_ms: Annotated[int, Meta(description="The time that the mover's turn has taken so far.")]


class CheckableWord(Struct, frozen=True):
    """A word that the player may name in Dover's check of the OSPD, and the points that it costs if not found."""

    word: str
    price: int


class Rematch(Struct, frozen=True):
    """The next game of the same players, and the invitation to the seat that this one has in it."""

    game: str
    invitation: str


class EventPlace(Struct, frozen=True):
    """The place of a game in an event, whether the event goes on without it, and whether the event is over."""

    event: Annotated[str, Meta(description="The name of the event.")]
    round: int
    table: int
    game: Annotated[int, Meta(description="Which game of the two entrants in this round.")]
    called_off: bool
    over: Annotated[bool, Meta(description="True once the game may be reviewed, as its event is over.")] = False


class Standing(Struct, frozen=True):
    """The standing of a game, as one seat may see it."""

    game: str
    rules: str
    options: Annotated[dict[str, str], Meta(description="The options that differ from the rule set's.")]
    edition: str
    expires: TimeField
    turn: Annotated[int, Meta(description="The number to send with the next move.")]
    row: Annotated[int, Meta(description="The rows of the game so far, as the stream of its events counts them.")]
    moment_ms: Annotated[int, Meta(description="The server's time of this standing, in ms since 1970.")]
    phase: Annotated[
        PhaseName,
        Meta(
            description="`waiting`: a seat is free, or its player has not sworn, and nobody sees a tile."
            " `to-move`: a play, an exchange or a pass. `may-replay`: a play or a pass, after the check"
            " found the last play. `may-check`: the player whose play was rejected sends `check-ospd`, or `-` to go on"
            " without. `may-be-challenged`: an opponent sends `challenge`, or the next player moves, so that the play"
            " stands; `-` where it ends the game. `may-propose`: the game has ended, and a seat proposes a play with"
            " the other's tiles, or `-` for none. Any seat may resign before the end."
        ),
    ]
    mover: Annotated[int | None, Meta(description="The seat that is to act and whose clock runs.")]
    acts: Annotated[
        list[str],
        Meta(
            description="What this seat may do now; `swap`: a blank on the board, before a move.",
            extra_json_schema={"items": {"enum": list(ACTS)}},
        ),
    ]
    may_call_off: Annotated[bool, Meta(description="Whether a player may call the game off: until a play is made.")]
    called_off: Annotated[int | None, Meta(description="The seat whose player called the game off; null if none did.")]
    check_price: Annotated[int | None, Meta(description="The points that a check of the OSPD in vain would cost.")]
    check_words: Annotated[list[CheckableWord], Meta(description="The words left to name in Dover's check.")]
    clock: GameClock
    credit_ms: Annotated[int, Meta(description="The time of this seat that was the network's and was not counted.")]
    you: Annotated[int, Meta(description="This seat, counted from 0; messages count players from 1.")]
    position: Annotated[str, Meta(description="CGP; the racks begin with the mover's, hidden ones are empty.")]
    rack: str
    seats: list[SeatStanding]
    board: BoardWords
    bag: int
    unseen: Annotated[dict[str, int], Meta(description="The tiles of the pool that this seat does not see.")]
    last: Happened | None
    ending: Annotated[str | None, Meta(extra_json_schema={"enum": [*[reason.value for reason in EndReason], None]})]
    winners: list[int]
    unplayed_round: Annotated[UnplayedRound | None, Meta(description="Null where there is none.")]
    promises: Annotated[Promises | None, Meta(description="Null in games without invitations.")]
    rematch: Rematch | None
    event_table: Annotated[EventPlace | None, Meta(description="Null where the game is not of an event.")]


class TurnTaken(Struct, frozen=True):
    """The turn that a move took, and the standing of the game after it."""

    happened: Happened
    standing: Standing


class PositionBefore(Struct, frozen=True):
    """The board, the racks and the bag before a turn; a seat sees all racks once the game is over."""

    board: Annotated[str, Meta(description="The rows as CGP has them.")]
    racks: list[str | None]
    bag: int


class ScoredTurn(Struct, frozen=True):
    """A turn, the scores of all seats after it, and the position before it."""

    happened: Happened
    scores: list[int]
    before: PositionBefore


class Turns(Struct, frozen=True):
    """All turns of a game, as one seat may see them."""

    turns: list[ScoredTurn]


def view_turns(sealed_game: SealedGame, seat: int) -> Turns:
    """Return every turn of a game as a seat may see it, with the scores after it and the position before it."""
    numbers = [number for number, row in enumerate(sealed_game.rows, start=1) if row.is_turn]
    is_over = isinstance(sealed_game.state.phase, GameOver)
    turns = []
    for number in numbers:
        before = sealed_game.states[number - 1]
        racks: list[str | None] = list(visible_racks(before, seat))
        if is_over:
            racks = [each.rack for each in before.seats]
        position = PositionBefore(write_board(before.board), racks, len(before.bag))
        turns.append(
            ScoredTurn(view_turn(sealed_game, seat, number), list(sealed_game.states[number].scores), position)
        )
    return Turns(turns)


def view_turn_taken(sealed_game: SealedGame, seat: int, credentials: SeatCredentials) -> TurnTaken:
    """Return the last turn and the standing after it, as a function of the rows alone: a repeat gets the same bytes."""
    standing = view_standing(sealed_game, seat, sealed_game.clock_started, credentials)
    return TurnTaken(view_turn(sealed_game, seat, len(sealed_game.rows)), standing)


def view_standing(sealed_game: SealedGame, seat: int, now: Moment, credentials: SeatCredentials) -> Standing:
    """Return the standing of a game as a seat may see it now."""
    header, state = sealed_game.header, sealed_game.state
    is_waiting, promises, following = sealed_game.is_waiting, header.needs_promises, sealed_game.rematch
    mover = None if is_waiting or sealed_game.is_called_off else on_clock(state)
    racks = (None,) * len(header.seats) if is_waiting else visible_racks(state, seat)
    # CGP begins with the player to move; when the game is over there is none.
    cgp_order = [*range(mover or 0, len(racks)), *range(mover or 0)]
    position = Position(
        state.board,
        tuple([racks[index] or "" for index in cgp_order]),
        tuple([state.scores[index] for index in cgp_order]),
        len([*takewhile(lambda turn: not turn.points, reversed(state.turns))]),
    )
    return Standing(
        game=header.game,
        rules=state.rules.id,
        options=changed_options(state.rules),
        edition=header.edition_name,
        expires=format_utc(sealed_game.expires),
        turn=sealed_game.turn,
        row=len(sealed_game.rows),
        moment_ms=now.milliseconds,
        phase="waiting" if is_waiting else _phase_name(state),
        mover=mover,
        acts=find_acts(sealed_game, seat),
        may_call_off=sealed_game.may_be_called_off,
        called_off=sealed_game.called_off_by,
        check_price=find_check_price(state, seat),
        check_words=[CheckableWord(*each) for each in find_words_to_check(state, seat)],
        clock=GameClock(
            state.rules.clock.value,
            1_000 * state.rules.clock_seconds,
            state.rules.overtime_minutes,
            state.rules.overtime_points,
            time_of_turn(sealed_game, now),
        ),
        credit_ms=credit_used(sealed_game, seat),
        you=seat,
        position=write_cgp(position),
        rack="" if is_waiting else state.seats[seat].rack,
        seats=view_seats(sealed_game, racks, mover, now),
        board=BoardWords(*board_statistics(state.board)),
        bag=len(state.bag),
        unseen={} if is_waiting else unseen_tiles(state, seat),
        last=view_turn(sealed_game, seat, number) if (number := sealed_game.last_turn) else None,
        ending=state.phase.reason.value if isinstance(state.phase, GameOver) else None,
        winners=list(winners(state)),
        unplayed_round=None if sealed_game.is_called_off else view_unplayed_round(sealed_game, now),
        promises=PROMISES if promises else None,
        rematch=None
        if following is None
        else Rematch(following, credentials.write_invitation(following, rematch_seat(seat, len(header.seats)))),
        event_table=view_event_place(sealed_game),
    )


def view_event_place(sealed_game: SealedGame) -> EventPlace | None:
    """Return the place of a game in its event; None where it is of none."""
    table = sealed_game.header.event_table
    if table is None:
        return None
    is_off, is_over = sealed_game.is_called_off, sealed_game.is_event_over
    return EventPlace(table.title, table.round, table.table, table.game, is_off, is_over)


def view_seats(
    sealed_game: SealedGame, racks: Sequence[str | None], mover: int | None, now: Moment
) -> list[SeatStanding]:
    """Return the players of a game as those see them who see these racks; the clock of the mover runs."""
    state, promises = sealed_game.state, sealed_game.header.needs_promises
    turn_totals = [state.turn_totals(player) for player in range(len(state.seats))]
    running = 0 if mover is None else milliseconds_between(sealed_game.clock_started, now)
    names, records = sealed_game.seat_names, sealed_game.seat_records
    return [
        SeatStanding(
            name,
            score,
            len(player.rack),
            rack,
            (used := player.milliseconds + (running if index == mover else 0)) // 1_000,
            used,
            player.departure.reason.value if player.departure else None,
            turns,
            average(points, turns),
            average(player.milliseconds, 1_000 * turns),
            record.is_taken if promises else None,
            record.has_sworn if promises else None,
            record.has_attested if promises else None,
            holder.player if holder.is_program else None,
        )
        for index, (holder, name, record, player, score, rack, (turns, points)) in enumerate(
            zip(sealed_game.header.seats, names, records, state.seats, state.scores, racks, turn_totals, strict=True)
        )
    ]


def rematch_seat(seat: int, players: int) -> int:
    """Return the seat of a player in the next game of the same players, in which each starts one place earlier."""
    return (seat - 1) % players


def view_turn(sealed_game: SealedGame, viewer: int, number: int) -> Happened:
    """Return the turn of a game in the row of this number, as a seat may see it."""
    row, before = sealed_game.rows[number - 1], sealed_game.states[number - 1]
    words: list[str] = []
    score, receipt = 0, None
    visible = row.submitted or SubmissionText((), "")
    if row.seat != viewer and row.outcome is SubmissionOutcome.UNACCEPTABLE:
        visible = SubmissionText((), "")  # the play would show tiles of a rack
    elif (
        row.seat != viewer
        and row.outcome is SubmissionOutcome.PROPOSED
        and isinstance(sealed_game.state.phase, MayPropose)
    ):
        visible = SubmissionText((), "")  # proposals are made under seal
    elif (
        row.seat != viewer
        and row.outcome is SubmissionOutcome.EXCHANGED
        and row.submitted is not None
        and not isinstance(sealed_game.state.phase, GameOver)
    ):
        visible = row.submitted._replace(move=f"-{len(row.submitted.move) - 1}")
    if row.outcome is SubmissionOutcome.PROPOSED and not isinstance(sealed_game.state.phase, MayPropose):
        made = view_proposal(next(each for each in sealed_game.state.proposals if each.player == row.seat))
        words, score, receipt = made.words, made.points, made.receipt
    elif row.outcome in PLAY_OUTCOMES and visible.move:
        assert row.submitted is not None
        swaps, play = read_move_with_swaps(row.submitted.text)
        assert isinstance(play, Play)
        # The row of a void play keeps its time alone; its swaps were not made either.
        is_void = row.outcome is SubmissionOutcome.UNACCEPTABLE
        events = [Swapped(row.seat, *square) for square in swaps] if is_void else row.events
        state = before
        for event in takewhile(lambda event: not isinstance(event, Played), events):
            next_state = apply_event(state, event)
            assert not isinstance(next_state, Illegal)
            state = next_state
        ruling = judge(state.rules, state.board, play)
        assert isinstance(ruling, Legal)
        explained = scored(ruling)
        words, score, receipt = explained.words, explained.score, explained.receipt
    elif row.outcome in _CHALLENGE_OUTCOMES:
        words = list(visible.words)
        if not words and isinstance(before.phase, MayBeChallenged | MayCheckOspd):
            words = before.phase.ruling.words
    if row.outcome is SubmissionOutcome.NOT_FOUND:
        score = (
            sealed_game.states[number].turns[len(before.turns) - 1].points
        )  # the deduction, written into the rejected turn
    return Happened(number, row.seat, visible.move, list(visible.swaps), row.outcome.value, words, score, receipt)


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
        case MayPropose():
            return "may-propose"
        case GameOver():
            return "over"
