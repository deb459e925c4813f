"""Figure 3: the cost of identity, price and meter for a question, in process, and how many a host admits."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import median
from threading import Barrier
from time import perf_counter, perf_counter_ns, process_time
from typing import NamedTuple

from ordws.api.words import identity_of
from ordws.guard.charge import Identity, Question, Refused
from ordws.guard.gate import Gate
from ordws.guard.policy import DAY, Policy
from ordws.guard.stores.lmdb import LmdbMeterStore
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
    overhead = measure_overhead(IDENTITIES)
    yield Figure(
        3,
        "added by identity, price and meter to a question of one word new to the caller, median",
        round(overhead, 1),
        "us",
        "<= 60",
    )
    if before := os.environ.get("BASE"):
        ratio = overhead / measure_overhead_of(Path(before))
        yield Figure("gate-before", "the same against that of the commit in BASE", round(ratio, 2), "x", "<= 0.35")
    one, two = measure_rates(1), measure_rates(2)
    yield Figure(
        "admitted", "questions of one new word that one process admits, a second", round(one.rate), "/s", ">= 35000"
    )
    yield Figure(
        "admitted-two", "the same with two processes, as a part of that", round(two.rate / one.rate, 2), "x", ">= 0.85"
    )
    yield Figure("admitted-cpu", "processor time of such a question", round(one.processor_us, 1), "us")
    yield Figure(
        "admitted-cpu-two",
        "the same with two processes, as a part of that",
        round(two.processor_us / one.processor_us, 2),
        "x",
        "<= 1.15",
    )


def measure_overhead_of(checkout: Path) -> float:
    """Return the same median of another checkout, in microseconds, measured in a process of its own."""
    program = "from tests.benchmarks.gate import IDENTITIES, measure_overhead; print(measure_overhead(IDENTITIES))"
    paths = os.pathsep.join([str(checkout), str(checkout / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


class Rates(NamedTuple):
    """The questions that processes admitted together a second, and the processor time of one in microseconds."""

    rate: float
    processor_us: float


def measure_rates(processes: int) -> Rates:
    """Return the rates of processes that ask at once over the same meters, each for identities of its own."""
    context = get_context("spawn")
    with tempfile.TemporaryDirectory() as name, context.Manager() as manager, context.Pool(processes) as pool:
        folder, begin = Path(name) / "meters", manager.Barrier(processes)
        LmdbMeterStore.create(folder).close()
        rates = pool.starmap(_admit_all, [(folder, number, begin) for number in range(processes)])
    return Rates(sum(each.rate for each in rates), sum(each.processor_us for each in rates) / processes)


def _admit_all(folder: Path, process: int, begin: Barrier) -> Rates:
    """Admit the questions of a process, without the first of each identity, which fills the caches."""
    gate = Gate(AMPLE_POLICY, LmdbMeterStore(folder), bytes(32))
    identities = [Identity(f"{process}.{number}", NOW - 400 * DAY, is_verified=True) for number in range(IDENTITIES)]
    questions = [(identity, Question((_word(n),), 1)) for n in range(QUESTIONS_PER_IDENTITY) for identity in identities]
    for identity, question in questions[:IDENTITIES]:
        gate.admit(identity, question, _CORE, NOW)
    begin.wait()
    start, used = perf_counter(), process_time()
    for identity, question in questions[IDENTITIES:]:
        assert not isinstance(gate.admit(identity, question, _CORE, NOW), Refused)
    count = len(questions) - IDENTITIES
    rates = Rates(count / (perf_counter() - start), (process_time() - used) / count * 1e6)
    gate.store.close()
    return rates


class FastRegister(Register):
    """A register that is not flushed to the disk, or to register so many clients takes minutes."""

    PRAGMAS = ("synchronous = off",)


def measure_overhead(identities: int, questions: int = QUESTIONS) -> float:
    """Return the median microseconds of so many questions; identities beyond 300 have asked before."""
    with tempfile.TemporaryDirectory() as name:
        register = FastRegister.create(Path(name) / "clients.db", bytes(32))
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
        word = _word(number)
        start = perf_counter_ns()
        client = register.identify(authorization, NOW)
        assert client is not None
        outcome = gate.admit(identity_of(client, None), Question((word,), 1), _CORE, NOW)
        times.append(perf_counter_ns() - start)
        assert not isinstance(outcome, Refused)
    return times


def _word(number: int) -> str:
    return "".join([chr(65 + number // 26**place % 26) for place in range(5)])
