"""Sealed games: the server deals, keeps the racks apart, and takes one move a turn. (GUARD, decision 11)"""

from __future__ import annotations

import re
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.ospd_check import is_found_in_game
from ordws.api.problems import Problem, ProblemCode, bad_seat, budget_spent, ill_formed, turn_taken
from ordws.api.replies import Reply
from ordws.api.requests import OpenGame, PathAndBody, TakeTurn, WhichGame
from ordws.api.services import Services
from ordws.api.standing import view_standing, view_turn_taken
from ordws.api.words import are_acceptable, fold_all, identity_of, rule_set
from ordws.errors import StoreDown
from ordws.guard.gate import Refused, Ticket
from ordws.guard.price import Question
from ordws.identity.register import RegisteredClient
from ordws.records.gcg import write_gcg
from ordws.records.gcg_export import to_gcg_record
from ordws.records.move_notation import BadMove, MoveWithSwaps, read_move_with_swaps, write_move_with_swaps
from ordws.records.record import Pragma
from ordws.referee.deal import new_game
from ordws.referee.sealed_game import SealedGame, SeatHolder, SubmissionOutcome, SubmissionText
from ordws.referee.submission import ChallengeAction, CheckAction, PreparedSubmission, ResignAction, Submission
from ordws.rules.event import Checked, Played
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Exchange, Pass, Play
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import GameOver, MayCheckOspd

OPEN_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "player-required",
    "budget-spent",
)
SHOW_PROBLEMS: Final[tuple[ProblemCode, ...]] = ("bad-seat", "game-not-over")
TURN_PROBLEMS: Final[tuple[ProblemCode, ...]] = (
    "bad-seat",
    "turn-taken",
    "bad-move",
    "bad-word",
    "game-over",
    "not-your-turn",
    "challenge-not-allowed",
    "check-not-allowed",
    "play-in-question",
    "not-a-new-word",
    "swap-not-allowed",
    "no-such-blank",
    "exchange-not-allowed",
    "bag-too-low",
    "off-board",
    "square-taken",
    "no-new-tile",
    "gap",
    "misses-centre",
    "not-connected",
    "not-on-rack",
    "too-many-tiles",
    "no-word-formed",
    "main-word-too-short",
    "only-two-letter-words",
    "main-word-in-wings",
    "no-tile-on-inner-board",
    "disallowed-word",
    "budget-spent",
)
MAX_TURNS: Final = 200
"""Passes cost nothing, and a game in which nobody plays need not end by the rules."""

_TEXT: Final = "text/plain"
_Q_VALUE: Final = re.compile(r"[01](\.[0-9]{0,3})?", re.ASCII)


class SeatGiven(Struct, frozen=True):
    """A seat, and the token by which it is seen and played."""

    player: str | None
    token: str


class OpenedGame(Struct, frozen=True):
    """A game that has begun. Its tokens are shown this once."""

    game: str
    rules: str
    edition: str
    expires: Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
    turn: int
    seats: list[SeatGiven]


class ChargedVerdict(NamedTuple):
    """What was charged for the words of a submission, and whether they will do; True where there are none."""

    ticket: Ticket | None
    verdict: bool


def open_game(services: Services, client: RegisteredClient, request: OpenGame, now: int) -> Reply:
    """A game dealt by the server, and one token for each of its seats."""
    rules = _read_rules(request)
    whose = [identity_of(client, seat.player) for seat in request.seats]
    seats = tuple(
        [SeatHolder(who.client, who.player, seat.player) for who, seat in zip(whose, request.seats, strict=True)]
    )
    try:
        dealt = new_game(rules, len(seats), services.games.chance)
    except ValueError as err:
        raise Problem("unknown-option", str(err)) from err
    edition = services.editions.current
    header = services.games.new_header(dealt, seats, edition.number, edition.name, now)
    if (refused := services.gate.open_game(whose, header.game, now)) is not None:
        raise budget_spent(refused)
    given = [SeatGiven(seat.name, token) for seat, token in zip(seats, services.games.open(header), strict=True)]
    return replies.created(
        OpenedGame(header.game, rules.id, edition.name, replies.format_utc(header.expires), 1, given)
    )


