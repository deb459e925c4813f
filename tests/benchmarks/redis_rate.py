"""The questions a second that one core of a Redis server admits, and what Sybils learn over a cluster."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redis import Redis

from ordws.guard.charge import Charge, Identity, Question, Refused
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Pricing
from ordws.guard.stores.redis import RedisMeterStore
from ordws.web.senders import SLOTS_OVER_REDIS
from tests.benchmarks.figure import Figure
from tests.benchmarks.gate import AMPLE_POLICY, NOW
from tests.benchmarks.meter_storage import nth_word
from tests.mining.attack_task import RECORDED_LEXICON, AttackTask
from tests.mining.attack_task import measure as measure_attack
from tests.mining.bench_rows import ORDWS

if TYPE_CHECKING:
    from redis_server import RedisServer

TESTS = Path(__file__).parents[1]
IDENTITIES = 2_000
QUESTIONS = 10_000
CORE = frozenset({"PLAY", "TILE"})
SYBILS = 100


def measure() -> Iterator[Figure]:
    """Yield admissions a second of processor time of the server, which writes each to its disk, and what Sybils learn.

    As many questions arrive at once as a worker of the service asks. The time of our client is not counted.
    """
    sys.path[:0] = [str(TESTS)]
    from redis_cluster import LocalCluster
    from redis_server import DURABLE, RedisServer

    for what, charges in (
        ("a word new to a home client, in no game", home_charges),
        ("a play of a club's player, two core words and one other", club_charges),
    ):
        with tempfile.TemporaryDirectory() as name, RedisServer(Path(name) / "redis", *DURABLE) as server:
            figure = f"questions that one core of Redis admits a second: {what}"
            yield Figure("redis", figure, round(admissions_a_second(server, charges)), "/s")
    with tempfile.TemporaryDirectory() as name, LocalCluster(Path(name) / "cluster") as cluster:
        row = measure_attack(AttackTask(ORDWS, "sybils", SYBILS, 1, *RECORDED_LEXICON, redis=cluster.url), Policy())
        figure = f"learned a day by {SYBILS} unverified keys together, over a cluster of three nodes"
        yield Figure("mining-cluster", figure, row.outside_per_day, "words", f"<= {row.outside_bound}")


def home_charges(pricing: Pricing) -> Iterator[Charge]:
    """Yield the most expensive charges outside games: each brings a word new to its caller."""
    for number in range(QUESTIONS):
        identity = Identity(f"home {number % IDENTITIES}", NOW - 40 * DAY)
        yield _price(pricing, identity, Question((nth_word(number),), 1))


def club_charges(pricing: Pricing) -> Iterator[Charge]:
    """Yield the charges of plays in games of an operator's players, eight in each game."""
    for number in range(QUESTIONS):
        identity = Identity("club", NOW - 40 * DAY, f"{number % IDENTITIES}", is_verified=True, units=10**7)
        yield _price(pricing, identity, Question((nth_word(number), *CORE), 1, f"game {number // IDENTITIES // 8}"))


def _price(pricing: Pricing, identity: Identity, question: Question) -> Charge:
    return pricing.price(identity, question, CORE, NOW, cap=10**7)[0]


def admissions_a_second(server: RedisServer, charges: Callable[[Pricing], Iterator[Charge]]) -> float:
    """Return the number of admissions in a second of the time that the server's thread has a processor."""
    with (
        closing(RedisMeterStore.create(server.url)) as store,
        Redis.from_url(server.url) as client,
        ThreadPoolExecutor(SLOTS_OVER_REDIS) as threads,
    ):
        before = _thread_seconds(client)
        outcomes = threads.map(lambda charge: store.apply(charge, NOW), charges(Pricing(AMPLE_POLICY, bytes(32))))
        assert not any(isinstance(outcome, Refused) for outcome in outcomes)
        return QUESTIONS / (_thread_seconds(client) - before)


def _thread_seconds(client: Any) -> float:
    info = client.info("cpu")
    return float(info["used_cpu_user_main_thread"] + info["used_cpu_sys_main_thread"])
