"""Two hosts with one Redis: a row that a worker of one host stores wakes the players at the stream of the other."""

from __future__ import annotations

from contextlib import closing

import pytest
from redis_server import DURABLE, RedisServer
from stream_reader import StreamService

from ordws.instance import Instance
from ordws.referee.stores.news import SeatHandover
from ordws.referee.stores.redis import RedisGameStore
from ordws.stream.tickets import StreamSigner

KEY = b"s" * 32


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with RedisServer(tmp_path_factory.mktemp("redis") / "server", *DURABLE) as server:
        yield server


@pytest.fixture
def stream(server, tmp_path):
    """Run the stream of a host that has the key and the address of the Redis alone; no notice reaches it."""
    instance = Instance(tmp_path / "instance")
    instance.make_folders()
    instance.stream_key.write_bytes(KEY)
    instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
    with closing(RedisGameStore(server.url)) as store:
        service = StreamService(tmp_path, instance.root, store, StreamSigner(KEY), lambda _: None)
        yield service
        service.stop()


def test_a_row_of_another_host_wakes_its_players(stream, server):
    """What another host stores is told at once; while the server is away streams stay open, and nothing is lost."""
    game = stream.new_game()
    with stream.read(game, 0) as first, stream.read(game, 1) as second:
        assert (first.next_row()[0], second.next_row()[0]) == (0, 0)
        stream.append(game, 1)
        assert (first.next_row()[0], second.next_row()[0]) == (1, 1)
        woken = stream.metrics()
        assert woken["ordws_stream_wakeups", "redis"] + woken["ordws_stream_wakeups", "poll"] == 1
        server.kill()
        while stream.metrics()["ordws_stream_store_up",]:
            pass
        server.start()
        stream.await_metric(("ordws_stream_store_up",), 1)
        stream.append(game, 2, SeatHandover(0, 1))
        assert second.next_row()[0] == 2
        assert first.next() is None
