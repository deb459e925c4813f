"""Killed again and again under load: a worker, Redis, the whole host."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from persistent_clients import GENEROUS_SETTINGS, ClientLoad
from redis_server import DURABLE, RedisServer
from small_installation import SmallInstallation, build_installation
from supervised_host import SupervisedHost

from ordws.guard.stores.redis import RedisMeterStore


class KillReport(NamedTuple):
    """What was told while something was killed, all of which stood in the end."""

    what: str
    kills: int
    answers: int
    turns: int
    lost: int
    """Requests whose answer was lost."""
    restarts: int
    back_seconds: tuple[float, float]
    """Until as many answers came as there are clients: in the median, and the longest."""


def kill_workers(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """Workers of a host that keeps all in SQLite, one at a time."""
    chance = random.Random(times)
    with open_house(folder) as installation, SupervisedHost(folder, folder.with_suffix(".log")) as host:
        return kill_under_load("a worker", installation, host, [lambda: host.kill_worker(chance)] * times, keyed=keyed)


def kill_host(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """Main process and workers of a host that keeps all in SQLite, all at once."""
    with open_house(folder) as installation, SupervisedHost(folder, folder.with_suffix(".log")) as host:
        return kill_under_load("the whole host", installation, host, [host.kill] * times, keyed=keyed)


def kill_redis(folder: Path, times: int, *, keyed: bool = False) -> KillReport:
    """The server that keeps meters, games and replies."""
    with RedisServer(folder.with_suffix(".redis"), *DURABLE) as server, open_house(folder) as installation:

        def kill() -> None:
            server.kill()
            server.start()

        use_redis(installation, server.url)
        with SupervisedHost(folder, folder.with_suffix(".log")) as host:
            return kill_under_load("Redis", installation, host, [kill] * times, keyed=keyed)


@contextmanager
def open_house(folder: Path) -> Iterator[SmallInstallation]:
    with build_installation(folder) as installation:
        installation.instance.settings.write_text(GENEROUS_SETTINGS)
        yield installation


def use_redis(installation: SmallInstallation, url: str) -> None:
    """Let a house keep its meters and games there from its beginning on."""
    installation.instance.settings.write_text(f'{GENEROUS_SETTINGS}[store]\nredis = "{url}"\n')
    installation.instance.meters.unlink()
    RedisMeterStore.create(url).close()


def add_operator(installation: SmallInstallation) -> str:
    """A client with as many players as it likes."""
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
    """Kill at random moments under load, each time when the service was back; all that was told has to stand."""
    chance, back = random.Random(len(kills)), []
    with ClientLoad(host.port, add_operator(installation), keyed=keyed) as load:
        for kill in kills:
            load.told.wait_for(chance.randint(20, 80))
            kill()
            back.append(load.told.wait_for(4))
            load.check_latest()
        load.told.wait_for(10)
    load.check()
    told = load.told
    return KillReport(
        what, len(kills), told.answers, len(told.turns), told.lost, host.restarts, (median(back), max(back))
    )