def show_game(services: Services, client: RegisteredClient, request: WhichGame, now: int) -> Reply:
    """Where a game stands, as one seat may see it; when it is over, also as a record (GCG)."""
    table, seat = _find_seat(services, client, request.id, request.seat_token, now)
    if not _prefers_text(request.accept):
        return replies.private(view_standing(table, seat, now))
    if not isinstance(table.state.phase, GameOver):
        raise Problem("game-not-over", "the record of a game shows all racks, so that there is none before its end")
    header = table.header
    about = [Pragma(0, "id", f"ordws {header.game}"), Pragma(0, "lexicon", header.edition_name)]
    return replies.text(write_gcg(to_gcg_record(table.game, [seat.name or "" for seat in header.seats], about)))


def _prefers_text(accept: str) -> bool:
    """Whether an Accept header asks for plain text rather than for JSON."""
    weights = {"*/*": 0.0, "application/*": 0.0, "application/json": 0.0, "text/*": 0.0, _TEXT: 0.0}
    for part in accept.lower().split(","):
        kind, *parameters = [each.strip() for each in part.split(";")]
        if kind in weights:
            weights[kind] = max(weights[kind], *[_q_value(each) for each in parameters], 0.0) if parameters else 1.0
    json = max(weights["*/*"], weights["application/*"], weights["application/json"])
    return max(weights["text/*"], weights[_TEXT]) > json


