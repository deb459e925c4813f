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

    It is the cheapest one after which as many rounds without a repeat remain as can, but for the fields near a round
    robin: there it is the cheapest of those that were tried.
    """
    fresh = field.fresh_edges()
    cheapest = cheapest_matching(field, fresh)
    if cheapest is None or rounds_after == 0:
        return cheapest
    degrees = fresh.sum(axis=1)
    if int(degrees.min()) - rounds_after >= field.size // 2:
        return cheapest  # by Dirac's theorem every round up to the last finds partners, whatever is drafted before
    future, keeps_last = field.edges_of_schedule(rounds_after + 1)
    most = rounds_after
    if not keeps_last:
        degrees = future.sum(axis=1)
        most = min(most, int(degrees.min()) - 1)
        whole = find_rounds(future, most + 1, field.seed) if (degrees == most + 1).all() else None
        if whole is not None:
            return whole[0]  # no edge may be left over, so that only the order of the rounds can be chosen
    left = without(future, cheapest, keeps_last=keeps_last)
    degrees = left.sum(axis=1)
    if field.size > _TRUSTED and 2 * int(degrees.min()) >= field.size and (degrees == degrees[0]).all():
        return cheapest  # a regular graph as dense as this falls into rounds, by the theorem on 1-factorisations
    for wanted in range(most, 0, -1):
        if find_rounds(left, wanted, field.seed, keeps_last=keeps_last) is not None:
            return cheapest
        witness = find_rounds(future, wanted + 1, field.seed, keeps_last=keeps_last)
        if witness is not None:
            return _improve(field, future, witness, wanted, keeps_last=keeps_last)
    return cheapest


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
