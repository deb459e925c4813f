"""Simulated players of graded vocabulary and attention, who vary within themselves (docs/fairplay.md 6).

They are not made of the honest forms: they know words by finer tiers of rarity, see plays by each number of tiles, and
half of them do not choose by score alone. Their vocabulary is one of many, their attention moves from turn to turn.
Their choices are worked out once for the positions and kept as tables to draw from.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.forms import Integers, Numbers, RankedPlays, choice_probabilities, logistic
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


TURNS_A_GAME: Final = 12

GAMBLE_SUCCESS: Final = 0.55
_SLIP: Final = 0.01


class Cheat(Enum):
    """The plays for which a simulated player asks a program."""

    NEVER = "honest"
    ALWAYS = "always best"
    THIRD = "every third turn"
    TENTH = "every tenth turn"
    BINGOS = "bingos only"
    CHECKS = "word checks only"


class SimulatedPeople(NamedTuple):
    """Players as arrays: one number a player, or one by player and turn."""

    profile: Integers
    """The vocabulary, its slope and the preference, as a number below `PROFILES`."""

    attention: Numbers
    """By player and turn, as a logit."""

    gambles: NDArray[np.bool_]
    """By player and turn, whether a doubtful word is tried."""

    success: float = GAMBLE_SUCCESS
    """The share of these words that are acceptable."""


class Population:
    """Everything that simulated players choose by, worked out once for the positions."""

    def __init__(self, positions: Positions) -> None:
        self._plays = positions.plays
        self._positions = positions
        self._tables = ChoiceTables(positions)
        self._has_doubtful = positions.has_doubtful
        self._best_is_bingo = positions.plays.tiles[positions.plays.starts[:-1]] >= 7

    def honest_players(self, count: int, turns: int, rng: np.random.Generator) -> SimulatedPeople:
        """Draw honest players of all strengths and habits."""
        profile = rng.integers(0, PROFILES, count)
        vocabulary = VOCABULARIES[profile // 2 // len(SLOPES)]
        # Those who know more words see more as well, by and large.
        base = np.clip(-2.8 + 0.55 * vocabulary + rng.normal(0, 0.35, count), None, 0.05)
        return SimulatedPeople(profile, self._attention(base, turns, rng), self._tries(count, turns, rng))

    def good_guessers(self, count: int, turns: int, success: float, rng: np.random.Generator) -> SimulatedPeople:
        """Draw honest players who try doubtful words on a fifth to two fifths of their turns, and guess well."""
        players = self.honest_players(count, turns, rng)
        share = rng.uniform(0.2, 0.4, (count, 1))
        return players._replace(gambles=rng.random((count, turns)) < share, success=success)

    def players_of(self, strength: str, count: int, turns: int, rng: np.random.Generator) -> SimulatedPeople:
        """Draw players of a strength: `weak`, `middle` or `strong`; raises KeyError for another."""
        vocabulary, base = STRENGTHS[strength]
        nearest = int(np.abs(VOCABULARIES - vocabulary).argmin())
        profile = (nearest * len(SLOPES) + 1) * 2 + np.zeros(count, int)
        attention = self._attention(np.full(count, base), turns, rng)
        return SimulatedPeople(profile, attention, self._tries(count, turns, rng))

    def _attention(self, base: Numbers, turns: int, rng: np.random.Generator) -> Numbers:
        """Return the attention by player and turn: days, moments, tiredness, and streaks of carelessness."""
        count, games = len(base), -(-turns // TURNS_A_GAME)
        days = np.repeat(rng.normal(0, 0.3, (count, games)), TURNS_A_GAME, axis=1)[:, :turns]
        moments = rng.normal(0, 1, (count, turns)) * rng.uniform(0.1, 0.5, (count, 1))
        tired = rng.uniform(0, 1, (count, 1)) * (np.arange(turns) % TURNS_A_GAME) / TURNS_A_GAME
        careless = (rng.random((count, turns)) < rng.choice([0, 0, 0.2, 0.5], (count, 1))) * 1.5
        return np.asarray(base[:, None] + days + moments - tired - careless)

    def _tries(self, count: int, turns: int, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Return by player and turn whether a doubtful word is tried; every other player is cautious."""
        share = rng.uniform(0, 0.2, (count, 1)) * rng.integers(0, 2, (count, 1))
        return np.asarray(rng.random((count, turns)) < share)

    def play(self, players: SimulatedPeople, cheat: Cheat, rng: np.random.Generator) -> NDArray[Any]:
        """Return by player and turn the number of the play chosen; -1 for a play that was rejected."""
        shape = players.attention.shape
        at = rng.integers(0, self._positions.count, shape)
        level = np.rint((players.attention - ATTENTIONS[0]) / (ATTENTIONS[1] - ATTENTIONS[0]))
        level = level.clip(0, len(ATTENTIONS) - 1).astype(int)
        chosen = self._tables.choose(players.profile, level, at, rng)
        tries = players.gambles & self._has_doubtful[at]
        if cheat is Cheat.CHECKS:
            tries = (rng.random(shape) < CHECKING_SHARE) & self._has_doubtful[at]
        self._tables.gamble(chosen, tries, level, at, rng)
        is_rejected = (tries & (rng.random(shape) >= players.success)) | (rng.random(shape) < _SLIP)
        every = _TURNS_BETWEEN.get(cheat)
        asked = np.broadcast_to(np.arange(shape[1]) % every == 0, shape) if every else np.zeros(shape, bool)
        if cheat is Cheat.BINGOS:
            asked = self._best_is_bingo[at]
        ties = self._plays.tied_bests
        best = self._plays.starts[:-1][at] + (rng.random(shape) * ties[at]).astype(int)
        if cheat is Cheat.CHECKS:
            is_rejected = np.zeros(shape, bool)
        return np.where(asked, best, np.where(is_rejected, -1, chosen))


_TURNS_BETWEEN: Final = {Cheat.ALWAYS: 1, Cheat.THIRD: 3, Cheat.TENTH: 10}

CHECKING_SHARE: Final = 0.16
"""The share of turns in which one who looks words up tries a word that they do not know."""

STRENGTHS: Final = {"weak": (1.0, -2.0), "middle": (3.0, -1.0), "strong": (5.0, 0.0)}
"""The vocabulary and the attention of the strengths, as logits."""
