"""Repeated kills under load: of a worker, of Redis, of the whole host."""

from __future__ import annotations

import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from persistent_clients import GENEROUS_SETTINGS, ClientLoad
from processes import TIMEOUT_SECONDS
from redis_server import DURABLE, RedisServer
from small_installation import SmallInstallation, build_installation
from supervised_host import SupervisedHost

from ordws.guard.stores.redis import RedisMeterStore


class KillReport(NamedTuple):
    """The acknowledgements during the kills, all of which held in the end."""

    what: str
    kills: int
    answers: int
    turns: int
    lost: int
    """Requests whose reply was lost."""
    restarts: int
    back_seconds: tuple[float, float]
    """The seconds until as many replies came as there are clients: the median and the maximum."""


def kill_workers(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """Kill workers of a host whose stores are all in SQLite, one at a time."""
    chance = random.Random(times)
    with open_installation(folder) as installation, SupervisedHost(folder, folder.with_suffix(".log")) as host:
        return kill_under_load("a worker", installation, host, [lambda: host.kill_worker(chance)] * times, keyed=keyed)


def kill_host(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """Kill the main process and all workers of a host whose stores are all in SQLite."""
    with open_installation(folder) as installation, SupervisedHost(folder, folder.with_suffix(".log")) as host:
        return kill_under_load("the whole host", installation, host, [host.kill] * times, keyed=keyed)


def kill_redis(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """Kill the server that keeps meters, games and replies."""
    with RedisServer(folder.with_suffix(".redis"), *DURABLE) as server, open_installation(folder) as installation:

        def kill() -> None:
            server.kill()
            server.start()

        use_redis(installation, server.url)
        with SupervisedHost(folder, folder.with_suffix(".log")) as host:
            return kill_under_load("Redis", installation, host, [kill] * times, keyed=keyed)


@contextmanager
def open_installation(folder: Path) -> Iterator[SmallInstallation]:
    with build_installation(folder) as installation:
        installation.instance.settings.write_text(GENEROUS_SETTINGS)
        yield installation


def await_true(condition: Callable[[], object]) -> None:
    """Wait until a condition holds; fail when it does not hold in time."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.005)


def use_redis(installation: SmallInstallation, url: str) -> None:
    """Let an installation keep its meters and games in Redis from the start."""
    installation.instance.settings.write_text(f'{GENEROUS_SETTINGS}[store]\nredis = "{url}"\n')
    shutil.rmtree(installation.instance.meters)
    RedisMeterStore.create(url).close()


def add_operator(installation: SmallInstallation) -> str:
    """Register a client with any number of players."""
    key = installation.register.add("hall", "operator", 1_700_000_000, units=1_000_000)
    installation.register.verify("hall", 1_700_000_000)
    return key


def kill_under_load(
    what: str,
    installation: SmallInstallation,
    host: SupervisedHost,
    kills: Sequence[Callable[[], None]],
    *,
    keyed: bool = False,
) -> KillReport:
    """Kill at random moments under load, each time after the service recovered; every acknowledgement has to hold."""
    chance, back = random.Random(len(kills)), []
    with ClientLoad(host.port, add_operator(installation), keyed=keyed) as load:
        for kill in kills:
            load.acknowledged.wait_for(chance.randint(20, 80))
            kill()
            back.append(load.acknowledged.wait_for(4))
            load.check_latest()
        load.acknowledged.wait_for(10)
    load.check()
    acknowledged = load.acknowledged
    return KillReport(
        what,
        len(kills),
        acknowledged.answers,
        len(acknowledged.turns),
        acknowledged.lost,
        host.restarts,
        (median(back), max(back)),
    )
