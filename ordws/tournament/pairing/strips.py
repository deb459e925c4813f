"""Pairing of large fields from columns: strips of players who want the same, improved by exchanges between pairs.

Up to constants the cost of a pair is -(u_i u_j - v_i v_j), u being own points above the field's plus the points that
the opponents of the player lack, v the difference of the two: players of equal u and opposite v belong together.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.pairing.columns import START_LIMIT, Columns
from ordws.tournament.pairing.lots import Integers, draw_lots

_REPEAT: Final = 1 << 44
_PASSES: Final = 3
_LOT_BITS: Final = 14
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
    lots = draw_lots(_LOT_BITS, field.seed, field.lot, columns.numbers)
    # One stable sort of keys that hold everything takes a third of a sort by several columns.
    order = np.argsort((columns.above - columns.met_above << _LOT_BITS) + lots, kind="stable")
    half = max(1, math.isqrt(len(order)) // 2)
    strip = np.empty_like(order)
    strip[order] = np.arange(len(order)) // (2 * half)
    v = np.clip(columns.above + columns.met_above, -_MOST_POINTS, _MOST_POINTS)
    order = np.argsort(((strip * (2 * _MOST_POINTS + 1) + v) << _LOT_BITS) + lots, kind="stable")
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
