"""Simulated players of graded vocabulary and attention, who vary within themselves (docs/fairplay.md 6).

They are not made of the honest forms: they know words by finer tiers of rarity, see plays by each number of tiles, and
half of them do not choose by score alone. Their vocabulary is one of many, their attention moves from turn to turn.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ordws.fairplay.choice_tables import ATTENTIONS, PROFILES, SLOPES, VOCABULARIES, ChoiceTables
from ordws.fairplay.choices import Integers
from ordws.fairplay.forms import Numbers
from ordws.fairplay.positions import Positions

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
