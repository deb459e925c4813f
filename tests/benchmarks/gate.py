"""Figure 3: what identity, price and meter add to a question of one word, in process, with the SQLite store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter_ns

from ordws.guard.gate import Gate
from ordws.guard.policy import Policy
from ordws.guard.price import Question
from ordws.guard.stores.sqlite import SqliteStore
from ordws.identity.register import Register
from tests.benchmarks.figure import Figure

QUESTIONS = 4_000
NOW = 1_795_262_400


def measure() -> Iterator[Figure]:
    """Yield the median of questions that each bring a word new to the caller, which is the dearest kind."""
    with tempfile.TemporaryDirectory() as name:
        register = Register.create(Path(name) / "clients.db", bytes(32))
        authorization = f"Bearer {register.add('bench', 'home', NOW)}"
        store = SqliteStore.create(Path(name) / "meters.db")
        gate = Gate(Policy(outside_a_day=QUESTIONS, units_a_game=QUESTIONS), store, bytes(32))
        core = frozenset({"WORD"})
        times = []
        for number in range(QUESTIONS):
            word = "Q" + "".join(chr(65 + number // 26**place % 26) for place in range(3))
            start = perf_counter_ns()
            client = register.identify(authorization)
            assert client is not None
            refused = gate.admit(str(client.id), Question((word,), 1), core, NOW)
            times.append(perf_counter_ns() - start)
            assert refused is None
        register.close()
        store.close()
    yield Figure(
        3, "added by the gate (identity, price, meter), one word, p50", round(median(times) / 1e3, 1), "us", "<= 100"
    )
