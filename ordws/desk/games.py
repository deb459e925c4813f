"""Sealed games: the server deals, keeps the racks apart, and takes one move a turn. (GUARD, decision 11)"""

from __future__ import annotations

import re
from typing import Annotated, Final, NamedTuple

from msgspec import Meta, Struct

from ordws.desk import replies
from ordws.desk.problems import Code, Problem, bad_seat, budget_spent, ill_formed, turn_taken
from ordws.desk.reference import is_found_in_game
from ordws.desk.replies import Reply
from ordws.desk.requests import OpenGame, Placed, TakeTurn, WhichGame
from ordws.desk.standing import standing, taken
from ordws.desk.wiring import Services
from ordws.desk.words import fold_all, identity, judged, rule_set
from ordws.errors import StoreDown
from ordws.guard.gate import Refused, Ticket
from ordws.guard.price import Question
from ordws.identity.register import Client
from ordws.records.gcg import write_gcg
from ordws.records.kept import to_gcg_record
from ordws.records.moves import BadMove, MoveWithSwaps, read_move_with_swaps, write_move_with_swaps
from ordws.records.record import Pragma
from ordws.referee.deal import new_game
from ordws.referee.table import Asked, Outcome, Sitter, Table
from ordws.referee.taking import Begun, Challenge, Check, Resign, Submission
from ordws.rules.event import Checked, Played
from ordws.rules.fault import Fault, Illegal
from ordws.rules.move import Exchange, Pass, Play
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists
from ordws.rules.state import MayCheckOspd, GameOver

