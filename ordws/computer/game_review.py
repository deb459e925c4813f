"""The review of a finished game, as the service keeps it: each turn as its player saw it, and the best in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ordws.computer.recorded_turns import recorded_turns
from ordws.computer.review import OwnTurn, ReviewedTurn, describe_best, review_turns
from ordws.computer.visible_game import VisibleGame
from ordws.computer.words import PublicWords
from ordws.errors import BadInput
from ordws.records.audit import audit_record
from ordws.records.cgp import read_board
from ordws.records.finding import FindingKind
from ordws.records.gcg import read_gcg
from ordws.records.move_notation import read_move_with_swaps
from ordws.rules.bag import pool, remove_tiles
from ordws.rules.options import with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS
from ordws.rules.tiles import as_drawn

_MOST_BEST: Final = 3
_PLAYERS: Final = 2
_REVIEWED: Final = ("stands", "laid", "exchanged")


def review_game(
    standing: dict[str, Any], turns: list[dict[str, Any]], words: PublicWords, is_time_up: Callable[[], bool]
) -> Iterator[dict[str, Any]]:
    """Yield the review of each play and exchange of a finished game that the service dealt."""
    rules = with_options(RULE_SETS[standing["rules"]], standing["options"])
    taken = [_read_turn(rules, turn) for turn in turns if turn["happened"]["outcome"] in _REVIEWED]
    for turn, review in zip(taken, review_turns(taken, words, standing["game"], is_time_up), strict=True):
        yield _describe(turn, int(turn.player), review)


def review_record(text: str, words: PublicWords, is_time_up: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield the review of each turn with a whole rack, of an exact record of a finished game of two."""
    try:
        record = read_gcg(text.encode())
    except BadInput:
        return
    audit = audit_record(record)
    is_over = not any(finding.kind is FindingKind.UNFINISHED for finding in audit.findings)
    if not (audit.is_exact and is_over and len(audit.players) == _PLAYERS):
        return
    taken = [*recorded_turns(record, audit)]
    for turn, review in zip(taken, review_turns(taken, words, text, is_time_up), strict=True):
        yield _describe(turn, audit.players.index(turn.player), review)


def _read_turn(rules: RuleSet, turn: dict[str, Any]) -> OwnTurn:
    """Return a turn of the score sheet as its player took it."""
    happened, before = turn["happened"], turn["before"]
    board, rack, other = read_board(before["board"], (rules.layout.side,)), *_racks(before, happened["seat"])
    laid = as_drawn(board.across)
    shown = other if rules.expose_final_rack and not before["bag"] else None
    unseen = "".join(remove_tiles(pool(rules), laid + rack))
    view = VisibleGame(rules, board, rack, unseen, before["bag"], len(other), shown)
    swaps, move = read_move_with_swaps(" ".join([*happened["swaps"], happened["move"]]))
    return OwnTurn(str(happened["seat"]), view, swaps, move, happened["score"], happened["turn"])


def _racks(before: dict[str, Any], seat: int) -> tuple[str, str]:
    return before["racks"][seat], before["racks"][1 - seat]


def _describe(turn: OwnTurn, seat: int, review: ReviewedTurn) -> dict[str, Any]:
    told = {"turn": turn.number, "seat": seat, "move": review.move, "score": turn.score}
    return {**told, "lost": round(review.lost, 1), "best": describe_best(review.best[:_MOST_BEST])}
