"""The tests of a player's turns: choices, times, quitting. All gains are in nats (docs/fairplay.md 3).

Choices are tested by the gain of an alternative over a free mixture of honest forms, for many players at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.forms import HonestForms
from ordws.fairplay.milestones import OUTAGE_ALLOWANCE
from ordws.fairplay.store import SeatNumbers, TurnNumbers

Floats = NDArray[np.floating[Any]]

_STEPS: Final = 40
"""The steps between two looks at how far a fit can still rise."""

_STRIDE: Final = 1.9
"""The power of a step: below 2 the steps still converge, in half the number. How close they are is measured anyway."""

MOST_STEPS: Final = 2_000
CLOSE: Final = 0.05
"""The nats that a finished fit may still lack."""


class Fit(NamedTuple):
    """Mixtures fitted to many players: the log-likelihood of each, and the most that it can still rise."""

    weights: Floats
    value: Floats
    lacking: Floats


class GainBounds(NamedTuple):
    """Gains below `below` need not be told apart, nor those from `above` on."""

    below: float = 0.0
    above: float = np.inf


NO_BOUNDS: Final = GainBounds()


class Gains(NamedTuple):
    """The gains of many players in nats, none more than the true one: what a fit still lacks is taken off."""

    values: Floats
    most: Floats
    """The most that each true gain can be: hardly more, or on the same side of the bounds that were asked for."""


def improve(likelihoods: Floats, weights: Floats, steps: int) -> Fit:
    """Return the fit after so many steps of expectation and maximisation.

    `likelihoods` is by player, turn and form, `weights` by player and form. What is lacking follows from the gradient:
    no mixture of these forms is more likely by more than turns x log(largest mean ratio), by Jensen's inequality.
    """
    turns = likelihoods.shape[1]
    for _ in range(steps):
        mixed = np.matmul(likelihoods, weights[:, :, None])[:, :, 0]
        weights = weights * (np.matmul((1 / mixed)[:, None, :], likelihoods)[:, 0] / turns) ** _STRIDE
        weights /= weights.sum(1, keepdims=True)
    mixed = np.matmul(likelihoods, weights[:, :, None])[:, :, 0]
    ratios = np.matmul((1 / mixed)[:, None, :], likelihoods)[:, 0] / turns
    value = np.log(mixed.astype(np.float64)).sum(1)
    return Fit(weights, value, turns * np.log(np.maximum(ratios.max(1), 1).astype(np.float64)))


def gains(likelihoods: Floats, bounds: GainBounds = NO_BOUNDS) -> Gains:
    """Return how much likelier each player's plays are when the last column is added to the others.

    `likelihoods` is by player, turn and column. Every turn must be possible without the last column. A player is left
    early only where it is certain on which side of the bounds the gain lies.
    """
    players, _, columns = likelihoods.shape
    honest = np.full((players, columns - 1), 1 / (columns - 1), likelihoods.dtype)
    added = np.full((players, columns), 0.9 / (columns - 1), likelihoods.dtype)
    added[:, -1] = 0.1
    least, most = np.zeros(players), np.full(players, np.inf)
    open_ones = np.arange(players)
    for _ in range(MOST_STEPS // _STEPS):
        of_open = likelihoods[open_ones]
        null = improve(of_open[:, :, :-1], honest[open_ones], _STEPS)
        other = improve(of_open, added[open_ones], _STEPS)
        honest[open_ones], added[open_ones] = null.weights, other.weights
        least[open_ones] = np.maximum(other.value - null.value - null.lacking, 0)
        most[open_ones] = other.value + other.lacking - null.value
        is_certain = (most[open_ones] < bounds.below) | (least[open_ones] >= bounds.above)
        is_done = is_certain | (most[open_ones] - least[open_ones] < CLOSE)
        open_ones = open_ones[~is_done]
        if not len(open_ones):
            break
    return Gains(least, most)


_NATS: Final = 1_000
"""The units of the likelihoods that are kept, in a nat."""

_LEAST: Final = 1e-12


class TurnTable(NamedTuple):
    """The turns of players, as arrays by player and turn."""

    chosen: Floats
    """By player, turn and form, the probability that the form makes this play; anything for a rejected play."""

    engine: Floats
    is_rejected: NDArray[np.bool_]


def tabulate(turns: Sequence[TurnNumbers]) -> TurnTable:
    """Return the table of one player's turns."""
    logs = np.array([turn.likelihoods for turn in turns], np.float64) / _NATS
    engine = [turn.is_best / turn.tied_bests if turn.tied_bests else 0.0 for turn in turns]
    return TurnTable(np.exp(logs)[None], np.array(engine)[None], np.array([turn.is_rejected for turn in turns])[None])


