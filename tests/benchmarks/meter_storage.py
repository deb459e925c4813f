"""The size of the meters' files after a month of honest play."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore
from tests.benchmarks.figure import Figure

IDENTITIES = 10_000
SIMULATED_IDENTITIES = 150
DAYS = 30
GAMES_PER_DAY = 3
NON_CORE_WORDS_PER_GAME = 8
"""New words outside the core list that honest players meet in a game (docs/guard.md 3.1)."""
CORE_WORDS_PER_PLAY = 4
"""Core words of a play, most of which the identity has not asked that day, as those of honest players."""
CORE = tuple(["".join(letters) for letters in product("AEIOU", "BCDFGHJKLMN", "AEIOU")])
MIDNIGHT = 1_795_219_200
SCRATCH = Path("/dev/shm")
AMPLE_POLICY = Policy(world_floor=10**6, world_ceiling=10**6)


def measure() -> Iterator[Figure]:
    """Yield the size of the map and of what lasts, trails included, with a sweep each hour as in the service.

    Some of the identities are measured, and everything is multiplied.
    """
    # In memory, if there is room: a simulated month waits for the disk as often as a real one.
    with tempfile.TemporaryDirectory(dir=SCRATCH if SCRATCH.is_dir() else None) as name:
        path = Path(name) / "meters"
        store = LmdbMeterStore.create(path)
        gate = Gate(AMPLE_POLICY, store, bytes(32))
        for day in range(DAYS):
            simulate_day(gate, MIDNIGHT + day * DAY, Random(day))
        store.close()
        size = sum([file.stat().st_size for file in path.iterdir()])
    title = f"meters of {IDENTITIES:,} identities after {DAYS} days of {GAMES_PER_DAY} games, trails included"
    yield Figure("meters", title, round(size * IDENTITIES / SIMULATED_IDENTITIES / 1e6, 1), "MB", "<= 100")


def simulate_day(gate: Gate, midnight: int, rng: Random) -> None:
    """Record three games of each identity, in plays that each have one word outside the core list, with the sweeps."""
    identities = [Identity(str(number), midnight - 400 * DAY) for number in range(SIMULATED_IDENTITIES)]
    for game, play in product(range(GAMES_PER_DAY), range(NON_CORE_WORDS_PER_GAME)):
        now = midnight + (game * NON_CORE_WORDS_PER_GAME + play) * 3_600
        for identity in identities:
            words = (nth_word(rng.randrange(26**4)), *rng.sample(CORE, CORE_WORDS_PER_PLAY))
            outcome = gate.admit(identity, Question(words, 1, f"{midnight}/{game}"), CORE, now)
            assert not isinstance(outcome, Refused)
        gate.sweep(now)


def nth_word(number: int) -> str:
    """Return a word for a number, far from its neighbours in the alphabet."""
    return "".join([chr(65 + number // 26**place % 26) for place in range(4)])
