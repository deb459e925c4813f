"""`ordws serve`: errors before the start, and the preparation of meters."""

from __future__ import annotations

import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis
from redis_server import DURABLE, RedisServer

from ordws.cli import ordws, run
from ordws.cli.serve import prepare_meters
from ordws.guard.gate import Admitted, Refused
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.guard.stores.redis import RedisMeterStore

ROOT = Path(__file__).parents[2]
MAIN = "from ordws.cli import main; main()"


@pytest.fixture
def serve(installation):
    """Return a function that runs a service that is not to start, and gives its status and errors."""

    def serve(*arguments, **environment):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, "--instance", installation.instance.root, "serve", *arguments],
            cwd=ROOT,
            env={"PATH": "", **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.stdout == ""
        return done.returncode, done.stderr

    return serve


def test_a_taken_port_is_an_error(serve):
    """The error for a taken port names the address and the option that changes it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert serve("--bind", f"127.0.0.1:{port}") == (
            2,
            f'ordws: error: cannot listen on "127.0.0.1:{port}": Address already in use\n'
            "ordws: hint: --bind names another HOST:PORT\n",
        )


def test_without_an_edition_there_is_an_error(serve, installation):
    """A missing edition is an error that names its file."""
    installation.instance.sealed_edition.unlink()
    status, err = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert err.startswith(f'ordws: error: "{installation.instance.sealed_edition}" cannot be read')


@pytest.mark.parametrize("bind", ["8000", "127.0.0.1", ":8000", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x"])
def test_an_address_that_is_not_host_and_port_is_an_error(bind, monkeypatch, capsys):
    """An address that is not HOST:PORT is an error with an example."""
    monkeypatch.setattr("sys.argv", ["ordws", "serve", "--bind", bind])
    assert run(ordws, "ordws") == 2
    assert f'"{bind}" is not HOST:PORT, as in 127.0.0.1:8000' in capsys.readouterr().err


def test_debug_mode_is_refused(serve):
    """The service refuses debug mode, in which a debugger would show values to whoever causes an error."""
    assert serve("--bind", "127.0.0.1:0", FLASK_DEBUG="1") == (
        2,
        "ordws: error: the service does not run in debug mode, which shows values\nordws: hint: unset FLASK_DEBUG\n",
    )


NOON = 1_795_262_400
NOTHING = Charge((), {}, ())
CLOSED = Refused("closed", 43_200)
GONE = "ordws: warning: the meters were gone; nothing is answered before the next day, UTC\n"
SPENT = "ordws: warning: today's budgets count as spent; nothing is answered before the next day, UTC\n"
OLD = """
    create table meters (name text primary key, spent integer not null, ends integer not null) strict, without rowid;
    create table marks (key blob primary key, ends integer not null) strict, without rowid;
    insert into meters values ('00/20778/units', 20, 1795305600);
"""


def admitted(store):
    """Return what the store answers to a free question at noon."""
    try:
        return store.admit(NOTHING, NOON)
    finally:
        store.close()


def test_existing_meters_are_left_as_they_are(installation, capsys):
    """Existing meters are left as they are, without a message."""
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == ""
    assert isinstance(admitted(LmdbMeterStore(installation.instance.meters)), Admitted)


def test_lost_meters_count_as_spent(installation, capsys):
    """If meters are lost, today counts as spent, and the next start says so again."""
    shutil.rmtree(installation.instance.meters)
    for err in (GONE, SPENT):
        prepare_meters(installation.instance, NOON)
        assert capsys.readouterr().err == err
    assert admitted(LmdbMeterStore(installation.instance.meters)) == CLOSED
    prepare_meters(installation.instance, NOON + 43_200)
    assert capsys.readouterr().err == ""


def test_old_meters_are_migrated_and_count_as_spent(installation, capsys):
    """Meters of an old format are migrated, and today counts as spent, since it cannot be carried over."""
    shutil.rmtree(installation.instance.meters)
    with closing(sqlite3.connect(installation.instance.root / "meters.db")) as db:
        db.executescript(OLD)
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == SPENT
    assert admitted(LmdbMeterStore(installation.instance.meters)) == CLOSED


@pytest.fixture
def redis(installation, tmp_path):
    """Run the Redis server that the installation's settings name."""
    with RedisServer(tmp_path / "redis", *DURABLE) as server:
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        yield server


def test_redis_takes_the_place_of_an_unused_file(installation, redis, capsys):
    """An installation that was never asked anything moves to Redis with full budgets, but only once."""
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == ""
    assert not installation.instance.meters.exists()
    assert isinstance(admitted(RedisMeterStore(redis.url)), Admitted)
    with Redis.from_url(redis.url) as client:
        client.flushall()
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == GONE
    assert admitted(RedisMeterStore(redis.url)) == CLOSED


def test_a_move_to_redis_does_not_restore_budgets(installation, redis, capsys):
    """If the file of meters was used, today counts as spent in Redis; the file stays, for the trace."""
    store = LmdbMeterStore(installation.instance.meters)
    units = Meter("me/20778/units", 9, NOON + 43_200)
    store.admit(Charge((units,), {}, (Mark(b"a", NOON + 9, (units.name,), b"tttt"),), units.name), NOON)
    store.close()
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == GONE
    assert installation.instance.meters.exists()
    assert admitted(RedisMeterStore(redis.url)) == CLOSED


def test_a_second_host_joins_the_meters(installation, redis, capsys):
    """A second host joins the meters in Redis, and its unused file is removed.

    With the file, lost meters in Redis would begin anew instead of counting as spent.
    """
    RedisMeterStore.create(redis.url).close()
    prepare_meters(installation.instance, NOON)
    assert capsys.readouterr().err == ""
    assert not installation.instance.meters.exists()
    assert isinstance(admitted(RedisMeterStore(redis.url)), Admitted)


def test_a_redis_that_may_forget_writes_is_an_error(serve, installation, tmp_path):
    """The service does not start over a Redis that may forget writes, and says what to set."""
    with RedisServer(tmp_path / "redis", "--appendonly", "no") as server:
        installation.instance.settings.write_text(f'[store]\nredis = "{server.url}"\n')
        status, err = serve("--bind", "127.0.0.1:0")
    assert status == 2
    assert 'the server does not keep every write: its "appendonly" is "no", not "yes"\n' in err
    assert err.endswith(
        "ordws: hint: set in redis.conf: appendonly yes, appendfsync always, maxmemory-policy noeviction\n"
    )
