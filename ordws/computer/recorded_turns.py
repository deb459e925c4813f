"""The turns of a game record (GCG), as their players saw them."""

from __future__ import annotations

from collections.abc import Iterator

from ordws.computer.review import OwnTurn
from ordws.computer.visible_game import VisibleGame
from ordws.records.audit import RecordAudit
from ordws.records.gcg_extensions import SwapsBefore, events_with_extensions
from ordws.records.record import Record, TileExchange
from ordws.rules.bag import contains_tiles, pool, remove_tiles, sort_tiles
from ordws.rules.board import Board, empty_board
from ordws.rules.fault import Illegal
from ordws.rules.judge import judge
from ordws.rules.move import Exchange, Legal
from ordws.rules.ruleset import RuleSet
from ordws.rules.swap import swap
from ordws.rules.tiles import as_drawn


def recorded_turns(record: Record, audit: RecordAudit) -> Iterator[OwnTurn]:
    """Yield the turns of a record whose whole racks are written: plays that stood, and exchanges.

    A pass is left out, since a turn that was lost to a challenge is written in the same way.
    The rack of a record is written as it was after swaps for the blank, so that these are no part of the choice. Behind
    a swap that does not fit it is not certain which tiles lie on the board, and nothing is yielded.
    """
    rules = audit.rules
    standing = {placed.event.line: placed for placed in audit.plays}
    board = empty_board(rules.layout.side)
    # What stands before all events comes first, without one.
    for number, (event, extensions) in enumerate(events_with_extensions(record.items)):
        if event is None:
            continue
        for square in [at for found in extensions if isinstance(found, SwapsBefore) for at in found.squares]:
            swapped = swap(rules, board, None, *square)
            if isinstance(swapped, Illegal):
                return
            board = swapped[0]
        view = _find_view(rules, board, event.rack)
        if (placed := standing.get(event.line)) is not None:
            play = placed.play
            ruling = judge(rules, board, play, event.rack) if play is not None else None
            if view is not None and play is not None and isinstance(ruling, Legal):
                yield OwnTurn(event.nick, view, (), play, ruling.score, number)
            board = board.with_letters(placed.tiles)
        elif view is not None and isinstance(event.move, TileExchange) and contains_tiles(view.rack, event.move.tiles):
            yield OwnTurn(event.nick, view, (), Exchange(event.move.tiles), 0, number)


def _find_view(rules: RuleSet, board: Board, rack: str) -> VisibleGame | None:
    """Return what the player of a rack saw, as far as it follows from the board; None where the rack is not whole."""
    tiles = pool(rules)
    laid = as_drawn(board.across)
    left = rules.scoop - len(laid)
    bag = max(left - 2 * rules.rack_size, 0)
    is_whole = len(rack) == rules.rack_size or (not bag and 0 < len(rack) < rules.rack_size)
    if not is_whole or not board.across.isascii() or not contains_tiles(tiles, laid + rack):
        return None
    unseen = remove_tiles(tiles, laid + rack)
    return VisibleGame(rules, board, sort_tiles(rack), unseen, bag, min(left - len(rack) - bag, rules.rack_size))
