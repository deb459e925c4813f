"""The choices of simulated players, worked out once for the positions and kept as tables to draw from."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.choices import Integers, RankedPlays, choice_probabilities
from ordws.fairplay.forms import Numbers, logistic
from ordws.fairplay.positions import Positions

VOCABULARIES: Final = np.linspace(0.5, 5.0, 10)
SLOPES: Final = np.array([0.85, 1.0, 1.15])
"""The steepness with which rare words are known less; some people learn lists, others read books."""

ATTENTIONS: Final = np.linspace(-3.6, 0.8, 12)
PROFILES: Final = len(VOCABULARIES) * len(SLOPES) * 2
"""The number of profiles: a vocabulary, a slope, and whether only the score counts (even) or tiles too (odd)."""

_TIER_DIFFICULTY: Final = np.array([-2.5, -1.0, 1.5, 2.5, 3.5, 4.5])
_TILE_DIFFICULTY: Final = np.array([0.0, -0.3, -0.2, 0.0, 0.2, 0.4, 0.6, 1.0])
_POINTS_PER_TILE: Final = 2
"""The points that a tile kept is worth to those who do not choose by score alone."""

_HARDLY_EVER: Final = 1e-9
_STEPS: Final = 65_535
"""The steps of a probability, so that it fits two bytes."""


class ChoiceTables:
    """The probabilities of the plays of all positions, for each profile and level of attention."""

    def __init__(self, positions: Positions) -> None:
        plays = self._plays = positions.plays
        worth = plays.scores - _POINTS_PER_TILE * plays.tiles
        order = self._thrifty = np.lexsort((-worth, plays.positions))
        thrifty = RankedPlays(plays.starts, worth[order], plays.bands[order], plays.tiles[order])
        is_open = plays.is_borderline | ~positions.has_doubtful[plays.positions]
        levels = [logistic(each - _TILE_DIFFICULTY[np.minimum(plays.tiles, 7)]) for each in ATTENTIONS]
        self._gambles = [self._cumulate(plays, np.where(is_open, seen, _HARDLY_EVER)) for seen in levels]
        self._choices: list[list[NDArray[np.uint16]]] = []
        for vocabulary in VOCABULARIES:
            for slope in SLOPES:
                known = logistic(vocabulary - slope * _TIER_DIFFICULTY[positions.tiers])
                self._choices.append([self._cumulate(plays, known * seen) for seen in levels])
                self._choices.append([self._cumulate(thrifty, (known * seen)[order]) for seen in levels])

    def choose(self, profile: Integers, level: Integers, at: Integers, rng: np.random.Generator) -> NDArray[Any]:
        """Draw the plays of players in positions, by player and turn."""
        table, where = (profile[:, None] * len(ATTENTIONS) + level).ravel(), at.ravel()
        order = np.argsort(table, kind="stable")
        numbers, begins = np.unique(table[order], return_index=True)
        chosen = np.empty(len(table), np.int64)
        for number, turns in zip(numbers, np.split(order, begins[1:]), strict=True):
            kind, attention = divmod(int(number), len(ATTENTIONS))
            drawn = self._draw(self._choices[kind][attention], where[turns], rng)
            chosen[turns] = self._thrifty[drawn] if kind % 2 else drawn
        return chosen.reshape(level.shape)

    def gamble(
        self, chosen: NDArray[Any], tries: NDArray[np.bool_], level: Integers, at: Integers, rng: np.random.Generator
    ) -> None:
        """Draw the plays anew where a doubtful word is tried."""
        for each, table in enumerate(self._gambles):
            here = tries & (level == each)
            chosen[here] = self._draw(table, at[here], rng)

    def _cumulate(self, plays: RankedPlays, seen: Numbers) -> NDArray[np.uint16]:
        """Return the probabilities of each position added up, in steps that fit two bytes."""
        added, positions = np.cumsum(choice_probabilities(plays, seen[:, None])[:, 0]), plays.positions
        within = added - np.concatenate([[0.0], added])[plays.starts[:-1]][positions]
        steps: NDArray[np.uint16] = np.rint(within.clip(0, 1) * _STEPS).astype(np.uint16)
        return steps

    def _draw(self, cumulated: NDArray[np.uint16], at: Integers, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw a play of each position, by bisection."""
        starts = self._plays.starts
        low, high = starts[at], starts[at + 1] - 1
        drawn = rng.integers(0, _STEPS, len(at))
        while np.any(low < high):
            middle = (low + high) // 2
            is_below = cumulated[middle] <= drawn
            low, high = np.where(is_below, middle + 1, low), np.where(is_below, high, middle)
        return np.asarray(np.minimum(low, starts[at + 1] - 1))
