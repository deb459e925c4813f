"""Schedules without a repeat: round robins, the search for rounds to come, and the drafts that leave one.

Near R = N - 1 the cheapest round may make a repeat unavoidable later. Edges are a square table, `edges[a, b]` saying
that a and b may meet; a round is the array of everyone's partner.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ordws.tournament.pairing.lots import Integers, draw_lots
from ordws.tournament.pairing.matching import Edges, OpenRound, cheapest_matching, edge_keys, match_by_weight

_MOST_STEPS: Final = 20_000


class _Search:
    """Rounds found so far, and who may still meet whom, as bits."""

    def __init__(self, edges: Edges, count: int, *, keeps_last: bool) -> None:
        self.size = len(edges)
        self.masks = [sum(1 << other for other in np.flatnonzero(row).tolist()) for row in edges]
        self.count = count
        self.kept = self.size - 1 if keeps_last else None
        self.steps = _MOST_STEPS
        self.found: list[dict[int, int]] = []

    def extend(self, free: int, taken: dict[int, int], least: int) -> bool:
        """Complete a round in which `taken` meet already; the first vertex meets none before `least`.

        Every set of rounds has one order in which the partners of the first vertex ascend, and only that is tried.
        """
        self.steps -= 1
        if self.steps < 0:
            return False
        if not free:
            return self.commit(taken)
        a = (free & -free).bit_length() - 1
        choices = self.masks[a] & free
        if a == 0:
            choices &= ~((1 << least) - 1)
        while choices:
            bit = choices & -choices
            choices ^= bit
            taken[a] = bit.bit_length() - 1
            if self.extend(free & ~(1 << a) & ~bit, taken, least):
                return True
            del taken[a]
        return False

    def commit(self, taken: dict[int, int]) -> bool:
        """Take a round for good if the rounds after it are found, too."""
        self.found.append(dict(taken))
        if len(self.found) == self.count:
            return True
        removed = [(a, b) for a, b in taken.items() if b != self.kept]
        before = list(self.masks)
        for a, b in removed:
            self.masks[a] ^= 1 << b
            self.masks[b] ^= 1 << a
        if self.extend((1 << self.size) - 1, {}, taken[0]):
            return True
        self.masks = before
        self.found.pop()
        return False


def try_all_rounds(edges: Edges, count: int, *, keeps_last: bool) -> list[Integers] | None:
    """Return that many rounds without a repeat, as partners; None if there are none.

    A search of more than 20,000 steps is given up; up to ten players none was seen that long.
    """
    search = _Search(edges, count, keeps_last=keeps_last)
    if not search.extend((1 << search.size) - 1, {}, 0):
        return None
    rounds = np.empty((count, search.size), np.int64)
    for partners, taken in zip(rounds, search.found, strict=True):
        for a, b in taken.items():
            partners[a], partners[b] = b, a
    return list(rounds)


EXHAUSTED: Final = 10
"""The largest field of which every schedule is tried."""
_SEARCH_EFFORT: Final = 400_000


def circle_rounds(size: int, seed: int) -> list[Integers]:
    """Return the size - 1 rounds of a round robin of an even number of players, in which lots gave out the places."""
    places = _circle_places(size, seed)
    rounds = []
    for turn in range(size - 1):
        partners = np.empty(size, np.int64)
        partners[places[turn]], partners[places[-1]] = places[-1], places[turn]
        for step in range(1, size // 2):
            one, other = places[(turn + step) % (size - 1)], places[(turn - step) % (size - 1)]
            partners[one], partners[other] = other, one
        rounds.append(partners)
    return rounds


def circle_starters(size: int, seed: int) -> Integers:
    """Return, for each round of `circle_rounds`, 1 where a row goes first.

    Round for round everyone starts and replies in turn, but for two who do the same twice, so that nobody is ever off
    balance by more than one.
    """
    place = np.empty(size, np.int64)
    place[_circle_places(size, seed)] = np.arange(size)
    turns = np.arange(size - 1)[:, None]
    step = (place[None, :] - turns) % (size - 1)
    starters = np.where(step < size // 2, step % 2, (size - 1 - step) % 2 == 0).astype(np.int64)
    last = place == size - 1
    starters[:, last] = turns % 2
    starters[place[None, :] == turns] = 1 - np.arange(size - 1) % 2
    return starters


def _circle_places(size: int, seed: int) -> Integers:
    return np.lexsort((np.arange(size), draw_lots(40, seed, np.arange(size))))


def without(edges: Edges, partners: Integers, *, keeps_last: bool = False) -> Edges:
    """Return the edges that are left after a round; `keeps_last` if those of the last vertex are (the bye's)."""
    left = edges.copy()
    left[np.arange(len(partners)), partners] = False
    if keeps_last:
        left[-1], left[:, -1] = edges[-1], edges[:, -1]
    return left


def find_rounds(edges: Edges, count: int, seed: int, *, keeps_last: bool = False) -> list[Integers] | None:
    """Return that many rounds without a repeat, or None if none were found.

    The same edges give the same rounds: a draft that left these edges was accepted because this search succeeds on
    them, and so it succeeds in the next round too. Up to ten players, None says that there are none.
    """
    size = len(edges)
    rows = np.arange(size)
    if count <= 0:
        return []
    tables = [partners for partners in circle_rounds(size, seed) if edges[rows, partners].all()]
    if len(tables) >= count:
        return tables[:count]
    if not keeps_last and int(edges.sum(axis=1).min()) < count:
        return None
    if size <= EXHAUSTED:
        return try_all_rounds(edges, count, keeps_last=keeps_last)
    return _try_some(edges, count, seed, keeps_last=keeps_last)


def _try_some(edges: Edges, count: int, seed: int, *, keeps_last: bool) -> list[Integers] | None:
    """Draw one round after the other by lot; from a dead end go back, farther each time."""
    found: list[Integers] = []
    left = [edges]
    dead_ends = 0
    for attempt in range(count + _SEARCH_EFFORT // len(edges) ** 2):
        a, b = np.nonzero(np.triu(left[-1]))
        lots = (draw_lots(20, seed, attempt, a, b) + 1).tolist()
        partners = match_by_weight(len(edges), list(zip(a.tolist(), b.tolist(), lots, strict=True)))
        if partners is None:
            dead_ends += 1
            kept = max(0, len(found) - 2 - dead_ends // 8)
            del found[kept:], left[kept + 1 :]
            continue
        found.append(partners)
        left.append(without(left[-1], partners, keeps_last=keeps_last))
        if len(found) == count:
            return found
    return None


_TRUSTED: Final = 30
"""Above this size a regular graph is trusted to fall into rounds because of its degree."""


def draft_with_schedule(field: OpenRound, rounds_after: int) -> Integers | None:
    """Return the partner of each row in a round without a repeat, or None if there is none.

    It is the cheapest one if a schedule without a repeat is known to remain after it, else the cheapest of those tried
    after which one remains. Where none does, for all rounds, it looks half as far, and again.
    """
    fresh = field.fresh_edges()
    cheapest = cheapest_matching(field, fresh)
    if cheapest is None or rounds_after == 0:
        return cheapest
    degrees = fresh.sum(axis=1)
    if int(degrees.min()) - rounds_after >= field.size // 2:
        return cheapest  # by Dirac's theorem every round up to the last finds partners, whatever is drafted before
    wanted = rounds_after
    while wanted:
        for future, keeps_last in field.schedule_edges(wanted + 1):
            found = _draft_within(field, cheapest, future, wanted, keeps_last=keeps_last)
            if found is not None:
                return found
        wanted //= 2
    return cheapest


def _draft_within(
    field: OpenRound, cheapest: Integers, future: Edges, rounds_after: int, *, keeps_last: bool
) -> Integers | None:
    """Return a round after which so many without a repeat are known, the cheapest if it is one; None without any."""
    degrees = future.sum(axis=1)
    if not keeps_last and int(degrees.min()) < rounds_after + 1:
        return None
    spare = int(degrees.max()) - rounds_after - 1
    if not keeps_last and (spare == 0 or (spare == 1 and field.has_bye)):
        # Hardly an edge is left over, so that little more than the order of the rounds can be chosen; in that of a
        # round robin, which is found where everyone has been present, starts stay balanced.
        whole = find_rounds(future, rounds_after + 1, field.seed)
        return whole[0] if whole is not None else None
    left = without(future, cheapest, keeps_last=keeps_last)
    degrees = left.sum(axis=1)
    if field.size > _TRUSTED and 2 * int(degrees.min()) >= field.size and (degrees == degrees[0]).all():
        return cheapest  # a regular graph as dense as this falls into rounds, by the theorem on 1-factorisations
    if find_rounds(left, rounds_after, field.seed, keeps_last=keeps_last) is not None:
        return cheapest
    witness = find_rounds(future, rounds_after + 1, field.seed, keeps_last=keeps_last)
    if witness is None:
        return None
    return _improve(field, future, witness, rounds_after, keeps_last=keeps_last)


def _improve(
    field: OpenRound, future: Edges, witness: list[Integers], rounds_after: int, *, keeps_last: bool
) -> Integers:
    """Return the cheapest round that was found to leave a schedule: one of a known schedule, or a mixture of some."""
    rows = np.arange(field.size)
    ranked = sorted(witness, key=lambda partners: int(edge_keys(field, rows, partners).sum()))
    for used in (len(ranked), 6, 4, 3, 2):
        if used > len(ranked):
            continue
        mixed = np.zeros_like(future)
        for partners in ranked[:used]:
            mixed[rows, partners] = True
        found = cheapest_matching(field, mixed)
        assert found is not None, "each of the rounds that were mixed is a matching"
        left = without(future, found, keeps_last=keeps_last)
        if find_rounds(left, rounds_after, field.seed, keeps_last=keeps_last) is not None:
            return found
    return ranked[0]
