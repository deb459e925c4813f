"""The swap for the blank, which precedes a move and is not a turn (docs/rules.md 5).

For the browser, ordws/web/pages/static/rules.js holds this rule.
"""

from __future__ import annotations

from ordws.rules.board import Board, square_name
from ordws.rules.fault import Fault, Illegal
from ordws.rules.ruleset import RuleSet
from ordws.rules.tiles import BLANK


def swap(rules: RuleSet, board: Board, rack: str | None, row: int, column: int) -> tuple[Board, str | None] | Illegal:
    """Return the board with the letter in place of its blank, and the rack with the blank.

    Without a rack every letter may be given.
    """
    if not rules.swap:
        return Illegal(Fault.SWAP_NOT_ALLOWED, "these rules have no swap for the blank")
    name = square_name(row, column)
    letter = board.letter_at(row, column) if 0 <= min(row, column) <= max(row, column) < board.side else ""
    if not letter.islower():
        return Illegal(Fault.NO_SUCH_BLANK, f"there is no blank on {name}")
    tile = letter.upper()
    if rack is not None:
        if tile not in rack:
            return Illegal(Fault.NOT_ON_RACK, f'the rack has no "{tile}" to give for the blank on {name}')
        rack = rack.replace(tile, BLANK, 1)
    return board.with_letters({(row, column): tile}), rack
