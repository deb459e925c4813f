"""Figure 3: what identity, price and meter add to a question of one word, in process, with the SQLite store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns

from ordws.desk.words import identity
from ordws.guard.gate import Gate, Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Question
from ordws.guard.stores.sqlite import SqliteStore
from ordws.identity.register import Register
from tests.benchmarks.figure import Figure

CLIENTS = 300
WORDS_EACH = 15
NOW = 1_795_262_400
ENOUGH = Policy(world_floor=CLIENTS * WORDS_EACH, world_ceiling=CLIENTS * WORDS_EACH)


def measure() -> Iterator[Figure]:
    """Yield the median of questions that each bring a word new to the caller and the world, which is the dearest kind.

    Home keys past the ramp and not verified, each with what it asks on a busy day outside games, in turn by chance.
    """
    core = frozenset({"WORD"})
    with tempfile.TemporaryDirectory() as name:
        register = Register.create(Path(name) / "clients.db", bytes(32))
        keys = [f"Bearer {register.add(f'client {n}', 'home', NOW - 40 * DAY)}" for n in range(CLIENTS)]
        store = SqliteStore.create(Path(name) / "meters.db")
        gate = Gate(ENOUGH, store, bytes(32))
        asks = keys * WORDS_EACH
        Random(3).shuffle(asks)
        times = []
        for number, authorization in enumerate(asks):
            word = "".join([chr(65 + number // 26**place % 26) for place in range(4)])
            start = perf_counter_ns()
            client = register.identify(authorization, NOW)
            assert client is not None
            outcome = gate.admit(identity(client, None), Question((word,), 1), core, NOW)
            times.append(perf_counter_ns() - start)
            assert not isinstance(outcome, Refused)
            gate.watch(NOW, all_of_it=number % 20 == 0)
        register.close()
        store.close()
    yield Figure(
        3, "added by the gate (identity, price, meter), one word, p50", round(median(times) / 1e3, 1), "us", "<= 100"
    )