def _q_value(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    return float(value) if name == "q" and _Q_VALUE.fullmatch(value) else 1.0


def take_turn(services: Services, client: RegisteredClient, request: PathAndBody[TakeTurn], now: int) -> Reply:
    """What happens by a move: the first one for a turn is made, and sent again it gets the same answer."""
    (game, sent) = request
    table, seat = _find_seat(services, client, game["id"], sent.seat, now)
    submission = _read_submission(seat, sent)
    if sent.turn == table.turn:
        table = _play_turn(services, client, table, submission, now)
    return _turn_reply(table.at_row(sent.turn), sent.turn, submission)


def _turn_reply(sealed_game: SealedGame, turn: int, submission: Submission) -> Reply:
    """The answer to whoever's turn it was, the same however often; it is a function of the rows alone."""
    if sealed_game.turn != turn + 1:
        raise turn_taken(f"the next turn of this game is {sealed_game.turn}")
    if not sealed_game.rows[-1].answers(submission.seat, submission.submitted):
        raise turn_taken(f"turn {turn} was taken otherwise; see where the game stands")
    return replies.private(view_turn_taken(sealed_game, submission.seat))


def _find_seat(services: Services, client: RegisteredClient, game: str, token: str, now: int) -> tuple[SealedGame, int]:
    """A game and the seat that the token is for; whoever's time is up by now has been flagged."""
    found = services.games.find(game, token, str(client.id), now)
    if found is None:
        raise bad_seat()
    table, seat = found
    return services.games.apply_time_limits(table, now), seat


def _play_turn(
    services: Services, client: RegisteredClient, sealed_game: SealedGame, submission: Submission, now: int
) -> SealedGame:
    """The game with the row that stands for this turn, which may be another's that came first.

    The charge is settled after the row: who submits two moves at once learns nothing from the budgets of the one that
    was not made. A process killed in between leaves a play counted as invalid, and the row to be asked for again.
    """
    if sealed_game.turn > MAX_TURNS and not isinstance(submission.action, ResignAction):
        raise budget_spent(Refused("sealed/plays", sealed_game.header.expires - now))
    _check_in_question(sealed_game, submission)
    begun = services.games.prepare(sealed_game, submission, now)
    if isinstance(begun, Illegal):
        raise _to_problem(begun)
    doubt = (
        _charge_and_judge(services, client, sealed_game, submission, begun, now)
        if begun.doubted
        else ChargedVerdict(None, True)
    )
    sealed_game = services.games.complete(sealed_game, submission, begun, doubt.verdict, now)
    if doubt.ticket is not None and sealed_game.rows[-1].answers(submission.seat, submission.submitted):
        services.gate.settle(doubt.ticket, doubt.verdict, now)
    elif doubt.ticket is not None:
        services.gate.release(doubt.ticket, now)
    return sealed_game


def _check_in_question(sealed_game: SealedGame, submission: Submission) -> None:
    """A Problem where the seat is to act, but a play is in question that only something else can settle."""
    phase, (seat, _, swaps, deed) = sealed_game.state.phase, submission
    is_move = isinstance(deed, Play | Exchange) or (isinstance(deed, Pass) and bool(swaps))
    if isinstance(phase, MayCheckOspd) and phase.player == seat and is_move:
        raise Problem("play-in-question", 'your play was rejected: send "check-ospd", or "-" to go on without')


def _charge_and_judge(
    services: Services,
    client: RegisteredClient,
    sealed_game: SealedGame,
    submission: Submission,
    begun: PreparedSubmission,
    now: int,
) -> ChargedVerdict:
    """The verdict on the words in doubt, by the edition that the game began with, after they were charged for."""
    header = sealed_game.header
    edition = services.editions.find(header.edition)
    if edition is None:
        raise StoreDown(f"edition {header.edition}, with which a sealed game began, cannot be opened any more")
    is_check = isinstance(begun.event, Checked)
    turn = (
        _rejecting_turn(sealed_game)
        if is_check
        else _turn_label(sealed_game.turn, submission.seat, submission.submitted)
    )
    who = identity_of(client, header.seats[submission.seat].player)
    services.housekeeping.log_alarms(services.gate.update_detectors(now))
    is_doubt = not isinstance(begun.event, Played)
    question = Question(begun.doubted, header.edition, header.game, turn, submission.seat, is_doubt)
    ticket = services.gate.admit(who, question, edition.core, now)
    if isinstance(ticket, Refused):
        raise budget_spent(ticket._replace(retry_after_seconds=min(ticket.retry_after_seconds, header.expires - now)))
    lists = published_word_lists(sealed_game.state.rules)
    verdict = (is_found_in_game if is_check else are_acceptable)(edition, lists, begun.doubted)
    return ChargedVerdict(ticket, verdict)


def _rejecting_turn(sealed_game: SealedGame) -> str:
    """The turn by which the play in question was rejected: a check asks of the same words again, so it is no play."""
    rows = [*enumerate(sealed_game.rows, start=1)]
    number, row = next(
        (number, row)
        for number, row in reversed(rows)
        if row.outcome in (SubmissionOutcome.REJECTED, SubmissionOutcome.UPHELD)
    )
    assert row.submitted is not None
    return _turn_label(number, row.seat, row.submitted)


def _turn_label(number: int, seat: int, submitted: SubmissionText) -> str:
    """A turn and its move, by which the gate knows a question that it was asked before."""
    return f"{number} {seat} {submitted.text}"


def _read_rules(request: OpenGame) -> RuleSet:
    rules = rule_set(request.rules)
    clock = {} if request.clock is None else {"clock_seconds": request.clock}
    try:
        rules = with_options(rules, {**(request.options or {}), **clock})
    except BadOption as err:
        raise Problem("unknown-option", str(err)) from err
    if len(request.seats) > rules.most_players:
        raise Problem("too-many-players", f"{rules.id} is played by {rules.most_players} at most")
    return rules


def _read_submission(seat: int, request: TakeTurn) -> Submission:
    """What a seat wants to do, in one form whatever the way it was written."""
    move = request.move.strip()
    match move:
        case "challenge":
            words = fold_all(request.words or ())
            deed: ChallengeAction | CheckAction | ResignAction = ChallengeAction(words)
        case "check-ospd":
            words = fold_all(() if request.word is None else (request.word,))
            deed = CheckAction(*words or ("",))
        case "resign":
            words, deed = (), ResignAction()
        case _:
            return _read_move(seat, request)
    if request.swaps or (request.words and move != "challenge") or (request.word and move != "check-ospd"):
        raise Problem("bad-move", f'swaps, "words" and "word" do not all go with "{move}"')
    return Submission(seat, SubmissionText((), move, words), (), deed)


def _read_move(seat: int, request: TakeTurn) -> Submission:
    if request.words or request.word:
        raise Problem("bad-move", '"words" goes with a challenge, "word" with a check of the OSPD')
    try:
        swaps, move = read_move_with_swaps(" ".join([*request.swaps, request.move]))
    except BadMove as err:
        raise Problem("bad-move", f'{err}; or "challenge", "check-ospd", "resign"') from err
    *written, last = write_move_with_swaps(MoveWithSwaps(swaps, move)).split(" ", maxsplit=len(swaps))
    return Submission(seat, SubmissionText(tuple(written), last), swaps, move)


def _to_problem(illegal: Illegal) -> Problem:
    if illegal.fault is Fault.NOT_A_NEW_WORD:
        return Problem("not-a-new-word", "name words of the play in question; of each that it forms, once")
    return ill_formed(illegal)
