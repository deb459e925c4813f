"""The same play under every rule set."""

from __future__ import annotations

from ordws.api.plays import ParsedPlay, parse_play, rule_on_play
from ordws.api.problems import Problem
from ordws.api.requests import JudgePlay
from ordws.rules.board import Board, board_from_rows
from ordws.rules.move import Legal
from ordws.rules.options import BadOption, with_options
from ordws.rules.ruleset import RuleSet
from ordws.rules.rulesets import RULE_SETS


def compare(request: JudgePlay) -> dict[str, Legal | Problem]:
    """The ruling on a play, or why it does not fit, by rule set; a Problem where it cannot be read at all.

    The play stands in the middle of a larger board, so that the inner board stays where it is.
    """
    situation = parse_play(request)
    return {rules_id: _ruling_or_problem(situation, rules, request) for rules_id, rules in RULE_SETS.items()}


def _ruling_or_problem(parsed: ParsedPlay, rules: RuleSet, request: JudgePlay) -> Legal | Problem:
    try:
        return rule_on_play(_centre_play(parsed._replace(rules=with_options(rules, request.options or {}))))
    except BadOption as err:
        return Problem("unknown-option", str(err))
    except Problem as problem:
        return problem


def _centre_play(parsed: ParsedPlay) -> ParsedPlay:
    """The situation on the board of its rule set."""
    by = (parsed.rules.layout.side - parsed.board.side) // 2
    play = parsed.play._replace(row=parsed.play.row + by, column=parsed.play.column + by)
    swaps = tuple([(row + by, column + by) for row, column in parsed.swaps])
    board = _resize_board(parsed.board, by)
    if min(play.row, play.column, *[min(square) for square in swaps]) < 0:
        raise Problem("off-board", f"it does not stay within the {parsed.rules.layout.side} rows of this board")
    return parsed._replace(board=board, play=play, swaps=swaps)


def _resize_board(board: Board, margin: int) -> Board:
    rows, side = board.rows(), board.side
    if margin >= 0:
        bare = ["." * (side + 2 * margin)] * margin
        return board_from_rows([*bare, *("." * margin + row + "." * margin for row in rows), *bare])
    kept = [row[-margin:margin] for row in rows[-margin:margin]]
    if sum(map(_count_tiles, rows)) > sum(map(_count_tiles, kept)):
        raise Problem("bad-position", f"there are tiles outside the {side + 2 * margin} rows of this board")
    return board_from_rows(kept)


def _count_tiles(row: str) -> int:
    return len(row) - row.count(".")
