"""Rounds to come: tables in which everyone meets everyone, and the search for rounds without a repeat.

Edges are a square table, `edges[a, b]` saying that a and b may meet; a round is the array of everyone's partner.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ordws.tournament.pairing.exhaustive import try_all_rounds
from ordws.tournament.pairing.lots import Integers, draw_lots
from ordws.tournament.pairing.matching import Edges, match_by_weight

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
