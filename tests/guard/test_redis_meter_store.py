"""Tests of what holds for meters in Redis alone."""

from __future__ import annotations

import pytest
from redis import Redis
from redis_server import DURABLE, RedisServer

from ordws.errors import BadInput, StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores.redis import RedisMeterStore

NOW = 1_000
UNITS = Meter("me/1/units", 9, 2_000)
CORE = Meter("me/1/core", 9, 2_000)
WORLD = Meter("world/1/world", 9, 2_000)
HINT = "set in redis.conf: appendonly yes, appendfsync always, maxmemory-policy noeviction"


@pytest.fixture
def serve(tmp_path):
    """Return a function that starts servers with the settings of a test."""
    servers = []

    def serve(*settings):
        servers.append(RedisServer(tmp_path / "redis", *settings))
        return servers[-1]

    yield serve
    for server in servers:
        server.kill()


@pytest.fixture
def server(serve):
    return serve(*DURABLE)


@pytest.fixture
def client(server):
    with Redis.from_url(server.url) as client:
        yield client


@pytest.fixture
def store(server):
    store = RedisMeterStore.create(server.url)
    yield store
    store.close()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (("--appendonly", "no"), '"appendonly" is "no", not "yes"'),
        (("--appendonly", "yes", "--appendfsync", "everysec"), '"appendfsync" is "everysec", not "always"'),
        ((*DURABLE, "--maxmemory-policy", "allkeys-lru"), '"maxmemory-policy" is "allkeys-lru", not "noeviction"'),
    ],
)
def test_a_server_that_forgets_is_refused(serve, settings, why):
    """A server that may lose or drop writes is refused, with the settings it needs as a hint."""
    with pytest.raises(StoreDown) as raised:
        RedisMeterStore(serve(*settings).url)
    assert str(raised.value) == f"the Redis server cannot be used: the server does not keep every write: its {why}"
    assert raised.value.hint == HINT


def test_a_server_with_unreadable_settings_is_refused(serve):
    """A server whose settings may not be read is refused."""
    with pytest.raises(StoreDown, match="the server does not tell whether it keeps every write") as raised:
        RedisMeterStore(serve(*DURABLE, "--rename-command", "CONFIG", "").url)
    assert raised.value.hint == HINT


def test_a_server_that_comes_back_forgetful_is_not_trusted(server, store, client):
    """The settings of a server are checked with each new connection, not only at the start."""
    client.config_set("appendfsync", "no")
    client.client_kill_filter(_type="normal", skipme=True)
    for _ in range(2):
        with pytest.raises(StoreDown, match='"appendfsync" is "no"'):
            store.read([], NOW)
    client.config_set("appendfsync", "always")
    assert store.read([], NOW) == []


def test_a_missing_server_is_an_error_at_once(tmp_path):
    """A store without its server cannot be opened, so that the service does not start."""
    with pytest.raises(StoreDown, match="the Redis server cannot be used"):
        RedisMeterStore(f"unix://{tmp_path}/none")


@pytest.mark.parametrize("url", ["", "127.0.0.1", "http://127.0.0.1", "redis://:SECRET@host:port"])
def test_a_url_that_cannot_be_read_is_an_error(url):
    """An invalid URL is not repeated in the error, because it may hold a password."""
    with pytest.raises(BadInput) as raised:
        RedisMeterStore(url)
    assert str(raised.value) == "the URL of the Redis server cannot be read"
    assert raised.value.hint == "as in redis://127.0.0.1:6379/0"


def test_a_wrong_password_is_not_repeated(serve):
    """Neither the right password nor the wrong one stands in the error."""
    server = serve(*DURABLE)
    with Redis.from_url(server.url) as client:
        client.config_set("requirepass", "RIGHT")
    with pytest.raises(StoreDown) as raised:
        RedisMeterStore(f"{server.url}?password=WRONG")
    assert "RIGHT" not in str(raised.value)
    assert "WRONG" not in str(raised.value)
    RedisMeterStore(f"{server.url}?password=RIGHT").close()


