"""Questions of plays: whether one fits, what it scores, and whether its words are acceptable."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ordws.api import replies
from ordws.api.problems import Problem, ProblemCode, budget_spent, ill_formed
from ordws.api.replies import Reply
from ordws.api.requests import JudgePlay
from ordws.api.services import Services
from ordws.api.words import charge_and_judge, identity_of, log_question, rule_set
from ordws.guard.gate import Refused
from ordws.guard.price import Question
from ordws.identity.register import RegisteredClient
from ordws.records.cgp import BadPosition, Position, read_cgp
from ordws.records.move_notation import BadMove, SwapSquares, read_move_with_swaps
from ordws.rules.board import Board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Legal, Play
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import published_word_lists
from ordws.rules.swap import swap

ILL_FORMED_CODES: Final[tuple[ProblemCode, ...]] = (
    "bad-position",
    "bad-move",
    "unknown-rules",
    "unknown-option",
    "bad-rack",
    "swap-not-allowed",
    "no-such-blank",
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
)
"""Why a play is refused at no cost: what cannot be read, then swaps, then the play, the first reason alone."""

_RACK: Final = re.compile(r"[A-Z?]*", re.ASCII)


def answer_play(services: Services, client: RegisteredClient, request: JudgePlay, now: int) -> Reply:
    """One verdict for all words of a play, with its would-be score explained."""
    ruling = rule_on_request(request)
    check_disallowed(ruling)
    who = identity_of(client, request.player)
    edition = services.editions.current
    question = Question(tuple(ruling.words), edition.number, request.game)
    outcome = charge_and_judge(services, who, question, edition, published_word_lists(ruling.rules), now)
    if isinstance(outcome, Refused):
        raise budget_spent(outcome)
    log_question(services, client, ruling.words, now)
    return replies.judged_play(outcome, replies.scored(ruling))


def answer_score(services: Services, client: RegisteredClient, request: JudgePlay, now: int) -> Reply:
    """The score of a play explained: no word is looked up, and nothing charged."""
    return replies.private(replies.scored(rule_on_request(request)))


class ParsedPlay(NamedTuple):
    """What a request asks of a play, read."""

    rules: RuleSet
    board: Board
    rack: str | None
    swaps: SwapSquares
    play: Play


def rule_on_request(request: JudgePlay) -> Legal:
    """The ruling on a play that fits; a Problem tells the first reason why one does not."""
    return rule_on_play(parse_play(request))


def parse_play(request: JudgePlay) -> ParsedPlay:
    """What is asked; a Problem names what cannot be read."""
    position = _read_position(request.position)
    swaps, play = _read_turn(request.move)
    return ParsedPlay(_read_rules(request), position.board, _read_rack(request, position), swaps, play)


def rule_on_play(parsed: ParsedPlay) -> Legal:
    """The swaps made and the play ruled on; a Problem tells why it does not fit."""
    rules, board, rack, swaps, play = parsed
    if board.side != rules.layout.side:
        raise Problem("bad-position", f"{rules.id} is played on {rules.layout.side} rows, not {board.side}")
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
    """A play with a word of the published lists is taken back, and another made. (RULES 6.7, rule 7)"""
    if not published_word_lists(ruling.rules).struck.isdisjoint(ruling.words):
        raise Problem("disallowed-word", "the turn is not spent: another play may be made; the lists are published")


def _read_position(text: str) -> Position:
    try:
        return read_cgp(text)
    except BadPosition as err:
        raise Problem("bad-position", str(err)) from err


def _read_turn(text: str) -> tuple[SwapSquares, Play]:
    try:
        swaps, move = read_move_with_swaps(text)
    except BadMove as err:
        raise Problem("bad-move", str(err)) from err
    if not isinstance(move, Play):
        raise Problem("bad-move", 'a play is needed, as in "8D WORD": an exchange or a pass forms no words')
    return swaps, move


def _read_rules(request: JudgePlay) -> RuleSet:
    rules = rule_set(request.rules)
    try:
        return with_options(rules, request.options or {})
    except BadOption as err:
        raise Problem("unknown-option", str(err)) from err


def _read_rack(request: JudgePlay, position: Position) -> str | None:
    """The rack that was sent, or that of the position's player to move, or None."""
    if request.rack is None:
        return next((rack for rack in position.racks[:1] if rack), None)
    if not _RACK.fullmatch(request.rack):
        raise Problem("bad-rack", 'a rack is written in capitals, "?" for a blank')
    return request.rack
