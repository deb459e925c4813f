"""Pairs of a round: cheapest perfect matchings of a field that a library can match, and strips of a larger one.

A small field is matched over all edges, a larger one over candidates that are widened. From 1,000 players on, strips of
players who want the same are improved by exchanges between pairs. Up to constants the cost of a pair is
-(u_i u_j - v_i v_j), u being own points above the field's plus the points that the opponents of the player lack, v the
difference of the two: players of equal u and opposite v belong together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import rustworkx
from numpy.typing import NDArray

from ordws.tournament.pairing.columns import BYE, MOST_COST, START_LIMIT, Columns, balanced_cost, meeting_cost
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


_REPEAT: Final = 1 << 44
_PASSES: Final = 3
_STRIP_LOT_BITS: Final = 14
_MOST_POINTS: Final = 1 << 36
"""In units of a point: 2^26 points, more than the opponents of anyone can be off."""
_MOST_TRIES: Final = 400


class LargeRound(NamedTuple):
    """The players to be paired, even in number, with whom they have met."""

    columns: Columns
    opponents: NDArray[np.int32]
    """A row for each round and a column for each player: the numbers of the opponents, 0 where there was none."""
    forbidden: Integers
    """Pairs that must not meet, as `pair_keys` gives them, ascending."""
    price: Callable[[Columns, Integers, Integers], Integers]
    """What it costs rows to meet."""
    lot: int
    """The part of the lots that belongs to this round and drawing; see `lot_of_round`."""
    seed: int

    def may_not_meet(self, a: Integers, b: Integers) -> NDArray[np.bool_]:
        """Return where rows `a` and `b` have met or must not meet."""
        numbers = self.columns.numbers
        others = numbers[b].astype(np.int32)
        barred = np.zeros(len(a), bool)
        for met in self.opponents:
            barred |= met[a] == others
        if len(self.forbidden):
            barred |= np.isin(pair_keys(numbers[a], numbers[b]), self.forbidden)
        return barred


class Pairs(NamedTuple):
    """Pairs of rows with what each costs, a barred one more than all else."""

    a: Integers
    b: Integers
    costs: Integers


def without_cost(columns: Columns, a: Integers, b: Integers) -> Integers:
    """Return 0 for every meeting: what schedules are priced by that look at nobody's opponents."""
    return np.zeros_like(a)


def choose_bye(columns: Columns) -> int:
    """Return the row that has the bye: of those who had fewest the one whose opponents stand closest to the field."""
    standing = np.abs(columns.met_above // np.maximum(columns.met_turns, 1))
    return int(np.lexsort((columns.numbers, standing, columns.byes))[0])


def pair_keys(one: Integers, other: Integers) -> Integers:
    """Return a number for each unordered pair of entrants."""
    return (np.minimum(one, other) << 32) + np.maximum(one, other)


def match_in_strips(field: LargeRound) -> Pairs:
    """Return the pairs of a round, those of a strip beside each other."""
    order, width = _order_in_strips(field)
    # With the rows in the order of the pairs, what is compared lies close together in memory.
    ordered = field._replace(columns=field.columns.take(order), opponents=field.opponents[:, order])
    pairs = pairs_of(ordered, np.arange(0, len(order), 2), np.arange(1, len(order), 2))
    for _ in range(_PASSES):
        for offset in (1, 2, width, 3):
            pairs = exchange(ordered, pairs, offset)
    pairs = settle_barred(ordered, pairs)
    return Pairs(order[pairs.a], order[pairs.b], pairs.costs)


def pairs_of(field: LargeRound, a: Integers, b: Integers) -> Pairs:
    """Return pairs with their costs."""
    return Pairs(a, b, field.price(field.columns, a, b) + np.where(field.may_not_meet(a, b), _REPEAT, 0))


def _order_in_strips(field: LargeRound) -> tuple[Integers, int]:
    """Return the rows, those paired first beside each other, and the pairs of a strip."""
    columns = field.columns
    lots = draw_lots(_STRIP_LOT_BITS, field.seed, field.lot, columns.numbers)
    # One stable sort of keys that hold everything takes a third of a sort by several columns.
    order = np.argsort((columns.above - columns.met_above << _STRIP_LOT_BITS) + lots, kind="stable")
    half = max(1, math.isqrt(len(order)) // 2)
    strip = np.empty_like(order)
    strip[order] = np.arange(len(order)) // (2 * half)
    v = np.clip(columns.above + columns.met_above, -_MOST_POINTS, _MOST_POINTS)
    order = np.argsort(((strip * (2 * _MOST_POINTS + 1) + v) << _STRIP_LOT_BITS) + lots, kind="stable")
    whole = len(order) // (2 * half) * (2 * half)
    ordered = []
    for strips in (order[:whole].reshape(-1, 2 * half), order[None, whole:]):
        middle = strips.shape[1] // 2
        ordered.append(np.stack((strips[:, :middle], strips[:, ::-1][:, :middle]), axis=2).ravel())
    return np.concatenate(ordered), half


def exchange(field: LargeRound, pairs: Pairs, offset: int) -> Pairs:
    """Return the pairs after each has tried to exchange a player with the pair that stands `offset` behind it."""
    places = np.arange(len(pairs.a) - offset)
    places = places[places // offset % 2 == 0]
    return exchange_between(field, pairs, places, places + offset)


def exchange_between(field: LargeRound, pairs: Pairs, p: Integers, q: Integers) -> Pairs:
    """Return the pairs after those at `p` tried to exchange a player with those at `q`; all places are distinct."""
    a, b, c, d = pairs.a[p], pairs.b[p], pairs.a[q], pairs.b[q]
    best = pairs.costs[p] + pairs.costs[q]
    choice = np.zeros(len(p), np.int8)
    for number, (one, other) in enumerate((((a, d), (c, b)), ((a, c), (b, d))), 1):
        costs = field.price(field.columns, *one) + field.price(field.columns, *other)
        better = np.flatnonzero(costs < best)
        barred = field.may_not_meet(one[0][better], one[1][better]).astype(np.int64)
        barred += field.may_not_meet(other[0][better], other[1][better])
        kept = costs[better] + barred * _REPEAT < best[better]
        better = better[kept]
        best[better] = costs[better] + barred[kept] * _REPEAT
        choice[better] = number
    a, b, costs = pairs.a.copy(), pairs.b.copy(), pairs.costs.copy()
    here, there = p[choice == 1], q[choice == 1]
    b[here], b[there] = pairs.b[there], pairs.b[here]
    here, there = p[choice == 2], q[choice == 2]
    b[here], a[there] = pairs.a[there], pairs.b[here]
    changed = np.concatenate((p[choice > 0], q[choice > 0]))
    costs[changed] = pairs_of(field, a[changed], b[changed]).costs
    return Pairs(a, b, costs)


def settle_barred(field: LargeRound, pairs: Pairs) -> Pairs:
    """Return the pairs after those barred, or off balance, have exchanged players with pairs ever farther away."""
    for attempt in range(_MOST_TRIES):
        barred = np.flatnonzero(pairs.costs >= START_LIMIT)
        if not len(barred):
            return pairs
        offsets = 1 + draw_lots(40, field.seed, field.lot, attempt, barred) % min(
            len(pairs.a) - 1, 8 << min(attempt // 4, 30)
        )
        others = (barred + offsets) % len(pairs.a)
        touched: set[int] = set()
        kept = []
        for place, other in zip(barred.tolist(), others.tolist(), strict=True):
            if not {place, other} & touched:
                touched |= {place, other}
                kept.append((place, other))
        pairs = exchange_between(field, pairs, *np.array(kept, np.int64).T)
    return pairs
