"""The gain of an alternative over a free mixture of honest forms, for many players at once (docs/fairplay.md 3)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
