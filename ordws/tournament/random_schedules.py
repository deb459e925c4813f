"""Schedules drawn by lot, with which an event is compared: the same players, rounds and absences, other opponents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.pairing.factors import circle_rounds
from ordws.tournament.pairing.lots import Integers, draw_lots

_MOST_TRIES: Final = 100
_MOST_SHUFFLES: Final = 10
_MOST_LOOKS: Final = 4_000
"""The looks at a round, in all tries for all rounds, while a round robin is mended."""
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
    if 2 * len(met) > min([len(rows) for rows in met if len(rows)], default=2 * len(met)):
        # Lots would hardly find a way round repeats, so each schedule is made of the rounds of a round robin.
        ever = np.unique(np.concatenate(met))
        parted = np.zeros(len(met), np.bool_)
        for place, sample in enumerate(samples.tolist()):
            parted |= _draw_round_robin(opponents[place], ever, met, (seed, sample))
        if len(met) < len(ever):
            _settle_round_robin(opponents, met, np.flatnonzero(parted), seed)
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


def _draw_round_robin(
    schedule: NDArray[np.int32], ever: Integers, met: Sequence[Integers], lot: tuple[int, int]
) -> NDArray[np.bool_]:
    """Draw a schedule in place: each round is one of a round robin of all who ever met somebody, by lot.

    It is one in which the fewest have an opponent who is absent; these meet each other. Return in which rounds some do.
    """
    even = len(ever) + len(ever) % 2
    some_parted = np.zeros(len(met), np.bool_)
    places = np.argsort(draw_lots(60, *lot, _SCHEDULE_LOT, np.arange(even)), kind="stable")
    tables = np.empty((even - 1, even), np.int64)
    tables[:, places] = places[_round_robin(even)]
    tables = tables[np.argsort(draw_lots(60, *lot, _SCHEDULE_LOT, even + np.arange(even - 1)), kind="stable")]
    used = np.zeros(even - 1, np.int64)
    # Rounds with more absences have less to choose from.
    for turn in sorted(np.flatnonzero([len(rows) for rows in met]).tolist(), key=lambda each: len(met[each])):
        rows = met[turn]
        if len(rows) == even:
            chosen = int(np.argmin(used))
            used[chosen] += 1
            schedule[turn, rows] = ever[tables[chosen]]
            continue
        here = np.searchsorted(ever, rows)
        present = np.zeros(even, np.bool_)
        present[here] = True
        # A round that was played before would repeat all of its meetings.
        chosen = int(np.lexsort((present[tables[:, ~present]].sum(axis=1), used))[0])
        used[chosen] += 1
        opponents = tables[chosen]
        schedule[turn, rows] = ever[opponents[here] % len(ever)]
        left = here[~present[opponents[here]]]
        left = left[np.argsort(draw_lots(60, *lot, _SCHEDULE_LOT, turn, left), kind="stable")]
        a, b = ever[left[0::2]], ever[left[1::2]]
        schedule[turn, a], schedule[turn, b] = b, a
        some_parted[turn] = bool(len(left))
    return some_parted


@lru_cache(maxsize=4)
def _round_robin(size: int) -> Integers:
    return np.array(circle_rounds(size, 0))


def _settle_round_robin(opponents: NDArray[np.int32], met: Sequence[Integers], turns: Integers, seed: int) -> None:
    """Exchange opponents, in place, where some meet again in one of these rounds; the tries are bounded in all."""
    tries = min(_MOST_TRIES, _MOST_LOOKS // len(met) ** 2)
    for turn in turns.tolist() if tries else ():
        rows = met[turn]
        others = np.delete(opponents, turn, axis=1)
        a = np.broadcast_to(rows, (len(opponents), len(rows)))
        partners = opponents[:, turn, rows]
        # Each pair once, by its lower row: as many in every schedule.
        lower = a < partners
        shape = len(opponents), len(rows) // 2
        a, b = a[lower].reshape(shape), partners[lower].reshape(shape).astype(np.int64)
        _settle_repeats(others, a, b, (seed, turn), tries)
        every = np.arange(len(opponents))[:, None]
        opponents[every, turn, a], opponents[every, turn, b] = b, a


def _settle_repeats(
    before: NDArray[np.int32], a: Integers, b: Integers, lot: tuple[int, int], tries: int = _MOST_TRIES
) -> NDArray[np.bool_]:
    """Exchange opponents, in place, between a repeated pair and one drawn by lot, and return who still has a repeat."""
    samples = np.arange(len(a))[:, None]
    repeated = _have_met(before, samples, a, b)
    for attempt in range(tries):
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
