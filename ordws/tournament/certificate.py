"""The certificate of an event: how close everyone came to having played the average player (docs/rules.md 10.3).

It is compared with schedules by lot, of the same players, rounds and absences; and every round can be drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.facts import Published, RecordedFact
from ordws.tournament.fold import fold
from ordws.tournament.pairing.draft import draft_round
from ordws.tournament.pairing.lots import Integers, draw_lots
from ordws.tournament.pairing.schedules import circle_rounds
from ordws.tournament.played_event import PlayedEvent, event_pairings, problem_of

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


RANDOM_SCHEDULES: Final = 1_000
_MOST_DRAWN: Final = 50_000_000
"""Opponents that are drawn for all random schedules together: a large event is compared with fewer of them."""
_MOST_ROUNDS: Final = 25_000
"""Rounds that are drawn for all random schedules together: an event of more than 25 is compared with fewer, too."""
_UNITS: Final = 1 << 14
"""Units of a point per turn, in which residuals are whole numbers."""


class Certificate(NamedTuple):
    """The figures of an event; a residual is how far the pooled PPT of someone's opponents is from the field's."""

    players: int
    rounds: int
    field_ppt: float
    rms_residual: float
    worst_residual: float
    stayed: int
    """The players who were there for two thirds of the rounds, as prizes ask, and met somebody."""
    stayed_rms_residual: float
    """The rms residual among these alone: whoever left early had no rounds in which opponents even out."""
    repeats: int
    """Meetings of two who had met before."""
    byes: int
    most_byes: int
    """The most byes that one player had."""
    worst_start_imbalance: int
    """The largest difference of starts and replies; with two games a round, of first games."""
    percentile: float | None
    """The share of random schedules, in percent, that are farther from the field, and half of those as far.

    None if none were drawn."""
    random_rms: float | None
    """The median of the rms residuals of the random schedules."""
    random_schedules: int
    random_distribution: tuple[float, ...]
    """The rms residuals of the random schedules, ascending, for the chart."""
    digest: str
    """SHA-256 over players, meetings, byes and totals, and over the facts of the event."""
    head: str = ""
    """The last link of the event's hash chain, which `ordws tournament verify --head` takes; empty if simulated."""

    def as_json(self) -> dict[str, Any]:
        """Return the fields as JSON shows them, numbers rounded, without the distribution."""
        row = self._asdict()
        del row["random_distribution"]
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in row.items()}


class Meetings(NamedTuple):
    """An event in columns, a row for each player; opponents are rows, -1 where there was none."""

    points: Integers
    turns: Integers
    opponents: NDArray[np.int32]
    """A row for each round."""
    imbalance: Integers
    byes: Integers
    stayed: NDArray[np.bool_] | None = None
    """Those who were there for two thirds of the rounds; None means all."""


def certificate(event: PlayedEvent) -> Certificate:
    """Return the certificate of an event: equal for equal events, on every machine."""
    row_of = {player.number: row for row, player in enumerate(event.players)}
    opponents = np.full((len(event.rounds), len(row_of)), -1, np.int32)
    starts, byes = np.zeros((2, len(row_of)), np.int64)
    for turn, played in enumerate(event.rounds):
        for first, second in played.pairings:
            a, b = row_of[first], row_of[second]
            opponents[turn, a], opponents[turn, b] = b, a
            starts[a] += 1
            starts[b] -= 1
        byes[[row_of[number] for number in played.byes]] += 1
    points, turns = (
        np.array([getattr(player, name) for player in event.players], np.int64) for name in ("points", "turns")
    )
    stayed = None if event.stayed is None else np.array([number in event.stayed for number in row_of], np.bool_)
    meetings = Meetings(points, turns, opponents, starts, byes, stayed)
    return certify(meetings, event.seed, event.digest, RANDOM_SCHEDULES)._replace(head=event.facts_digest)


def certify(meetings: Meetings, seed: int, digest: str, most_schedules: int) -> Certificate:
    """Return the certificate of an event in columns, compared with as many random schedules at most."""
    own = residuals(meetings, meetings.opponents)
    of_stayed = residuals(meetings, meetings.opponents, meetings.stayed)
    met = [np.flatnonzero(row >= 0) for row in meetings.opponents]
    drawable = _MOST_DRAWN // max(1, meetings.opponents.size), _MOST_ROUNDS // max(1, len(meetings.opponents))
    samples = min(most_schedules, *drawable)
    mean, drawn = rms(own), list[float]()
    for block in random_schedules(len(meetings.points), met, samples, seed):
        drawn += [rms(residuals(meetings, schedule)) for schedule in block]
    drawn.sort()
    ordered = np.sort(meetings.opponents, axis=0)
    turns = int(meetings.turns.sum())
    return Certificate(
        players=len(meetings.points),
        rounds=len(meetings.opponents),
        field_ppt=int(meetings.points.sum()) / turns if turns else 0.0,
        rms_residual=mean,
        worst_residual=int(np.abs(own).max(initial=0)) / _UNITS,
        stayed=len(of_stayed),
        stayed_rms_residual=rms(of_stayed),
        repeats=int(((ordered[1:] == ordered[:-1]) & (ordered[1:] >= 0)).sum()) // 2,
        byes=int(meetings.byes.sum()),
        most_byes=int(meetings.byes.max(initial=0)),
        worst_start_imbalance=int(np.abs(meetings.imbalance).max(initial=0)),
        percentile=50 * sum((each > mean) + (each >= mean) for each in drawn) / len(drawn) if drawn else None,
        random_rms=drawn[len(drawn) // 2] if drawn else None,
        random_schedules=len(drawn),
        random_distribution=tuple(drawn),
        digest=digest,
    )


def residuals(meetings: Meetings, opponents: NDArray[np.int32], among: NDArray[np.bool_] | None = None) -> Integers:
    """Return the residual of everyone (or of some) who met somebody, in whole units, under a schedule's opponents."""
    points, turns = np.append(meetings.points, 0), np.append(meetings.turns, 0)
    met_points, met_turns = np.zeros((2, len(meetings.points)), np.int64)
    for row in opponents:
        met_points += points[row]
        met_turns += turns[row]
    all_points, all_turns = int(points.sum()), int(turns.sum())
    field = all_points * _UNITS // max(1, all_turns)
    met = met_turns > 0 if among is None else (met_turns > 0) & among
    found: Integers = met_points[met] * _UNITS // met_turns[met] - field
    return found


def rms(residual_units: Integers) -> float:
    """Return the root mean square of residuals, in points per turn."""
    if not len(residual_units):
        return 0.0
    return math.sqrt(int((residual_units * residual_units).sum()) / len(residual_units)) / _UNITS


@dataclass(frozen=True)
class DrawReport:
    """The number of rounds that were drawn again, voided ones too, and what differs, in words."""

    rounds: int
    faults: tuple[str, ...]


def verify_draws(facts: Sequence[RecordedFact]) -> DrawReport:
    """Draw every published round again, from the facts before it, and compare."""
    faults = []
    published = [each for each in facts if isinstance(each.fact, Published)]
    for each in published:
        assert isinstance(each.fact, Published)
        drawn = draft_round(problem_of(fold(facts[: each.number - 1])))
        if (event_pairings(drawn), drawn.bye) != (each.fact.pairings, each.fact.bye):
            faults.append(f"round {each.fact.round}, published as fact {each.number}, is not what the draw gives")
    return DrawReport(len(published), tuple(faults))
