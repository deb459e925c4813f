"""Tests of a store that accepts connections but never replies: which requests wait, and which do not."""

from __future__ import annotations

import threading

import pytest
from redis_server import DURABLE, RedisServer

from ordws.errors import StoreDown
from ordws.referee.stores.redis import RedisGameStore

NOON = 1_795_262_400
PATIENCE_SECONDS = 0.5


@pytest.fixture
def server(tmp_path):
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        yield server
        server.go_on()


def test_one_request_at_a_time_tries_a_silent_store(server):
    """After a first timeout one request at a time tries the store and the others are refused; all resume with it."""
    turns = RedisGameStore(server.url, patience_seconds=PATIENCE_SECONDS)
    turns.open("game", 1, b"header", NOON)
    server.halt()
    with pytest.raises(StoreDown, match="Timeout"):
        turns.rows("game", 0)
    timeouts, begun = [], threading.Barrier(24)

    def ask():
        begun.wait()
        with pytest.raises(StoreDown) as raised:
            turns.rows("game", 0)
        timeouts.append("Timeout" in str(raised.value))

    threads = [threading.Thread(target=ask) for _ in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert 1 <= sum(timeouts) <= 4, "but for those who come when the first has done"
    server.go_on()
    assert turns.rows("game", 0) == [b"header"]
    assert turns.append("game", 1, b"row") == b"row"
    turns.close()
