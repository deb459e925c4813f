"""Sealed games, which the server deals: each seat sees its own rack, and a turn takes one move.

The design is in docs/guard.md Decision 11.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.players_reference import charge_reference
from ordws.api.problems import FAULT_CODES, Problem, ProblemCode, budget_spent, ill_formed
from ordws.api.replies import Reply, TimeField
from ordws.api.requests import (
    OPTIONS,
    ClockField,
    OptionValue,
    PathAndBody,
    PlayerField,
    RulesField,
    WordField,
    check_printable,
)
from ordws.api.seat_access import SeatAtGame, SeatCaller, called_off, find_seat, give_back_if_over
from ordws.api.services import Services
from ordws.api.standing import view_standing, view_turn_taken, view_turns
from ordws.api.verdicts import are_acceptable, are_found_in_game, charged_question
from ordws.api.words import fold_all, fold_field, identity_of, rule_set_with_options
from ordws.errors import StoreDown
from ordws.guard.charge import Question, Refused
from ordws.identity.register import RegisteredClient
from ordws.records.notation import BadMove, MoveWithSwaps, read_move_with_swaps, write_move_with_swaps
from ordws.referee.acts import MAX_TURNS, ChallengeAction, CheckAction, PreparedSubmission, ResignAction, Submission
from ordws.referee.moments import Arrival
from ordws.referee.results import write_game_record
from ordws.referee.sealed_game import SealedGame, SeatHolder, SubmissionOutcome, SubmissionText, new_game
from ordws.rules.event import Checked, Played, Proposed
from ordws.rules.fault import Fault, Illegal
from ordws.rules.game import Game
from ordws.rules.move import Exchange, Pass, Play
from ordws.rules.ruleset import DEFAULT_RULES_ID, RuleSet
from ordws.rules.state import GameOver, MayCheckOspd, MayPropose

OPEN_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "player-required",
    "budget-spent",
)
SHOW_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("bad-seat", "seat-moved", "game-not-over")
TURN_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-seat",
    "seat-moved",
    "not-started",
    "called-off",
    "turn-taken",
    "bad-move",
    "bad-word",
    "play-in-question",
    *FAULT_CODES,
    "budget-spent",
)


_TURN_MOVE: Final = Meta(
    max_length=256,
    description="A play `8D STAiNER`, an exchange `-ABC`, a pass `-`, `challenge`, `check-ospd` or `resign`.",
    examples=["8D STAiNER"],
)


class Seat(Struct, forbid_unknown_fields=True, frozen=True):
    """The player of a seat: a pseudonym for operator keys, and for other keys a name for the record."""

    player: PlayerField | None = None

    def __post_init__(self) -> None:
        check_printable(self.player)


class OpenGame(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A sealed game to open."""

    seats: Annotated[list[Seat], Meta(min_length=2, max_length=4, description="In the order of play.")]
    rules: RulesField = DEFAULT_RULES_ID
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None
    clock: ClockField | None = None
    invitations: Annotated[
        bool,
        Meta(
            description="Whether each seat gets an invitation too; the game begins when all players have taken their"
            " seats and the oath."
        ),
    ] = False


class WhichGame(Struct, forbid_unknown_fields=True, frozen=True):
    """The sealed game to show, the seat that may see it, and the form of the reply."""

    id: str
    as_record: bool
    seat_token: Annotated[
        str, Meta(description="The token that `POST /v1/games` gave for the seat; left out with a seat's cookie.")
    ] = ""


