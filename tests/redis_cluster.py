"""A real cluster of three servers on this host, as a store of meters needs it."""

from __future__ import annotations

import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from free_ports import free_port
from redis import Redis
from redis.exceptions import RedisError
from redis_server import DURABLE, TIMEOUT_SECONDS, RedisServer

NODES = 3
NODE_TIMEOUT_MILLISECONDS = 10_000
"""A node that a busy machine holds up for less than this is not taken for lost."""


class RedisNode(RedisServer):
    """One node of a cluster, which keeps its port when it is started again."""

    def __init__(self, folder: Path, *settings: str) -> None:
        # A node is reached by its port, and by other nodes by a second one.
        self.port, bus = free_port(), free_port()
        cluster = ("--cluster-enabled", "yes", "--cluster-node-timeout", str(NODE_TIMEOUT_MILLISECONDS))
        listening = ("--bind", "127.0.0.1", "--port", str(self.port), "--cluster-port", str(bus))
        super().__init__(folder, *DURABLE, *cluster, *listening, *settings)


class LocalCluster:
    """Three nodes without replicas, each of which has a third of all slots."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        with ExitStack() as started:
            self.nodes = [started.enter_context(RedisNode(folder / str(number))) for number in range(NODES)]
            addresses = [f"127.0.0.1:{node.port}" for node in self.nodes]
            subprocess.run(
                ["redis-cli", "--cluster", "create", *addresses, "--cluster-yes"],
                check=True,
                stdout=subprocess.DEVNULL,
                timeout=TIMEOUT_SECONDS,
            )
            self.url = f"redis://{addresses[0]}/0"
            self.wait_until_ready()
            started.pop_all()

    def __enter__(self) -> LocalCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start the nodes again and return when they answer."""
        for node in self.nodes:
            node.start()
        self.wait_until_ready()

    def kill(self) -> None:
        """End all nodes at once, in the middle of whatever they do."""
        for node in self.nodes:
            node.kill()

    def empty(self) -> None:
        """Delete all keys of all nodes."""
        for node in self.nodes:
            with Redis(port=node.port) as client:
                client.flushall()

    def wait_until_ready(self) -> None:
        """Return when every node serves its slots and knows the others."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        for node in self.nodes:
            with Redis(port=node.port) as client:
                while not _is_ready(client):
                    assert time.monotonic() < deadline, "the cluster does not become ready"


def _is_ready(client: Redis) -> bool:
    """Return whether a node knows that all slots are served, and by how many nodes."""
    try:
        info = client.cluster("INFO")
    except RedisError:
        return False
    return info["cluster_state"] == "ok" and info["cluster_size"] == str(NODES)
