"""A made-up event, round by round: players of known skill, games with noise, and the pairing that is asked for.

Skill is points per turn, normally distributed with a mean of 28 and a standard deviation of 4.5. A game takes each side
11 to 15 turns, the second player as many as the first or one fewer, and a turn scatters by 12 points around the skill.
All chance is in lots, so that a seed means the same event everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.certificate import Meetings
from ordws.tournament.pairing.columns import Columns, balanced_cost, points_above
from ordws.tournament.pairing.draft import draft_round, seat
from ordws.tournament.pairing.lots import Integers, draw_lots, lot_of_round
from ordws.tournament.pairing.matching import (
    MOST_MATCHED,
    LargeRound,
    Pairs,
    choose_bye,
    match_in_strips,
    pairs_of,
    settle_barred,
    without_cost,
)
from ordws.tournament.pairing.problem import PairingPlayer, PairingProblem

MEAN_SKILL: Final = 28_000
"""In thousandths of a point per turn, as the next two."""
SKILL_DEVIATION: Final = 4_500
TURN_DEVIATION: Final = 12_000
LEAST_SKILL: Final = 5_000
_SKILL_LOT, _TURNS_LOT, _SCORE_LOT, _SHUFFLE_LOT = 1, 2, 3, 4
_ROOTS: Final = np.array([round(1_000 * turns**0.5) for turns in range(17)], np.int64)


@dataclass
class SimulatedEvent:
    """An event in columns, a row for each player in the order of their numbers, which begin with 1."""

    rounds: int
    seed: int
    numbers: Integers
    skill: Integers
    points: Integers
    turns: Integers
    doubled_wins: Integers
    """Two for a win and one for a tie."""
    starts: Integers
    replies: Integers
    byes: Integers
    opponents: NDArray[np.int32] = field(kw_only=True)
    """A row for each round of the event: the numbers of the opponents, 0 for none or not yet."""
    rounds_played: int = 0

    @property
    def met(self) -> NDArray[np.int32]:
        """The opponents of the rounds played."""
        return self.opponents[: self.rounds_played]

    def columns(self) -> Columns:
        """Return what the pairing looks at."""
        above = points_above(self.points, self.turns)
        with_none = np.append(above, 0), np.append(self.turns, 0)
        sums = np.zeros_like(above), np.zeros_like(above)
        for met in self.met:
            for column, total in zip(with_none, sums, strict=True):
                total += column[met - 1]
        meetings = self.starts + self.replies
        return Columns(self.numbers, above, self.turns, *sums, meetings, self.starts - self.replies, self.byes)

    def play(self, a: Integers, b: Integers, bye: int | None) -> None:
        """Play a round: rows `a` go first against rows `b`, and a row has the bye."""
        met = self.opponents[self.rounds_played]
        met[a], met[b] = self.numbers[b], self.numbers[a]
        turns = 11 + self._lots(3, _TURNS_LOT, a) % 5
        scores = []
        for rows, taken in ((a, turns), (b, turns - self._lots(1, _TURNS_LOT, b))):
            scattered = _as_normal(self._lots(60, _SCORE_LOT, rows)) * TURN_DEVIATION // 1_000 * _ROOTS[taken] // 1_000
            score = np.maximum(self.skill[rows] * taken + scattered, 0) // 1_000
            self.points[rows] += score
            self.turns[rows] += taken
            scores.append(score)
        self.doubled_wins[a] += 1 + np.sign(scores[0] - scores[1])
        self.doubled_wins[b] += 1 + np.sign(scores[1] - scores[0])
        self.starts[a] += 1
        self.replies[b] += 1
        if bye is not None:
            self.byes[bye] += 1
        self.rounds_played += 1

    def problem(self) -> PairingProblem:
        """Return the next round as an event of as many entrants poses it."""
        players = []
        for row, number in enumerate(self.numbers.tolist()):
            met = [(opponent, turn) for turn, opponent in enumerate(self.met[:, row].tolist(), 1) if opponent]
            opponents, rounds_met = zip(*met, strict=True) if met else ((), ())
            totals = (int(column[row]) for column in (self.starts, self.replies, self.byes))
            players.append(
                PairingPlayer(number, int(self.points[row]), int(self.turns[row]), opponents, rounds_met, *totals)
            )
        everyone = tuple(player.number for player in players)
        return PairingProblem(tuple(players), everyone, self.rounds, self.rounds_played, seed=self.seed)

    def meetings(self) -> Meetings:
        """Return what its certificate is made from."""
        return Meetings(self.points, self.turns, self.met - np.int32(1), self.starts - self.replies, self.byes)

    def digest(self) -> str:
        """Return SHA-256 over totals and opponents."""
        hashed = hashlib.sha256()
        for column in (self.points, self.turns, self.starts, self.met):
            hashed.update(column.astype(column.dtype.newbyteorder("<")).tobytes())
        return hashed.hexdigest()

    def _lots(self, bits: int, kind: int, rows: Integers) -> Integers:
        return draw_lots(bits, self.seed, kind, self.rounds_played, self.numbers[rows])


def _as_normal(lots: Integers) -> Integers:
    """Return thousandths of a standard normal deviate for lots of 60 bits: the sum of twelve parts of five bits."""
    total = np.zeros_like(lots)
    for part in range(0, 60, 5):
        total += lots >> part & 31
    # Twelve uniform numbers below 32 have the mean 186 and the variance 1023.
    return (total - 186) * 1_000_000 // 31_984


Drawn: TypeAlias = tuple[Integers, Integers, int | None]
"""Rows that go first, their opponents, and the row that has the bye."""


def simulate_event(
    players: int, rounds: int, seed: int, method: str | Callable[[SimulatedEvent], Drawn]
) -> Iterator[tuple[SimulatedEvent, float]]:
    """Yield the event after each round, with the seconds that its draft took; the event is one and the same object."""
    draw = METHODS[method] if isinstance(method, str) else method
    numbers = np.arange(1, players + 1)
    skill = MEAN_SKILL + _as_normal(draw_lots(60, seed, _SKILL_LOT, numbers)) * SKILL_DEVIATION // 1_000
    skill = np.maximum(skill, LEAST_SKILL)
    zeros, opponents = np.zeros((6, players), np.int64), np.zeros((rounds, players), np.int32)
    event = SimulatedEvent(rounds, seed, numbers, skill, *zeros, opponents=opponents)
    for _ in range(rounds):
        began = perf_counter()
        a, b, bye = draw(event)
        seconds = perf_counter() - began
        event.play(a, b, bye)
        yield event, seconds


def draw_average(event: SimulatedEvent) -> Drawn:
    """Draw the round as an event does."""
    if len(event.numbers) > MOST_MATCHED and 4 * event.rounds <= len(event.numbers):
        return _draw_large(event, event.columns(), match_in_strips, balanced_cost)
    draft = draft_round(event.problem())
    sides = np.array([(pairing.first - 1, pairing.second - 1) for pairing in draft.pairings], np.int64).reshape(-1, 2)
    return sides[:, 0], sides[:, 1], None if draft.bye is None else draft.bye - 1


def _draw_random(event: SimulatedEvent) -> Drawn:
    """Draw the round by lot, without a repeat while one can be avoided."""

    def match(field: LargeRound) -> Pairs:
        order = np.argsort(draw_lots(60, event.seed, _SHUFFLE_LOT, field.lot, field.columns.numbers))
        return settle_barred(field, pairs_of(field, order[0::2], order[1::2]))

    return _draw_large(event, event.columns(), match, without_cost)


def _draw_swiss(event: SimulatedEvent) -> Drawn:
    """Draw the round as a Swiss tournament does: in each group of equal scores the upper half meets the lower half."""
    rates = (event.points << 30) // np.maximum(event.turns, 1)

    def match(field: LargeRound) -> Pairs:
        rows = field.columns.numbers - 1
        scores = event.doubled_wins[rows]
        lots = draw_lots(60, event.seed, _SHUFFLE_LOT, field.lot, field.columns.numbers)
        order = np.lexsort((lots, -rates[rows], -scores))
        ends = np.flatnonzero(np.diff(scores[order])) + 1
        # A group of odd size takes the best of the next one.
        groups = np.unique(np.concatenate(([0], ends + ends % 2, [len(order)])))
        halves = [np.split(order[low:high], 2) for low, high in pairwise(groups.tolist())]
        a, b = (np.concatenate(side) for side in zip(*halves, strict=True))
        return settle_barred(field, pairs_of(field, a, b))

    return _draw_large(event, event.columns(), match, without_cost)


METHODS: Final[dict[str, Callable[[SimulatedEvent], Drawn]]] = {
    "average": draw_average,
    "random": _draw_random,
    "swiss": _draw_swiss,
}


def _draw_large(
    event: SimulatedEvent,
    columns: Columns,
    match: Callable[[LargeRound], Pairs],
    price: Callable[[Columns, Integers, Integers], Integers],
) -> Drawn:
    bye = choose_bye(columns) if len(columns.numbers) % 2 else None
    rows = np.arange(len(columns.numbers)) if bye is None else np.delete(np.arange(len(columns.numbers)), bye)
    met = event.met if bye is None else event.met[:, rows]
    taken = columns if bye is None else columns.take(rows)
    no_pairs = np.zeros(0, np.int64)
    pairs = match(LargeRound(taken, met, no_pairs, price, lot_of_round(event.rounds_played + 1), event.seed))
    return *seat(columns, rows[pairs.a], rows[pairs.b]), bye
