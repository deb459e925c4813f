"""Questions about plays: whether a play is legal, its score, and whether its words are acceptable."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ordws.api import replies
from ordws.api.problems import PLAY_FAULT_CODES, Problem, ProblemCode, budget_spent, ill_formed
from ordws.api.replies import Reply
from ordws.api.requests import JSON_TYPE, OPTIONS, Labelled, OptionValue, RulesField, describe_value, read_body
from ordws.api.services import Services
from ordws.api.words import charge_and_judge, identity_of, log_question, rule_set_with_options
from ordws.guard.charge import Question, Refused
from ordws.identity.register import RegisteredClient
from ordws.records.notation import BadMove, BadPosition, SwapSquares, read_cgp, read_move_with_swaps
from ordws.rules.board import Board, board_from_rows
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.ruleset import DEFAULT_RULES_ID, RULE_SETS, RuleSet, published_word_lists
from ordws.rules.swap import swap

ILL_FORMED_CODES: Final[tuple[ProblemCode, ...]] = (
    "bad-position",
    "bad-move",
    "unknown-rules",
    "unknown-option",
    "bad-rack",
    *PLAY_FAULT_CODES,
)
"""The problems of a play that is refused at no cost: unreadable input, then swaps, then the play; the first alone."""

_RACK: Final = re.compile(r"[A-Z?]*", re.ASCII)


_POSITION_FIELD: Final = Meta(
    max_length=4_096,
    description="CGP, with as many rows as the rule set's board; racks, scores and zero turns may be missing",
    examples=[f"{'21/' * 10}10FiSH7{'/21' * 10}"],
)
_MOVE_FIELD: Final = Meta(
    max_length=256,
    description="`8D STAiNER` across, `D8` down; lower case is a blank; a tile on the board is `.` or its letter."
    " Swaps for the blank come first: `=H8`.",
    examples=["=L11 11O ING"],
)
_RACK_FIELD: Final = Meta(
    max_length=21, description="Capitals, `?` for a blank; by default the position's first rack.", examples=["EIINGTY"]
)


class JudgePlay(Labelled, frozen=True, kw_only=True):
    """A play, and the position it is made on."""

    position: Annotated[str, _POSITION_FIELD]
    move: Annotated[str, _MOVE_FIELD]
    rules: RulesField = DEFAULT_RULES_ID
    rack: Annotated[str, _RACK_FIELD] | None = None
    options: Annotated[dict[str, OptionValue], OPTIONS] | None = None


def read_play(line: bytes, rules: str | None = None) -> JudgePlay:
    """Read a play outside HTTP, as strictly as a body; `rules` is the rule set of a play that names none."""
    play = read_body(JudgePlay, JSON_TYPE, line)
    # The default of `JudgePlay.rules` cannot be told from the same rule set named by the play.
    if rules is None or read_body(_NamedRules, JSON_TYPE, line).rules is not None:
        return play
    return msgspec.structs.replace(play, rules=rules)


class _NamedRules(Struct):
    """The rule set that a play names, or None."""

    rules: str | None = None


def answer_play(services: Services, client: RegisteredClient, request: JudgePlay, now: int) -> Reply:
    """Judge all words of a play with one verdict, and explain its would-be score.

    A play that does not fit is refused at no cost and without a look-up, with the first code that applies: what
    cannot be read, then swaps, then the play, in the order in which the codes stand below. Of bad options the first
    five faults are told. The main word comes first in `words`.
    """
    ruling = rule_on_request(request)
    check_disallowed(ruling)
    identity = identity_of(client, request.player)
    edition = services.editions.current
    question = Question(tuple(ruling.words), edition.number, request.game)
    outcome = charge_and_judge(services, identity, question, edition, ruling.rules, now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    log_question(services, client, ruling.words, now)
    return replies.judged_play(outcome, replies.scored(ruling))


def answer_score(services: Services, client: RegisteredClient, request: JudgePlay, now: int) -> Reply:
    """Explain the score of a play; no word is looked up and nothing is charged."""
    return replies.private(replies.scored(rule_on_request(request)))


class ParsedPlay(NamedTuple):
    """A play as a request describes it: the rules, the position, the rack where it is known, the swaps and the move."""

    rules: RuleSet
    board: Board
    rack: str | None
    swaps: SwapSquares
    play: Play


def rule_on_request(request: JudgePlay) -> Legal:
    """Return the ruling on a legal play; raise a Problem with the first reason why the play is not legal."""
    return rule_on_play(parse_play(request))


def parse_play(request: JudgePlay) -> ParsedPlay:
    """Read the position, the move, the rules and the rack of a request; raise a Problem for the first bad one."""
    try:
        position = read_cgp(request.position)
    except BadPosition as err:
        raise Problem("bad-position", f'"position": {err}') from err
    try:
        swaps, move = read_move_with_swaps(request.move)
    except BadMove as err:
        raise Problem("bad-move", f'"move": {err}') from err
    if not isinstance(move, Play):
        raise Problem("bad-move", '"move": a play is needed, as in "8D WORD": an exchange or a pass forms no words')
    rules = rule_set_with_options(request.rules, request.options)
    rack = request.rack
    if rack is None:
        rack = next((rack for rack in position.racks[:1] if rack), None)  # the rack of the player to move
    elif not _RACK.fullmatch(rack):
        expected = 'capitals A to Z, "?" for a blank'
        raise Problem("bad-rack", f'"rack": got {describe_value(rack)}, expected {expected}')
    return ParsedPlay(rules, position.board, rack, swaps, move)


def rule_on_play(parsed: ParsedPlay) -> Legal:
    """Make the swaps and return the ruling on the play; raise a Problem where one of them is not legal."""
    rules, board, rack, swaps, play = parsed
    if board.side != rules.layout.side:
        sides = f"{rules.id} is played on {rules.layout.side} rows, not {board.side}"
        raise Problem("bad-position", f'"position": {sides}')
    for square in swaps:
        swapped = swap(rules, board, rack, *square)
        if isinstance(swapped, Illegal):
            raise ill_formed(swapped)
        board, rack = swapped
    ruling = judge(rules, board, play, rack)
    if isinstance(ruling, Illegal):
        raise ill_formed(ruling)
    return ruling


def check_disallowed(ruling: Legal) -> None:
    """Raise a Problem for a play with a disallowed word: the player makes another play (docs/rules.md 6.7)."""
    if not published_word_lists(ruling.rules).struck.isdisjoint(ruling.words):
        raise Problem("disallowed-word", "the turn is not spent: another play may be made; the lists are published")


def compare(request: JudgePlay) -> dict[str, Legal | Problem]:
    """Return the ruling on a play, or the Problem with it, by rule set; raise a Problem where it cannot be read.

    The position and the play are moved to the middle of each board, so that the inner board stays where it is.
    """
    parsed = parse_play(request)
    rows = parsed.board.rows()
    results: dict[str, Legal | Problem] = {}
    for rules_id in RULE_SETS:
        try:
            rules = rule_set_with_options(rules_id, request.options)
            side = rules.layout.side
            margin = (side - parsed.board.side) // 2
            if margin >= 0:
                blank_rows = ["." * side] * margin
                centred = [*blank_rows, *("." * margin + row + "." * margin for row in rows), *blank_rows]
            else:
                centred = [row[-margin:margin] for row in rows[-margin:margin]]
                if _count_tiles(rows) > _count_tiles(centred):
                    raise Problem("bad-position", f"there are tiles outside the {side} rows of this board")
            play = parsed.play._replace(row=parsed.play.row + margin, column=parsed.play.column + margin)
            swaps = tuple([(row + margin, column + margin) for row, column in parsed.swaps])
            if min(play.row, play.column, *[min(square) for square in swaps]) < 0:
                raise Problem("off-board", f"it does not stay within the {side} rows of this board")
            board = board_from_rows(centred)
            results[rules_id] = rule_on_play(parsed._replace(rules=rules, board=board, play=play, swaps=swaps))
        except Problem as problem:
            results[rules_id] = problem
    return results


def _count_tiles(rows: Sequence[str]) -> int:
    return sum([len(row) - row.count(".") for row in rows])