CANNOT_OPEN: Final[tuple[Code, ...]] = (
    "unknown-rules",
    "unknown-option",
    "too-many-players",
    "player-required",
    "budget-spent",
)
CANNOT_SHOW: Final[tuple[Code, ...]] = ("bad-seat", "game-not-over")
CANNOT_TAKE: Final[tuple[Code, ...]] = (
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
MOST_TURNS: Final = 200
"""Passes cost nothing, and a game in which nobody plays need not end by the rules."""

_TEXT: Final = "text/plain"
_WEIGHT: Final = re.compile(r"[01](\.[0-9]{0,3})?", re.ASCII)


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


class Doubt(NamedTuple):
    """What was charged for the words of a submission, and whether they will do; True where there are none."""

    ticket: Ticket | None
    verdict: bool


def open_game(services: Services, client: Client, asked: OpenGame, now: int) -> Reply:
    """A game dealt by the server, and one token for each of its seats."""
    rules = _read_rules(asked)
    whose = [identity(client, seat.player) for seat in asked.seats]
    seats = tuple([Sitter(who.client, who.player, seat.player) for who, seat in zip(whose, asked.seats, strict=True)])
    try:
        dealt = new_game(rules, len(seats), services.games.chance)
    except ValueError as err:
        raise Problem("unknown-option", str(err)) from err
    edition = services.editions.current
    header = services.games.begin(dealt, seats, edition.number, edition.name, now)
    if (refused := services.gate.open_game(whose, header.game, now)) is not None:
        raise budget_spent(refused)
    given = [SeatGiven(seat.name, token) for seat, token in zip(seats, services.games.open(header), strict=True)]
    return replies.created(OpenedGame(header.game, rules.id, edition.name, replies.utc(header.expires), 1, given))


def show_game(services: Services, client: Client, asked: WhichGame, now: int) -> Reply:
    """Where a game stands, as one seat may see it; when it is over, also as a record (GCG)."""
    table, seat = _seated(services, client, asked.id, asked.seat_token, now)
    if not _prefers_text(asked.accept):
        return replies.private(standing(table, seat, now))
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
            weights[kind] = max(weights[kind], *[_weight(each) for each in parameters], 0.0) if parameters else 1.0
    json = max(weights["*/*"], weights["application/*"], weights["application/json"])
    return max(weights["text/*"], weights[_TEXT]) > json


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    return float(value) if name == "q" and _WEIGHT.fullmatch(value) else 1.0


def take_turn(services: Services, client: Client, asked: Placed[TakeTurn], now: int) -> Reply:
    """What happens by a move: the first one for a turn is made, and sent again it gets the same answer."""
    (game, sent) = asked
    table, seat = _seated(services, client, game["id"], sent.seat, now)
    submission = _read_submission(seat, sent)
    if sent.turn == table.turn:
        table = _take(services, client, table, submission, now)
    return _told(table.until(sent.turn), sent.turn, submission)


def _told(table: Table, turn: int, submission: Submission) -> Reply:
    """The answer to whoever's turn it was, the same however often; it is a function of the rows alone."""
    if table.turn != turn + 1:
        raise turn_taken(f"the next turn of this game is {table.turn}")
    if not table.rows[-1].answers(submission.seat, submission.asked):
        raise turn_taken(f"turn {turn} was taken otherwise; see where the game stands")
    return replies.private(taken(table, submission.seat))


def _seated(services: Services, client: Client, game: str, token: str, now: int) -> tuple[Table, int]:
    """A game and the seat that the token is for; whoever's time is up by now has been flagged."""
    found = services.games.find(game, token, str(client.id), now)
    if found is None:
        raise bad_seat()
    table, seat = found
    return services.games.on_time(table, now), seat


def _take(services: Services, client: Client, table: Table, submission: Submission, now: int) -> Table:
    """The game with the row that stands for this turn, which may be another's that came first.

    The charge is settled after the row: who submits two moves at once learns nothing from the budgets of the one that
    was not made. A process killed in between leaves a play counted as invalid, and the row to be asked for again.
    """
    if table.turn > MOST_TURNS and not isinstance(submission.deed, Resign):
        raise budget_spent(Refused("sealed/plays", table.header.expires - now))
    _check_in_question(table, submission)
    begun = services.games.begin_turn(table, submission, now)
    if isinstance(begun, Illegal):
        raise _refusal(begun)
    doubt = _look_up(services, client, table, submission, begun, now) if begun.doubted else Doubt(None, True)
    table = services.games.take(table, submission, begun, doubt.verdict, now)
    if doubt.ticket is not None and table.rows[-1].answers(submission.seat, submission.asked):
        services.gate.settle(doubt.ticket, doubt.verdict, now)
    elif doubt.ticket is not None:
        services.gate.release(doubt.ticket, now)
    return table


def _check_in_question(table: Table, submission: Submission) -> None:
    """A Problem where the seat is to act, but a play is in question that only something else can settle."""
    phase, (seat, _, swaps, deed) = table.state.phase, submission
    is_move = isinstance(deed, Play | Exchange) or (isinstance(deed, Pass) and bool(swaps))
    if isinstance(phase, MayCheckOspd) and phase.player == seat and is_move:
        raise Problem("play-in-question", 'your play was rejected: send "check-ospd", or "-" to go on without')


def _look_up(services: Services, client: Client, table: Table, submission: Submission, begun: Begun, now: int) -> Doubt:
    """The verdict on the words in doubt, by the edition that the game began with, after they were charged for."""
    header = table.header
    edition = services.editions.find(header.edition)
    if edition is None:
        raise StoreDown(f"edition {header.edition}, with which a sealed game began, cannot be opened any more")
    is_check = isinstance(begun.deed, Checked)
    turn = _rejecting(table) if is_check else _named(table.turn, submission.seat, submission.asked)
    who = identity(client, header.seats[submission.seat].player)
    services.housekeeping.tell(services.gate.watch(now))
    is_doubt = not isinstance(begun.deed, Played)
    question = Question(begun.doubted, header.edition, header.game, turn, submission.seat, is_doubt)
    ticket = services.gate.admit(who, question, edition.core, now)
    if isinstance(ticket, Refused):
        raise budget_spent(ticket._replace(retry_after_seconds=min(ticket.retry_after_seconds, header.expires - now)))
    lists = published_word_lists(table.state.rules)
    verdict = (is_found_in_game if is_check else judged)(edition, lists, begun.doubted)
    return Doubt(ticket, verdict)


def _rejecting(table: Table) -> str:
    """The turn by which the play in question was rejected: a check asks of the same words again, so it is no play."""
    rows = [*enumerate(table.rows, start=1)]
    number, row = next(
        (number, row) for number, row in reversed(rows) if row.outcome in (Outcome.REJECTED, Outcome.UPHELD)
    )
    assert row.asked is not None
    return _named(number, row.seat, row.asked)


def _named(number: int, seat: int, asked: Asked) -> str:
    """A turn and its move, by which the gate knows a question that it was asked before."""
    return f"{number} {seat} {asked.text}"


def _read_rules(asked: OpenGame) -> RuleSet:
    rules = rule_set(asked.rules)
    clock = {} if asked.clock is None else {"clock_seconds": asked.clock}
    try:
        rules = with_options(rules, {**(asked.options or {}), **clock})
    except BadOption as err:
        raise Problem("unknown-option", str(err)) from err
    if len(asked.seats) > rules.most_players:
        raise Problem("too-many-players", f"{rules.id} is played by {rules.most_players} at most")
    return rules


def _read_submission(seat: int, sent: TakeTurn) -> Submission:
    """What a seat wants to do, in one form whatever the way it was written."""
    move = sent.move.strip()
    match move:
        case "challenge":
            words = fold_all(sent.words or ())
            deed: Challenge | Check | Resign = Challenge(words)
        case "check-ospd":
            words = fold_all(() if sent.word is None else (sent.word,))
            deed = Check(*words or ("",))
        case "resign":
            words, deed = (), Resign()
        case _:
            return _read_move(seat, sent)
    if sent.swaps or (sent.words and move != "challenge") or (sent.word and move != "check-ospd"):
        raise Problem("bad-move", f'swaps, "words" and "word" do not all go with "{move}"')
    return Submission(seat, Asked((), move, words), (), deed)


def _read_move(seat: int, sent: TakeTurn) -> Submission:
    if sent.words or sent.word:
        raise Problem("bad-move", '"words" goes with a challenge, "word" with a check of the OSPD')
    try:
        swaps, move = read_move_with_swaps(" ".join([*sent.swaps, sent.move]))
    except BadMove as err:
        raise Problem("bad-move", f'{err}; or "challenge", "check-ospd", "resign"') from err
    *written, last = write_move_with_swaps(MoveWithSwaps(swaps, move)).split(" ", maxsplit=len(swaps))
    return Submission(seat, Asked(tuple(written), last), swaps, move)


def _refusal(illegal: Illegal) -> Problem:
    if illegal.fault is Fault.NOT_A_NEW_WORD:
        return Problem("not-a-new-word", "name words of the play in question; of each that it forms, once")
    return ill_formed(illegal)
