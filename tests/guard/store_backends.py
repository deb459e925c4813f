"""The backends of meter stores in tests: files, a real server, and a real cluster."""

from __future__ import annotations

import shutil
from pathlib import Path

from redis import Redis
from redis_cluster import LocalCluster
from redis_server import DURABLE, RedisServer

from ordws.guard.charge import MeterStore
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.redis import RedisMeterStore


class LmdbBackend:
    """Meters in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "meters"
        self.address = str(self.path)

    def create(self) -> MeterStore:
        return LmdbMeterStore.create(self.path)

    def take_away(self) -> None:
        """Remove the folder in the middle of whatever is being done."""
        self.path.rename(self.path.with_name("away"))

    def bring_back(self) -> None:
        self.path.with_name("away").rename(self.path)

    def empty(self) -> None:
        """Restore the state before any meters were made."""
        shutil.rmtree(self.path, ignore_errors=True)

    def end(self) -> None:
        pass


class RedisBackend:
    """Meters in a Redis server."""

    def __init__(self, folder: Path) -> None:
        self.server = RedisServer(folder / "redis", *DURABLE)
        self.address = self.server.url

    def create(self) -> MeterStore:
        return RedisMeterStore.create(self.address)

    def take_away(self) -> None:
        self.server.kill()

    def bring_back(self) -> None:
        self.server.start()

    def empty(self) -> None:
        with Redis.from_url(self.address) as client:
            client.flushall()

    def end(self) -> None:
        self.server.kill()


class ClusterBackend:
    """Meters in a cluster of three Redis servers."""

    def __init__(self, folder: Path) -> None:
        self.cluster = LocalCluster(folder / "cluster")
        self.address = self.cluster.url

    def create(self) -> MeterStore:
        return RedisMeterStore.create(self.address)

    def take_away(self) -> None:
        self.cluster.kill()

    def bring_back(self) -> None:
        self.cluster.start()

    def empty(self) -> None:
        self.cluster.empty()

    def end(self) -> None:
        self.cluster.kill()


BACKENDS = (LmdbBackend, RedisBackend, ClusterBackend)


def open_store(address: str) -> MeterStore:
    """Open the store at an address, in any process."""
    return RedisMeterStore(address) if "://" in address else LmdbMeterStore(Path(address))