def choice_gains(table: TurnTable, forms: HonestForms, bounds: GainBounds = NO_BOUNDS) -> Gains:
    """Return how much better the plays are explained when a program chose some of them.

    The program spreads over tied bests and is never rejected. A free mixture of honest forms is set against it, so that
    neither good days, nor careless ones, nor doubtful words tried, are taken for help.
    """
    honest = _with_rejections(table, forms)
    slip = forms.parameters.slip
    engine = np.where(table.is_rejected, 0.0, table.engine * (1 - slip)).astype(honest.dtype)
    return gains(np.concatenate([honest, engine[:, :, None]], axis=2), bounds)


def _with_rejections(table: TurnTable, forms: HonestForms) -> Floats:
    """Return the likelihood of each turn under each form, with that of being rejected or not."""
    knowers = forms.knowers
    rejected = np.full(forms.count, forms.parameters.slip)
    rejected[knowers + 1 :] = 1 - forms.parameters.doubtful_success
    rejected = rejected.astype(np.float32)
    likelihood = np.where(table.is_rejected[:, :, None], rejected, table.chosen.astype(np.float32) * (1 - rejected))
    return np.asarray(np.maximum(likelihood, np.float32(_LEAST)))


class TimePattern(NamedTuple):
    """The way in which the time of a turn goes with the difficulty of its play."""

    turns: int
    correlation: float
    """Spearman's rank correlation; people take longer where the play is harder to see."""


def time_pattern(turns: Sequence[TurnNumbers], forms: HonestForms) -> TimePattern:
    """Return the pattern of a player's times; the difficulty is the surprise of a middling form."""
    middle = forms.knowers // 2
    difficulty = [-turn.likelihoods[middle] for turn in turns if not turn.is_rejected]
    times = [turn.milliseconds for turn in turns if not turn.is_rejected]
    if len(times) < 3 or len(set(times)) < 2 or len(set(difficulty)) < 2:
        return TimePattern(len(times), 0.0)
    return TimePattern(len(times), float(np.corrcoef(_ranks(times), _ranks(difficulty))[0, 1]))


def time_gain(pattern: TimePattern, field: float) -> float:
    """Return the gain of a correlation that is below the field's, by Fisher's z; 0 for one that is not."""
    if pattern.turns < 4:
        return 0.0
    short = np.arctanh(np.clip(field, -0.99, 0.99)) - np.arctanh(np.clip(pattern.correlation, -0.99, 0.99))
    return float(max(short, 0.0) ** 2 * (pattern.turns - 3) / 2)


def _ranks(values: Sequence[float]) -> NDArray[Any]:
    """Return the ranks of values; equal ones share their mean rank."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse])


def has_quit(seat: SeatNumbers) -> bool:
    """Return whether the seat left a game that it was losing while it had time."""
    return seat.has_left and seat.was_behind and seat.time_left > 0.1


def quitting_gain(quits: int, games: int, field_rate: float) -> float:
    """Return the gain of a player who leaves more games than the field does with the allowance for outages."""
    if not games:
        return 0.0
    expected, share = min(field_rate + OUTAGE_ALLOWANCE, 0.99), quits / games
    if share <= expected:
        return 0.0
    stays = (games - quits) * np.log((1 - share) / (1 - expected)) if quits < games else 0.0
    return float(quits * np.log(share / expected) + stays)
