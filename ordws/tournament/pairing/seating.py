"""The seats of a pair: the one who goes first, and the other."""

from __future__ import annotations

from typing import Final

import numpy as np

from ordws.tournament.pairing.columns import Columns
from ordws.tournament.pairing.factors import circle_rounds, circle_starters
from ordws.tournament.pairing.lots import Integers, draw_lots
from ordws.tournament.pairing.matching import OpenRound

_START_LOT: Final = 0x5EED


def seat(columns: Columns, a: Integers, b: Integers) -> tuple[Integers, Integers]:
    """Return the rows that go first and their opponents: who started less often, and `a` where that is equal."""
    swapped = columns.imbalance[a] > columns.imbalance[b]
    return np.where(swapped, b, a), np.where(swapped, a, b)


def drawn_starters(field: OpenRound, partners: Integers, *, is_tight: bool) -> Integers:
    """Return 1 for each row that goes first: by the table of a round robin where it is one of its rounds, else by lot.

    Who started more often than the opponent goes second whatever this says.
    """
    if is_tight:
        for table, starters in zip(
            circle_rounds(field.size, field.seed), circle_starters(field.size, field.seed), strict=True
        ):
            if np.array_equal(table, partners):
                return np.asarray(starters)
    rows = np.arange(field.size)
    numbers = field.columns.numbers
    low, high = np.minimum(numbers, numbers[partners]), np.maximum(numbers, numbers[partners])
    lots = draw_lots(1, field.seed, field.lot, _START_LOT, low, high)
    return np.where(lots == (rows < partners), 1, 0)
