"""Comparison of a play under every rule set.

For the browser, ordws/web/pages/static/compare.js holds this function.
"""

from __future__ import annotations

from collections.abc import Sequence

from ordws.api.plays import parse_play, rule_on_play
from ordws.api.problems import Problem
from ordws.api.requests import JudgePlay
from ordws.api.words import rule_set_with_options
from ordws.rules.board import board_from_rows
from ordws.rules.move import Legal
from ordws.rules.rulesets import RULE_SETS


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
