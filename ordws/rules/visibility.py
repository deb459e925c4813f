"""What a player may see of a game. (RULES 2.2.3, 9.4)"""

from __future__ import annotations

from collections import Counter

from ordws.rules.bag import pool
from ordws.rules.state import GameOver, GameState
from ordws.rules.tiles import BLANK


def visible_racks(state: GameState, player: int) -> tuple[str | None, ...]:
    """Each player's rack as a player may see it; None where it is hidden from him."""
    is_open = isinstance(state.phase, GameOver) or _is_exposed(state)
    return tuple([seat.rack if is_open or at == player else None for at, seat in enumerate(state.seats)])


def unseen_tiles(state: GameState, player: int) -> dict[str, int]:
    """How many of each tile a player cannot see: of the pool, since what a scoop left out is not known to him."""
    board = [tile if tile.isupper() else BLANK for row in state.board.rows() for tile in row if tile != "."]
    seen = Counter(board) + Counter("".join([rack for rack in visible_racks(state, player) if rack]))
    return dict(Counter(pool(state.rules)) - seen)


def _is_exposed(state: GameState) -> bool:
    """RULES 9.4"""
    return state.rules.expose_final_rack and len(state.seats) == 2 and not state.bag