class TakeTurn(Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A move for a turn of a sealed game."""

    turn: Annotated[int, Meta(ge=1, le=1_000_000, description="The `turn` of the game's standing.")]
    move: Annotated[str, _TURN_MOVE]
    swaps: Annotated[list[Annotated[str, Meta(max_length=8)]], Meta(max_length=12, examples=[["=H8"]])] = []
    words: (
        Annotated[list[WordField], Meta(max_length=21, description="The words challenged; by default all.")] | None
    ) = None
    word: Annotated[str, Meta(description="The single word that is checked in Dover's form.")] | None = None
    nonce: (
        Annotated[str, Meta(max_length=100, description="What the stream sent last: measures the network.")] | None
    ) = None
    held: Annotated[
        int, Meta(ge=0, le=2**53, description="The ms for which the position was there before this move was sent.")
    ] = 0
    seat: Annotated[str, Meta(description="The seat token; left out with a seat's cookie.")] = ""


class WhichTurns(Struct, forbid_unknown_fields=True, frozen=True):
    """The sealed game whose turns are shown, and the seat that may see them."""

    id: str
    seat_token: Annotated[
        str, Meta(description="The token that `POST /v1/games` gave for the seat; left out with a seat's cookie.")
    ] = ""


class SeatGiven(Struct, frozen=True, omit_defaults=True):
    """A seat, the token that gives access to it, and the invitation for its player, if there are invitations."""

    player: str | None
    token: str
    invitation: Annotated[
        str | None, Meta(description="For the link `/play/{game}#seat=...`, which gives a browser the seat.")
    ] = None


class OpenedGame(Struct, frozen=True):
    """A new game. Its tokens are shown only once."""

    game: str
    rules: str
    edition: str
    expires: TimeField
    turn: int
    seats: list[SeatGiven]


def open_game(services: Services, client: RegisteredClient, request: OpenGame, now: int) -> Reply:
    """Open a game dealt by the server, and return a token for each of its seats.

    The link of an invitation is `/play/{game}#seat={invitation}`; what its player asks is charged to the seat, as
    with the token. A game ends 24 hours after it was opened, and keeps its edition.
    """
    players = len(request.seats)
    game = deal_game(services, rules_of_game(request.rules, request.options, request.clock, players), players)
    identities = [identity_of(client, seat.player) for seat in request.seats]
    seats = tuple(
        [
            SeatHolder(identity.client, identity.player, seat.player)
            for identity, seat in zip(identities, request.seats, strict=True)
        ]
    )
    edition = services.editions.current
    invites = request.invitations
    header = services.games.new_header(game, seats, edition.number, edition.name, now, needs_promises=invites)
    if (refused := services.gate.open_game(identities, header.game, now)) is not None:
        raise budget_spent(refused)
    tokens = services.games.open(header)
    invite = services.games.credentials.write_invitation
    return replies.private(
        OpenedGame(
            header.game,
            game.rules.id,
            edition.name,
            replies.format_utc(header.expires),
            1,
            [
                SeatGiven(holder.name, token, invite(header.game, seat) if invites else None)
                for seat, (holder, token) in enumerate(zip(seats, tokens, strict=True))
            ],
        )
    )


def rules_of_game(rules_id: str, options: Mapping[str, OptionValue] | None, clock: int | None, players: int) -> RuleSet:
    """Return the rules of a game that is asked for; raise a Problem where they do not exist, or take fewer players."""
    timed = {} if clock is None else {"clock_seconds": clock}
    rules = rule_set_with_options(rules_id, {**(options or {}), **timed})
    if players > rules.most_players:
        raise Problem("too-many-players", f"{rules.id} is played by {rules.most_players} at most")
    return rules


def deal_game(services: Services, rules: RuleSet, players: int) -> Game:
    """Deal a game by these rules; raise a Problem where no game can be dealt by their options."""
    try:
        return new_game(rules, players, services.games.chance)
    except ValueError as err:
        raise Problem("unknown-option", str(err)) from err


def show_game(services: Services, caller: SeatCaller, request: WhichGame, now: int) -> Reply:
    """Show a game as one seat may see it, or, when it is over, as a record (GCG)."""
    at_game = find_seat(services, caller, request.id, now)
    sealed_game, seat = at_game.sealed_game, at_game.seat
    if not request.as_record:
        return replies.private(view_standing(sealed_game, seat, at_game.moment, services.games.credentials))
    if not isinstance(sealed_game.state.phase, GameOver):
        raise Problem("game-not-over", "the record of a game shows all racks, so that there is none before its end")
    return Reply(write_game_record(sealed_game), is_text=True)


def show_turns(services: Services, caller: SeatCaller, request: WhichTurns, now: int) -> Reply:
    """Show every turn of a game with its receipt, as one seat may see it."""
    at_game = find_seat(services, caller, request.id, now)
    return replies.private(view_turns(at_game.sealed_game, at_game.seat))


def take_turn(services: Services, caller: SeatCaller, request: PathAndBody[TakeTurn], now: int) -> Reply:
    """Take a turn of a game: the first move sent for it is made, and sent again it gets the same reply.

    Any other move for the same turn gets `turn-taken`. After 200 turns only `resign` is taken. Of the time since a
    `nonce` was sent the part that was not `held` is the network's, and is credited, at most 250 ms a turn and 3 s a
    game; a nonce of another game, seat or row gives no credit. Outcomes: `stands`, `rejected`, `unacceptable` (the
    same player makes another move), `laid` (nothing looked up; may be challenged), `exchanged`, `passed`, `upheld`,
    `failed`, `found`, `not-found`, `resigned`, `time-up`, and `proposed` in the unplayed tiles round.
    """
    path, body = request
    at_game = find_seat(services, caller, path["id"], now, body.seat)
    seat, sealed_game = at_game.seat, at_game.sealed_game
    if sealed_game.is_waiting:
        raise Problem("not-started", "the game begins when every player has taken their seat and the oath")
    submission = _read_submission(seat, body)
    if body.turn > sealed_game.turn:
        raise Problem("turn-taken", f"the next turn of this game is {sealed_game.turn}")
    nonce = body.nonce and services.stream_signer.read_nonce(body.nonce, path["id"], seat, body.turn - 1)
    # How long the nonce was held is the player's word, so that only a bounded credit follows from the rest.
    round_trip = max(0, at_game.moment.milliseconds - nonce - body.held) if nonce else 0
    arrival = Arrival(at_game.moment, round_trip)
    # A row that is no turn may come first, as when a player changes browsers: the move is still that of its turn.
    while (number := sealed_game.find_turn(body.turn, seat)) is None:
        if sealed_game.is_called_off:
            raise called_off(sealed_game)
        sealed_game = _play_turn(at_game._replace(sealed_game=sealed_game), submission, now, arrival)
    give_back_if_over(services, sealed_game, now)
    services.wake_program(sealed_game)
    # The reply is a function of the rows up to this turn alone, so that it is the same however often it is asked for.
    sealed_game = sealed_game.at_row(number)
    if not sealed_game.rows[-1].answers(seat, submission.submitted):
        raise Problem("turn-taken", f"turn {body.turn} was taken by another move; GET /v1/games/{{id}} shows the game")
    return replies.private(view_turn_taken(sealed_game, seat, services.games.credentials))


def _play_turn(at_game: SeatAtGame, submission: Submission, now: int, arrival: Arrival) -> SealedGame:
    """Judge a submission, append its row and return the game; another submission's row may have come first.

    The same submission again, after a process was killed between the charge and the row, costs nothing.
    """
    services, sealed_game = at_game.services, at_game.sealed_game
    phase, (seat, _, swaps, action) = sealed_game.state.phase, submission
    if (
        sum(row.is_turn for row in sealed_game.rows) >= MAX_TURNS
        and not isinstance(action, ResignAction)
        and not isinstance(phase, MayPropose)
    ):
        raise budget_spent(Refused("plays", sealed_game.header.expires - now))
    is_move = isinstance(action, Play | Exchange) or (isinstance(action, Pass) and bool(swaps))
    if isinstance(phase, MayCheckOspd) and phase.player == seat and is_move:
        raise Problem("play-in-question", 'your play was rejected: send "check-ospd", or "-" to go on without')
    prepared = services.games.prepare(sealed_game, submission, arrival)
    if isinstance(prepared, Illegal):
        if prepared.fault is Fault.NOT_A_NEW_WORD:
            raise Problem("not-a-new-word", "name words that the play in question forms, each of them once")
        raise ill_formed(prepared)
    verdict = not prepared.doubted or _charge_and_judge(at_game, submission, prepared, now)
    return services.games.complete(sealed_game, submission, prepared, verdict)


def _charge_and_judge(at_game: SeatAtGame, submission: Submission, prepared: PreparedSubmission, now: int) -> bool:
    """Charge for the words in doubt, and return the verdict on them by the edition that the game began with."""
    services, sealed_game = at_game.services, at_game.sealed_game
    header = sealed_game.header
    edition = services.editions.find(header.edition)
    if edition is None:
        raise StoreDown(f"edition {header.edition}, with which a sealed game began, cannot be opened any more")
    is_check = isinstance(prepared.event, Checked)
    number, seat, submitted, charged_words = sealed_game.turn, submission.seat, submission.submitted, prepared.doubted
    if is_check:
        # Whoever was charged for the words when the play was rejected pays nothing: the gate knows them by that turn.
        rejections = (SubmissionOutcome.REJECTED, SubmissionOutcome.UPHELD)
        rejected = max(n for n, row in enumerate(sealed_game.rows, start=1) if row.outcome in rejections)
        row, phase = sealed_game.rows[rejected - 1], sealed_game.state.phase
        assert row.submitted is not None
        assert isinstance(phase, MayCheckOspd)
        rejected_words = row.submitted.words or tuple(phase.ruling.words)
        if set(prepared.doubted) <= {*rejected_words}:
            number, seat, submitted, charged_words = rejected, row.seat, row.submitted, rejected_words
    question = Question(
        prepared.doubted,
        header.edition,
        header.game,
        f"{number} {seat} {submitted.text} {' '.join(charged_words)}",
        submission.seat,
        is_doubt=not isinstance(prepared.event, Played | Proposed),
    )
    rules = sealed_game.state.rules
    charged, core = charged_question(edition, rules, question)
    outcome = services.gate.admit(at_game.identity, charged, core, now)
    # What a game of guests held was given back before it began, or was lost with the meters.
    is_lost = isinstance(outcome, Refused) and outcome.budget == "guests"
    if is_lost and services.guest_games.begin(header.game, header.expires, now) is None:
        outcome = services.gate.admit(at_game.identity, charged, core, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome._replace(retry_after_seconds=min(outcome.retry_after_seconds, header.expires - now)))
    if not is_check:
        return are_acceptable(edition, rules, prepared.doubted)
    if at_game.client is None:
        # Guests have no budget for an installation's own list.
        return are_found_in_game(edition, edition.open_reference, rules, prepared.doubted)
    if edition.has_own_reference:
        charge_reference(services, at_game.identity, edition, prepared.doubted, now)
    return are_found_in_game(edition, edition.reference, rules, prepared.doubted)


def _read_submission(seat: int, request: TakeTurn) -> Submission:
    """Read the action of a seat into its normal form, so that two spellings of a move are the same submission."""
    move = request.move.strip()
    match move:
        case "challenge":
            words = fold_all(request.words or ())
            action: ChallengeAction | CheckAction | ResignAction = ChallengeAction(words)
        case "check-ospd":
            words = () if request.word is None else (fold_field(request.word, "word"),)
            action = CheckAction(*words or ("",))
        case "resign":
            words, action = (), ResignAction()
        case _:
            if request.words or request.word:
                raise Problem("bad-move", '"words" goes with a challenge, "word" with a check of the OSPD')
            try:
                swaps, parsed_move = read_move_with_swaps(" ".join([*request.swaps, request.move]))
            except BadMove as err:
                raise Problem("bad-move", f'{err}; or "challenge", "check-ospd", "resign"') from err
            normal_text = write_move_with_swaps(MoveWithSwaps(swaps, parsed_move))
            *swap_texts, move_text = normal_text.split(" ", maxsplit=len(swaps))
            return Submission(seat, SubmissionText(tuple(swap_texts), move_text), swaps, parsed_move)
    if request.swaps or (request.words and move != "challenge") or (request.word and move != "check-ospd"):
        raise Problem("bad-move", f'swaps, "words" and "word" do not all go with "{move}"')
    return Submission(seat, SubmissionText((), move, words), (), action)
