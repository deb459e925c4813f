"""The same play under every rule set."""

from __future__ import annotations

from ordws.desk.plays import Question, read, ruled
from ordws.desk.problems import Problem
from ordws.desk.requests import JudgePlay
from ordws.rules.board import Board, board_of
from ordws.rules.move import Legal
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS


def compare(asked: JudgePlay) -> dict[str, Legal | Problem]:
    """The ruling on a play, or why it does not fit, by rule set; a Problem where it cannot be read at all.

    The play stands in the middle of a larger board, so that the inner board stays where it is.
    """
    question = read(asked)
    return {rules_id: _ruled(question, rules, asked) for rules_id, rules in RULE_SETS.items()}


def _ruled(question: Question, rules: RuleSet, asked: JudgePlay) -> Legal | Problem:
    try:
        return ruled(_moved(question._replace(rules=with_options(rules, asked.options or {}))))
    except BadOption as err:
        return Problem("unknown-option", str(err))
    except Problem as problem:
        return problem


def _moved(question: Question) -> Question:
    """The question on the board of its rule set."""
    by = (question.rules.layout.side - question.board.side) // 2
    play = question.play._replace(row=question.play.row + by, column=question.play.column + by)
    swaps = tuple([(row + by, column + by) for row, column in question.swaps])
    board = _resized(question.board, by)
    if min(play.row, play.column, *[min(square) for square in swaps]) < 0:
        raise Problem("off-board", f"it does not stay within the {question.rules.layout.side} rows of this board")
    return question._replace(board=board, play=play, swaps=swaps)


def _resized(board: Board, by: int) -> Board:
    rows, side = board.rows(), board.side
    if by >= 0:
        bare = ["." * (side + 2 * by)] * by
        return board_of([*bare, *("." * by + row + "." * by for row in rows), *bare])
    kept = [row[-by:by] for row in rows[-by:by]]
    if sum(map(_tiles, rows)) > sum(map(_tiles, kept)):
        raise Problem("bad-position", f"there are tiles outside the {side + 2 * by} rows of this board")
    return board_of(kept)


def _tiles(row: str) -> int:
    return len(row) - row.count(".")
