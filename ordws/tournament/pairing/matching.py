"""Cheapest perfect matchings of a round: over all edges of a small field, over widened candidates of a larger one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import rustworkx
from numpy.typing import NDArray

from ordws.tournament.pairing.columns import (
    BYE,
    MOST_COST,
    Columns,
    balanced_cost,
    meeting_cost,
)
from ordws.tournament.pairing.lots import Integers, draw_lots

Edges: TypeAlias = NDArray[np.bool_]
"""A symmetric square table: which vertices may be matched."""

ALL_EDGES: Final = 200
"""The largest field that is matched over all edges at once."""
MOST_MATCHED: Final = 1_000
"""The largest field that is matched by a matching library."""
_LOT_BITS: Final = 28
_EDGE_BITS: Final = 9  # a matching of 1,000 players has 500 edges
_COST_SHIFT: Final = _LOT_BITS + _EDGE_BITS
_BYE_SHIFT: Final = MOST_COST.bit_length() + _EDGE_BITS
_TOP: Final = 1 << 124
_MOST_BYES: Final = 7
_MOST_AGE: Final = 63
_AGE_SHIFT: Final = 6 + _EDGE_BITS
_COARSE: Final = 12
"""Bits of the cost that are given up where repeats decide, so that weights stay within 128 bits."""


class OpenRound(NamedTuple):
    """Those who are still to be paired in a round, as columns and square tables with a row and a column for each.

    The rows are even in number: in an odd field the last one is the bye, with the number 0.
    """

    columns: Columns
    last_met: Integers
    """The round of the last meeting of two, and 0 of those who have not met."""
    forbidden: Edges
    start_penalty: int
    """What an equal imbalance of starts costs; 0 where both start in one of two games."""
    lot: int
    """The part of the lots that belongs to this round and drawing; see `lot_of_round`."""
    seed: int

    @property
    def size(self) -> int:
        """Players to be paired, and the bye."""
        return len(self.columns.numbers)

    @property
    def has_bye(self) -> bool:
        """True in an odd field."""
        return self.size > 0 and int(self.columns.numbers[-1]) == BYE

    def fresh_edges(self) -> Edges:
        """Return the edges that are neither a repeat nor forbidden."""
        allowed: Edges = (self.last_met == 0) & ~self.forbidden
        np.fill_diagonal(allowed, val=False)
        return allowed

    def schedule_edges(self, rounds: int) -> Iterator[tuple[Edges, bool]]:
        """Yield the fresh edges of so many rounds, and whether those of the bye may be used again in them.

        A second bye comes only when all have had one. Where too few are left who had fewer, or where that leaves no
        schedule, anybody may have another, for a repeat is worse.
        """
        fresh = self.fresh_edges()
        if not self.has_bye:
            yield fresh, False
            return
        byes = self.columns.byes[:-1]
        fewest = byes == byes.min()
        if int(fewest.sum()) >= rounds:
            once = fresh.copy()
            once[-1, :-1] &= fewest
            once[:-1, -1] &= fewest
            yield once, False
        yield fresh, True


def cheapest_matching(field: OpenRound, allowed: Edges) -> Integers | None:
    """Return the partner of each row in the cheapest perfect matching of the allowed edges; None if there is none.

    Where costs are equal lots decide, so that exactly one matching is the cheapest, whatever order a library works in.
    """
    candidates = 40 if field.size <= 500 else 64
    while True:
        over_all = field.size <= ALL_EDGES or candidates >= field.size
        a, b = np.nonzero(np.triu(allowed if over_all else _nearest(field, allowed, candidates)))
        keys, lots = edge_keys(field, a, b).tolist(), _lots(field, a, b).tolist()
        weights = [_TOP - (key << _COST_SHIFT) - lot for key, lot in zip(keys, lots, strict=True)]
        found = match_by_weight(field.size, list(zip(a.tolist(), b.tolist(), weights, strict=True)))
        if found is not None or over_all:
            return found
        candidates *= 2


def _nearest(field: OpenRound, allowed: Edges, candidates: int) -> Edges:
    """Return the allowed edges that are among the cheapest of one of their ends, and a few for each by lot.

    Those drawn by lot take in the players whom nobody wants most, for whom the cheapest alone would not do.
    """
    rows = np.arange(field.size)
    keys = edge_keys(field, rows[:, None], rows[None, :])
    lots = _lots(field, rows[:, None], rows[None, :])
    near = np.zeros_like(allowed)
    cheapest, drawn = np.lexsort((lots, keys, ~allowed), axis=1), np.lexsort((lots, ~allowed), axis=1)
    np.put_along_axis(near, cheapest[:, :candidates], values=True, axis=1)
    np.put_along_axis(near, drawn[:, : candidates // 4], values=True, axis=1)
    return (near | near.T) & allowed


def least_repeated_matching(field: OpenRound) -> Integers:
    """Return the partner of each row where no matching is free of repeats and forbidden pairs.

    It has the fewest forbidden pairs, then the fewest repeats, then the oldest, and then it is the cheapest.
    """
    a, b = np.triu_indices(field.size, 1)
    last = field.last_met[a, b]
    age = last * _MOST_AGE // max(_MOST_AGE, int(last.max()))
    prefix = (field.forbidden[a, b].astype(np.int64) << (_AGE_SHIFT + _EDGE_BITS)) + age
    prefix += (last > 0).astype(np.int64) << _AGE_SHIFT
    keys, lots = edge_keys(field, a, b) >> _COARSE, _lots(field, a, b)
    shift = 63 - _COARSE + _COST_SHIFT
    weights = [
        _TOP - (most << shift) - (key << _COST_SHIFT) - lot
        for most, key, lot in zip(prefix.tolist(), keys.tolist(), lots.tolist(), strict=True)
    ]
    found = match_by_weight(field.size, list(zip(a.tolist(), b.tolist(), weights, strict=True)))
    assert found is not None, "a complete graph of even size has a perfect matching"
    return found


def match_by_weight(size: int, edges: list[tuple[int, int, int]]) -> Integers | None:
    """Return the partner of each vertex in the heaviest perfect matching; None if no matching is perfect."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * size)
    graph.add_edges_from(edges)
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(pairs) != size:
        return None
    partners = np.empty(size, np.int64)
    for one, other in pairs:
        partners[one], partners[other] = other, one
    return partners


def edge_keys(field: OpenRound, a: Integers, b: Integers) -> Integers:
    """Return what decides between edges, in the order of its weight: byes, then starts at their limit, then cost."""
    columns = field.columns
    penalty = field.start_penalty
    key = balanced_cost(columns, a, b, penalty) if penalty else meeting_cost(columns, a, b)
    if field.has_bye:
        byes, bye = np.minimum(columns.byes - columns.byes[:-1].min(), _MOST_BYES), field.size - 1
        key += (np.where(b == bye, byes[a], 0) + np.where(a == bye, byes[b], 0)) << _BYE_SHIFT
    return key


def _lots(field: OpenRound, a: Integers, b: Integers) -> Integers:
    numbers = field.columns.numbers
    low, high = np.minimum(numbers[a], numbers[b]), np.maximum(numbers[a], numbers[b])
    return draw_lots(_LOT_BITS, field.seed, field.lot, low, high)
