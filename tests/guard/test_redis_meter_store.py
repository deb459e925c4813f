"""What holds of meters in Redis alone."""

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
    """Starts servers, set as a test says, and ends them after it."""
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
    """It has to write everything to its disk before it answers, and to drop nothing; what to set is said."""
    with pytest.raises(StoreDown) as raised:
        RedisMeterStore(serve(*settings).url)
    assert str(raised.value) == f"the Redis server cannot be used: the server does not keep every write: its {why}"
    assert raised.value.hint == HINT


def test_a_server_that_does_not_tell_is_refused(serve):
    """Where nobody may read its settings, nobody knows whether it forgets."""
    with pytest.raises(StoreDown, match="the server does not tell whether it keeps every write") as raised:
        RedisMeterStore(serve(*DURABLE, "--rename-command", "CONFIG", "").url)
    assert raised.value.hint == HINT


def test_a_server_that_comes_back_forgetful_is_not_trusted(server, store, client):
    """Its settings are looked at with each connection, not only at the start."""
    client.config_set("appendfsync", "no")
    client.client_kill_filter(_type="normal", skipme=True)
    for _ in range(2):
        with pytest.raises(StoreDown, match='"appendfsync" is "no"'):
            store.read([], NOW)
    client.config_set("appendfsync", "always")
    assert store.read([], NOW) == []


def test_a_server_that_is_not_there_is_told_at_once(tmp_path):
    """A service over it does not start."""
    with pytest.raises(StoreDown, match="the Redis server cannot be used"):
        RedisMeterStore(f"unix://{tmp_path}/none")


@pytest.mark.parametrize("url", ["", "127.0.0.1", "http://127.0.0.1", "redis://:SECRET@host:port"])
def test_a_url_that_cannot_be_read_is_an_error(url):
    """What is expected is said, and the URL, which may hold a password, is not repeated."""
    with pytest.raises(BadInput) as raised:
        RedisMeterStore(url)
    assert str(raised.value) == "the URL of the Redis server cannot be read"
    assert raised.value.hint == "as in redis://127.0.0.1:6379/0"


def test_a_wrong_password_is_told_without_it(serve):
    """Neither the right one nor the wrong one is in the error."""
    server = serve(*DURABLE)
    with Redis.from_url(server.url) as client:
        client.config_set("requirepass", "RIGHT")
    with pytest.raises(StoreDown) as raised:
        RedisMeterStore(f"{server.url}?password=WRONG")
    assert "RIGHT" not in str(raised.value)
    assert "WRONG" not in str(raised.value)
    RedisMeterStore(f"{server.url}?password=RIGHT").close()


def test_a_server_that_only_copies_admits_nothing(store, client):
    """It refuses to write, so nothing is looked up; when it is the first again, all goes on."""
    client.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreDown):
        store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW)
    client.replicaof("NO", "ONE")
    assert store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW) == Admitted(frozenset())


def test_a_server_that_does_not_answer_in_time_is_down(server, store):
    """A question waits no longer than it was told; when the server answers again, all goes on."""
    hasty = RedisMeterStore(server.url, patience_seconds=0.05)
    server.halt()
    with pytest.raises(StoreDown):
        hasty.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW)
    server.go_on()
    assert hasty.read([UNITS], NOW)[0].ends == 2_000
    hasty.close()


def test_a_full_server_admits_nothing_and_writes_nothing(store, client):
    """All of a charge or nothing, here too."""
    client.config_set("maxmemory", "1")
    with pytest.raises(StoreDown):
        store.admit(Charge((UNITS,), {UNITS.name: 1}, (Mark(b"a", 1_800),)), NOW)
    client.config_set("maxmemory", "0")
    assert store.read([UNITS], NOW) == [MeterReading(0, 2_000)]
    assert store.find_mark_end(b"a", NOW) is None


def test_scripts_that_were_forgotten_are_sent_again(store, client):
    """A server that was restarted does not know them."""
    client.script_flush()
    assert store.admit(Charge((UNITS,), {UNITS.name: 1}, ()), NOW) == Admitted(frozenset())


def test_everything_expires_long_after_it_ended(store, client):
    """Two days after; after 400 days what the report and the trace need."""
    store.admit(Charge((UNITS, CORE, WORLD), {}, (Mark(b"a", 1_800),), UNITS.name), NOW)
    store.update_detectors([(DetectorSum("me/sign/run", 5, 5_000, 5_000), 1)], NOW)
    lives = {
        key: round(client.ttl(key) / 100) * 100
        for key in client.scan_iter()
        if key not in (b"ordws:kept", b"ordws:meter:closed")
    }
    assert lives == {
        b"ordws:meter:me/1/units": 1_000 + 400 * DAY,
        b"ordws:meter:world/1/world": 1_000 + 400 * DAY,
        b"ordws:meter:me/1/core": 1_000 + 2 * DAY,
        b"ordws:mark:a": 800 + 2 * DAY,
        b"ordws:meter:me/sign/run": 4_000 + 2 * DAY,
    }


def test_what_expired_is_not_kept(store, client):
    """Its name goes from the index when somebody looks."""
    store.admit(Charge((UNITS, WORLD), {}, (), UNITS.name), NOW)
    client.delete("ordws:meter:me/1/units")
    assert list(store.stored_meters("")) == [StoredMeter("world/1/world", 0, b"")]
    assert client.zrange("ordws:kept", 0, -1) == [b"ordws:meter:world/1/world"]


def test_a_sign_that_expired_is_not_in_alarm(store, client):
    """Its name goes from the set when somebody looks."""
    store.update_detectors([(DetectorSum("me/sign/run", 5, 5_000, 5_000), 9)], NOW)
    client.delete("ordws:meter:me/sign/run")
    assert store.active_alarms(NOW) == frozenset()
    assert client.smembers("ordws:alarming") == set()
