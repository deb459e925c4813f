"""Figure 3: the cost of identity, price and meter for a question, in process, with the SQLite store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter_ns

from ordws.api.words import identity_of
from ordws.database import Database
from ordws.guard.gate import Gate, Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Question
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.identity import schema
from ordws.identity.register import Register
from tests.benchmarks.figure import Figure

IDENTITIES = 300
QUESTIONS_PER_IDENTITY = 15
QUESTIONS = IDENTITIES * QUESTIONS_PER_IDENTITY
NOW = 1_795_262_400
AMPLE_POLICY = Policy(world_floor=10**7, world_ceiling=10**7)
_CORE = frozenset({"WORD"})


def measure() -> Iterator[Figure]:
    """Yield the median of questions that each bring a word new to the caller and the world, the most expensive kind.

    Home keys past the ramp and not verified ask the questions of a busy day outside games, in random order.
    """
    yield Figure(
        3,
        "added by identity, price and meter to a question of one word new to the world, median",
        round(measure_overhead(IDENTITIES), 1),
        "us",
        "<= 100",
    )


def measure_overhead(identities: int, questions: int = QUESTIONS) -> float:
    """Return the median microseconds of so many questions; identities beyond 300 have asked before."""
    with tempfile.TemporaryDirectory() as name:
        clients = Database(Path(name) / "clients.db", "synchronous = off")  # or to register them takes minutes
        schema.create(clients)
        register = Register(clients, bytes(32))
        keys = [f"Bearer {register.add(f'client {n}', 'home', NOW - 40 * DAY)}" for n in range(identities)]
        store = LmdbMeterStore.create(Path(name) / "meters")
        gate = Gate(AMPLE_POLICY, store, bytes(32))
        asks = keys * -(-questions // identities)
        Random(3).shuffle(asks)
        before = _time_questions(register, gate, keys[IDENTITIES:], 0)
        times = _time_questions(register, gate, asks[:questions], len(before))
        register.close()
        store.close()
    return median(times) / 1e3


def _time_questions(register: Register, gate: Gate, authorizations: Sequence[str], first: int) -> list[int]:
    """Return the nanoseconds of each question of a word that nobody had asked before."""
    times = []
    for number, authorization in enumerate(authorizations, first):
        word = "".join([chr(65 + number // 26**place % 26) for place in range(5)])
        start = perf_counter_ns()
        client = register.identify(authorization, NOW)
        assert client is not None
        outcome = gate.admit(identity_of(client, None), Question((word,), 1), _CORE, NOW)
        times.append(perf_counter_ns() - start)
        assert not isinstance(outcome, Refused)
        gate.update_detectors(NOW, flush_all=number % 20 == 0)
    return times
