"""Schedules drawn by lot, with which an event is compared: the same players, rounds and absences, other opponents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.pairing.factors import circle_rounds
from ordws.tournament.pairing.lots import Integers, draw_lots

_MOST_TRIES: Final = 100
_MOST_SHUFFLES: Final = 10
_ROWS_AT_ONCE: Final = 1 << 18
_SCHEDULE_LOT: Final = 0xCE27


def random_schedules(size: int, met: Sequence[Integers], samples: int, seed: int) -> Iterator[NDArray[np.int32]]:
    """Yield blocks of schedules drawn by lot: an array of rows with the rounds and the opponents of every player.

    `size` is the number of players, and `met` has the rows of those who met somebody, round by round. The shape of a
    block is (schedules, rounds, size); -1 stands for no opponent. There is no repeat while lots find a way round it.
    """
    at_once = max(1, _ROWS_AT_ONCE // max(1, size))
    for first in range(0, samples, at_once):
        yield _draw_block(size, met, np.arange(first, min(samples, first + at_once)), seed)


def _draw_block(size: int, met: Sequence[Integers], samples: Integers, seed: int) -> NDArray[np.int32]:
    opponents = np.full((len(samples), len(met), size), -1, np.int32)
    if 2 * len(met) > size and all(len(rows) == size for rows in met):
        # Lots would hardly find a way round repeats, so each schedule is some rounds of a round robin.
        for place, sample in enumerate(samples.tolist()):
            tables = circle_rounds(size, seed ^ (sample + 1))
            order = np.argsort(draw_lots(60, seed, _SCHEDULE_LOT, sample, np.arange(len(tables))), kind="stable")
            for turn in range(len(met)):
                opponents[place, turn] = tables[order[turn % len(order)]]
        return opponents
    for turn, rows in enumerate(met):
        todo = np.arange(len(samples))
        for shuffle in range(_MOST_SHUFFLES):
            lots = draw_lots(60, seed, _SCHEDULE_LOT, turn, shuffle, samples[todo, None], rows[None, :])
            shuffled = rows[np.argsort(lots, axis=1, kind="stable")]
            a, b = shuffled[:, 0::2].copy(), shuffled[:, 1::2].copy()
            repeated = _settle_repeats(opponents[todo, :turn], a, b, (seed, turn))
            opponents[todo[:, None], turn, a], opponents[todo[:, None], turn, b] = b, a
            todo = todo[repeated]
            if not len(todo):
                break
    return opponents


def _settle_repeats(before: NDArray[np.int32], a: Integers, b: Integers, lot: tuple[int, int]) -> NDArray[np.bool_]:
    """Exchange opponents, in place, between a repeated pair and one drawn by lot, and return who still has a repeat."""
    samples = np.arange(len(a))[:, None]
    repeated = _have_met(before, samples, a, b)
    for attempt in range(_MOST_TRIES):
        # One pair of a schedule at a time, so that no two exchanges touch the same pair.
        where = np.flatnonzero(repeated.any(axis=1))
        if not len(where) or a.shape[1] < 2:
            break
        here = repeated[where].argmax(axis=1)
        there = draw_lots(40, *lot, _SCHEDULE_LOT, attempt, where) % (a.shape[1] - 1)
        there += there >= here
        one, other = b[where, there], b[where, here]
        good = ~_have_met(before, where, a[where, here], one) & ~_have_met(before, where, a[where, there], other)
        where, here, there = where[good], here[good], there[good]
        b[where, here], b[where, there] = one[good], other[good]
        repeated[where, here] = repeated[where, there] = False
    left: NDArray[np.bool_] = np.asarray(repeated.any(axis=1))
    return left


def _have_met(before: NDArray[np.int32], samples: Integers, a: Integers, b: Integers) -> NDArray[np.bool_]:
    found = np.zeros(np.broadcast_shapes(samples.shape, a.shape), bool)
    for turn in range(before.shape[1]):
        found |= before[samples, turn, a] == b
    return found
