"""Simulated players of graded vocabulary and attention, who vary within themselves (docs/fairplay.md 6).

They are not made of the honest forms: they know words by finer tiers of rarity, see plays by each number of tiles, and
half of them do not choose by score alone. Their vocabulary is one of many, their attention moves from turn to turn.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.choices import Integers, RankedPlays, choice_probabilities
from ordws.fairplay.forms import Numbers, logistic
from ordws.fairplay.positions import Positions

TURNS_A_GAME: Final = 12

_TIER_DIFFICULTY: Final = np.array([-2.5, -1.0, 1.5, 2.5, 3.5, 4.5])
_TILE_DIFFICULTY: Final = np.array([0.0, -0.3, -0.2, 0.0, 0.2, 0.4, 0.6, 1.0])
_ATTENTIONS: Final = np.linspace(-3.6, 0.8, 12)
_ATTENTION_STEP: Final = _ATTENTIONS[1] - _ATTENTIONS[0]
_VOCABULARIES: Final = np.linspace(0.5, 5.0, 10)
_SLOPES: Final = np.array([0.85, 1.0, 1.15])
"""The steepness with which rare words are known less; some people learn lists, others read books."""

_POINTS_PER_TILE: Final = 2
"""The points that a tile kept is worth to those who do not choose by score alone."""

_STEPS_OF_CHANCE: Final = 65_535
_GAMBLE_SUCCESS: Final = 0.55
_SLIP: Final = 0.01


class Cheat(Enum):
    """The plays for which a simulated player asks a program."""

    NEVER = "honest"
    ALWAYS = "always best"
    THIRD = "every third turn"
    TENTH = "every tenth turn"
    BINGOS = "bingos only"
    CHECKS = "word checks only"


class Player(NamedTuple):
    """What players are, as arrays: one number a player, or one by player and turn."""

    profile: Integers
    """The vocabulary, its slope and the preference, as a number below `Population.profiles`."""

    attention: Numbers
    """By player and turn, as a logit."""

    gambles: NDArray[np.bool_]
    """By player and turn, whether a doubtful word is tried."""


class Population:
    """Everything that simulated players choose by, worked out once for the positions."""

    def __init__(self, positions: Positions) -> None:
        self._plays = positions.plays
        self._positions = positions
        plays = positions.plays
        self._thrifty = np.lexsort((-(plays.scores - _POINTS_PER_TILE * plays.tiles), plays.positions))
        self._has_doubtful = np.add.reduceat(plays.is_borderline, plays.starts[:-1]) > 0
        best = plays.starts[:-1]
        self._best_is_bingo = plays.tiles[best] >= 7
        self._tables = {
            (profile, level): self._cumulate(self._choice(profile, level))
            for profile in range(self.profiles)
            for level in range(len(_ATTENTIONS))
        }
        self._gambles = [self._cumulate(self._gamble(level)) for level in range(len(_ATTENTIONS))]

    profiles: Final = len(_VOCABULARIES) * len(_SLOPES) * 2

    def honest_players(self, count: int, turns: int, rng: np.random.Generator) -> Player:
        """Draw honest players of all strengths and habits."""
        profile = rng.integers(0, self.profiles, count)
        vocabulary = _VOCABULARIES[profile // 2 // len(_SLOPES)]
        # Those who know more words see more as well, by and large.
        base = np.clip(-2.8 + 0.55 * vocabulary + rng.normal(0, 0.35, count), None, 0.05)
        return Player(profile, self._attention(base, turns, rng), self._tries(count, turns, rng))

    def players_of(self, strength: str, count: int, turns: int, rng: np.random.Generator) -> Player:
        """Draw players of a strength: `weak`, `middle` or `strong`; raises KeyError for another."""
        vocabulary, base = STRENGTHS[strength]
        nearest = int(np.abs(_VOCABULARIES - vocabulary).argmin())
        profile = (nearest * len(_SLOPES) + 1) * 2 + np.zeros(count, int)
        attention = self._attention(np.full(count, base), turns, rng)
        return Player(profile, attention, self._tries(count, turns, rng))

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

    def play(self, players: Player, cheat: Cheat, rng: np.random.Generator) -> NDArray[Any]:
        """Return by player and turn the number of the play chosen; -1 for a play that was rejected."""
        shape = players.attention.shape
        at = rng.integers(0, self._positions.count, shape)
        level = (
            np.rint((players.attention - _ATTENTIONS[0]) / _ATTENTION_STEP).clip(0, len(_ATTENTIONS) - 1).astype(int)
        )
        chosen = self._choose(players.profile[:, None] * len(_ATTENTIONS) + level, at, rng)
        tries = players.gambles & self._has_doubtful[at]
        if cheat is Cheat.CHECKS:
            tries = (rng.random(shape) < CHECKING_SHARE) & self._has_doubtful[at]
        for each in range(len(_ATTENTIONS)):
            here = tries & (level == each)
            chosen[here] = _draw(self._gambles[each], self._plays, at[here], rng)
        is_rejected = (tries & (rng.random(shape) >= _GAMBLE_SUCCESS)) | (rng.random(shape) < _SLIP)
        asked = self._asks(cheat, at)
        ties = self._plays.tied_bests
        best = self._plays.starts[:-1][at] + (rng.random(shape) * ties[at]).astype(int)
        if cheat is Cheat.CHECKS:
            is_rejected = np.zeros(shape, bool)
        return np.where(asked, best, np.where(is_rejected, -1, chosen))

    def _asks(self, cheat: Cheat, at: Integers) -> NDArray[np.bool_]:
        """Return by player and turn whether the program chooses."""
        every = {Cheat.ALWAYS: 1, Cheat.THIRD: 3, Cheat.TENTH: 10}
        if cheat in every:
            return np.broadcast_to(np.arange(at.shape[1]) % every[cheat] == 0, at.shape)
        return self._best_is_bingo[at] if cheat is Cheat.BINGOS else np.zeros(at.shape, bool)

    def _choose(self, table: Integers, at: Integers, rng: np.random.Generator) -> Integers:
        """Draw the play of each turn by the table of its player and attention."""
        flat, where = table.ravel(), at.ravel()
        order = np.argsort(flat, kind="stable")
        numbers, begins = np.unique(flat[order], return_index=True)
        chosen = np.empty(len(flat), np.int64)
        for number, turns in zip(numbers, np.split(order, begins[1:]), strict=True):
            profile, level = divmod(int(number), len(_ATTENTIONS))
            drawn = _draw(self._tables[profile, level], self._plays, where[turns], rng)
            chosen[turns] = self._thrifty[drawn] if profile % 2 else drawn
        return chosen.reshape(table.shape)

    def _cumulate(self, chances: Numbers) -> NDArray[np.uint16]:
        """Return the chances of each position added up, in steps that fit two bytes."""
        added, positions = np.cumsum(chances), self._plays.positions
        within = added - np.concatenate([[0.0], added])[self._plays.starts[:-1]][positions]
        steps: NDArray[np.uint16] = np.rint(within.clip(0, 1) * _STEPS_OF_CHANCE).astype(np.uint16)
        return steps

    def _choice(self, profile: int, level: int) -> Numbers:
        """Return the probability of each play for a profile at a level of attention."""
        plays, tiers = self._plays, self._positions.tiers
        kind, is_thrifty = divmod(profile, 2)
        vocabulary, slope = divmod(kind, len(_SLOPES))
        known = logistic(_VOCABULARIES[vocabulary] - _SLOPES[slope] * _TIER_DIFFICULTY[tiers])
        q = known * self._seen(level)
        if is_thrifty:
            order = self._thrifty
            worth = plays.scores - _POINTS_PER_TILE * plays.tiles
            plays, q = RankedPlays(plays.starts, worth[order], plays.bands[order], plays.tiles[order]), q[order]
        return choice_probabilities(plays, q[:, None])[:, 0]

    def _gamble(self, level: int) -> Numbers:
        """Return the probability of each play among those with a doubtful word."""
        is_open = self._plays.is_borderline | ~self._has_doubtful[self._plays.positions]
        seen = np.where(is_open, self._seen(level), 1e-9)
        return choice_probabilities(self._plays, seen[:, None])[:, 0]

    def _seen(self, level: int) -> Numbers:
        return logistic(_ATTENTIONS[level] - _TILE_DIFFICULTY[np.minimum(self._plays.tiles, 7)])


CHECKING_SHARE: Final = 0.16
"""The share of turns in which one who looks words up tries a word that they do not know."""

STRENGTHS: Final = {"weak": (1.0, -2.0), "middle": (3.0, -1.0), "strong": (5.0, 0.0)}
"""The vocabulary and the attention of the strengths, as logits."""


def _draw(
    cumulated: NDArray[np.uint16], plays: RankedPlays, at: Integers, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw a play of each position, by bisection."""
    low, high = plays.starts[at], plays.starts[at + 1] - 1
    drawn = rng.integers(0, _STEPS_OF_CHANCE, len(at))
    while np.any(low < high):
        middle = (low + high) // 2
        is_below = cumulated[middle] <= drawn
        low, high = np.where(is_below, middle + 1, low), np.where(is_below, high, middle)
    return np.asarray(np.minimum(low, plays.starts[at + 1] - 1))
