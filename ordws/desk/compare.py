"""The same play under every rule set."""

from __future__ import annotations

from ordws.desk.plays import Situation, read, ruled
from ordws.desk.problems import Problem
from ordws.desk.requests import JudgePlay
from ordws.rules.board import Board, board_from_rows
from ordws.rules.move import Legal
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS


def compare(asked: JudgePlay) -> dict[str, Legal | Problem]:
    """The ruling on a play, or why it does not fit, by rule set; a Problem where it cannot be read at all.

    The play stands in the middle of a larger board, so that the inner board stays where it is.
    """
    situation = read(asked)
    return {rules_id: _ruled(situation, rules, asked) for rules_id, rules in RULE_SETS.items()}


def _ruled(situation: Situation, rules: RuleSet, asked: JudgePlay) -> Legal | Problem:
    try:
        return ruled(_moved(situation._replace(rules=with_options(rules, asked.options or {}))))
    except BadOption as err:
        return Problem("unknown-option", str(err))
    except Problem as problem:
        return problem


def _moved(situation: Situation) -> Situation:
    """The situation on the board of its rule set."""
    by = (situation.rules.layout.side - situation.board.side) // 2
    play = situation.play._replace(row=situation.play.row + by, column=situation.play.column + by)
    swaps = tuple([(row + by, column + by) for row, column in situation.swaps])
    board = _resized(situation.board, by)
    if min(play.row, play.column, *[min(square) for square in swaps]) < 0:
        raise Problem("off-board", f"it does not stay within the {situation.rules.layout.side} rows of this board")
    return situation._replace(board=board, play=play, swaps=swaps)


def _resized(board: Board, by: int) -> Board:
    rows, side = board.rows(), board.side
    if by >= 0:
        bare = ["." * (side + 2 * by)] * by
        return board_from_rows([*bare, *("." * by + row + "." * by for row in rows), *bare])
    kept = [row[-by:by] for row in rows[-by:by]]
    if sum(map(_tiles, rows)) > sum(map(_tiles, kept)):
        raise Problem("bad-position", f"there are tiles outside the {side + 2 * by} rows of this board")
    return board_from_rows(kept)


def _tiles(row: str) -> int:
    return len(row) - row.count(".")