def test_a_replica_admits_nothing(store, client):
    """A replica refuses to write, so nothing is admitted; once it is the primary again, it serves."""
    client.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreDown):
        store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW)
    client.replicaof("NO", "ONE")
    assert store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW) == Admitted(frozenset())


def test_a_server_that_does_not_answer_in_time_is_down(server, store):
    """A question waits no longer than its patience, and the store serves again when the server answers."""
    hasty = RedisMeterStore(server.url, patience_seconds=0.5)
    server.halt()
    with pytest.raises(StoreDown):
        hasty.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW)
    server.go_on()
    store.read([UNITS], NOW)  # which has the patience to wait until the server runs again
    assert hasty.read([UNITS], NOW)[0].ends == 2_000
    hasty.close()


def test_a_full_server_admits_nothing_and_writes_nothing(store, client):
    """A server without memory writes no part of a charge."""
    client.config_set("maxmemory", "1")
    with pytest.raises(StoreDown):
        store.admit(Charge((UNITS,), {UNITS.name: 1}, (Mark(b"a", 1_800),)), NOW)
    client.config_set("maxmemory", "0")
    assert store.read([UNITS], NOW) == [MeterReading(0, 2_000)]
    assert store.find_mark_end(b"a", NOW) is None


def test_scripts_that_were_forgotten_are_sent_again(store, client):
    """Scripts that a server has lost are sent again."""
    client.script_flush()
    assert store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW) == Admitted(frozenset())


def test_everything_expires_long_after_it_ended(store, client):
    """Keys expire 26 hours after they ended, and long-kept meters after 400 days."""
    store.admit(
        Charge((UNITS, CORE, WORLD), {}, (Mark(b"a", 1_800, edition=5),), UNITS.name, long_kept=(WORLD.name,)), NOW
    )
    store.update_detectors([(DetectorSum("me/sign/run", 5, 5_000, 5_000), 1)], NOW)
    lives = {
        key: round(client.ttl(key) / 100) * 100
        for key in client.scan_iter()
        if key not in (b"ordws:kept", b"ordws:meter:closed")
    }
    assert lives == {
        b"ordws:meter:me/1/units": 1_000 + 400 * DAY,
        b"ordws:meter:world/1/world": 1_000 + 400 * DAY,
        b"ordws:meter:me/1/core": 1_000 + 26 * 3_600,
        b"ordws:mark:a": 800 + 26 * 3_600,
        b"ordws:meter:me/sign/run": 4_000 + 26 * 3_600,
    }


def test_expired_meters_leave_the_index(store, client):
    """The name of an expired meter is removed from the index when the index is read."""
    store.admit(Charge((UNITS, WORLD), {}, (), UNITS.name, long_kept=(WORLD.name,)), NOW)
    client.delete("ordws:meter:me/1/units")
    assert list(store.stored_meters("")) == [StoredMeter("world/1/world", 0, b"")]
    assert client.zrange("ordws:kept", 0, -1) == [b"ordws:meter:world/1/world"]


def test_an_expired_detector_is_not_in_alarm(store, client):
    """The name of an expired detector sum is removed from the set of alarms when the set is read."""
    store.update_detectors([(DetectorSum("me/sign/run", 5, 5_000, 5_000), 9)], NOW)
    client.delete("ordws:meter:me/sign/run")
    assert store.active_alarms(NOW) == frozenset()
    assert client.smembers("ordws:alarming") == set()


def test_marks_of_older_versions_run_on(store, client):
    """A mark that an older version wrote, without an edition, runs until its end."""
    client.set("ordws:mark:a", "1800")
    assert store.admit(Charge((UNITS,), {}, (Mark(b"a", 1_900, (UNITS.name,)),)), NOW) == Admitted(frozenset())
    assert store.find_mark_end(b"a", NOW) == 1_800
