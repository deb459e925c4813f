"""The certificate of an event: how close everyone came to having played the average player (docs/rules.md 10.3)."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.tournament.pairing.lots import Integers
from ordws.tournament.played_event import PlayedEvent
from ordws.tournament.random_schedules import random_schedules

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
