"""The search of small fields through every schedule without a repeat."""

from __future__ import annotations

from typing import Final

import numpy as np

from ordws.tournament.pairing.lots import Integers
from ordws.tournament.pairing.matching import Edges

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
