"""The size of the meters' file after a month of honest play."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from ordws.guard.gate import Gate, Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Identity, Question
from ordws.guard.stores.lmdb import LmdbMeterStore
from tests.benchmarks.figure import Figure

IDENTITIES = 10_000
SIMULATED_IDENTITIES = 150
DAYS = 30
GAMES_PER_DAY = 3
NON_CORE_WORDS_PER_GAME = 8
"""New words outside the core list that honest players meet in a game (docs/guard.md 3.1)."""
VOCABULARY = 1_500
"""Multiplied as the identities are, these are twice the words that the world's ceiling admits within a month."""
CORE = ("PLAY", "TILE", "WORD")
MIDNIGHT = 1_795_219_200
AMPLE_POLICY = Policy(world_floor=VOCABULARY, world_ceiling=VOCABULARY)


def measure() -> Iterator[Figure]:
    """Yield the size of the file, trails included, with one sweep a day.

    Some of the identities are measured, and everything is multiplied, the world's marks too.
    """
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "meters"
        store = LmdbMeterStore.create(path)
        gate = Gate(AMPLE_POLICY, store, bytes(32))
        largest = 0
        for day in range(DAYS):
            simulate_day(gate, MIDNIGHT + day * DAY, Random(day))
            store.sweep(MIDNIGHT + (day + 1) * DAY)
            largest = max(largest, path.stat().st_size)
        store.close()
    yield Figure(
        "meters",
        f"meters of {IDENTITIES:,} identities after {DAYS} days of {GAMES_PER_DAY} games, trails included",
        round(largest * IDENTITIES / SIMULATED_IDENTITIES / 1e6, 1),
        "MB",
        "<= 200",
    )


def simulate_day(gate: Gate, midnight: int, rng: Random) -> None:
    """Record three games of each identity; plays of core words alone would add nothing to the file."""
    for number in range(SIMULATED_IDENTITIES):
        identity = Identity(str(number), midnight - 400 * DAY)
        for game in range(GAMES_PER_DAY):
            for play in range(NON_CORE_WORDS_PER_GAME):
                words = (nth_word(int(VOCABULARY * rng.random() ** 2)), *CORE)
                now = midnight + (game * NON_CORE_WORDS_PER_GAME + play) * 3_000
                ticket = gate.admit(identity, Question(words, 1, f"{midnight}/{game}"), CORE, now)
                assert not isinstance(ticket, Refused)
                gate.settle(ticket, play != 1, now)
    gate.update_detectors(midnight, flush_all=True)


def nth_word(number: int) -> str:
    """Return a word for a number, far from its neighbours in the alphabet."""
    return "".join([chr(65 + number // 26**place % 26) for place in range(4)])
