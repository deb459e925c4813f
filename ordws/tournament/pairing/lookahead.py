"""Drafts that leave a schedule: near R = N - 1 the cheapest round may make a repeat unavoidable later."""

from __future__ import annotations

from typing import Final

import numpy as np

from ordws.tournament.pairing.factors import find_rounds, without
from ordws.tournament.pairing.lots import Integers
from ordws.tournament.pairing.matching import Edges, OpenRound, cheapest_matching, edge_keys

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
