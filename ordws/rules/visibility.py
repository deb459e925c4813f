"""The tiles that a player may see (docs/rules.md 2.2.3, 9.4)."""

from __future__ import annotations

from collections import Counter

from ordws.rules.bag import pool
from ordws.rules.state import GameOver, GameState, MayPropose
from ordws.rules.tiles import as_drawn


def visible_racks(state: GameState, player: int) -> tuple[str | None, ...]:
    """Return each rack as one player may see it; None for a rack that is hidden from that player."""
    # Two players show their final racks once the bag is empty (docs/rules.md 9.4).
    is_exposed = state.rules.expose_final_rack and len(state.seats) == 2 and not state.bag
    is_open = isinstance(state.phase, GameOver | MayPropose) or is_exposed
    return tuple([seat.rack if is_open or at == player else None for at, seat in enumerate(state.seats)])


def unseen_tiles(state: GameState, player: int) -> dict[str, int]:
    """Return how many of each tile a player cannot see, of the whole pool: nobody knows what a scoop left out."""
    seen = Counter("".join([as_drawn(state.board.across), *[rack for rack in visible_racks(state, player) if rack]]))
    return dict(Counter(pool(state.rules)) - seen)
