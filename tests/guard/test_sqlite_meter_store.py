"""Tests of what holds for meters in a SQLite file alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from ordws.errors import StoreDown
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores.sqlite import SqliteMeterStore

NOW = 1_000
HOUR = 3_600
UNITS = Meter("me/1/units", 9, 2_000)
INVALID = Meter("me/game/invalid", 9, 2_000)
FIRST_VERSION = """
    pragma journal_mode = wal;
    create table if not exists meters (name text primary key, spent integer not null, ends integer not null)
        strict, without rowid;
    create table if not exists marks (key blob primary key, ends integer not null) strict, without rowid;
    insert into meters values ('00/1/units', 20, 86400), ('11/1/units', 3, 86400), ('11/2/game', 3, 172800);
    insert into marks values (x'aabb', 99999);
"""
"""The tables of the first version, with a day on which units were spent."""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "meters.db"


@pytest.fixture
def store(path):
    store = SqliteMeterStore.create(path)
    yield store
    store.close()


@pytest.fixture
def old(path):
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FIRST_VERSION)
    return path


def marks(*ends):
    return tuple([Mark(b"%d" % n, end, (UNITS.name,)) for n, end in enumerate(ends)])


def test_a_sweep_deletes_meters_two_days_after_their_end(store):
    """Meters and marks are deleted two days after they ended; running ones stay."""
    store.admit(Charge((UNITS, Meter("me/1/core", 9, 1_500)), {}, marks(1_100, 1_900)), NOW)
    store.admit(Charge((), {}, ()), 5 * DAY)
    assert store.sweep(1_099 + 2 * DAY) == 0
    assert store.sweep(1_600 + 2 * DAY) == 2
    assert store.read([UNITS], 1_600) == [MeterReading(2, 2_000)]
    assert store.find_mark_end(b"1", 1_600) == 1_900


def test_a_sweep_keeps_shared_meters_and_fingerprints_for_400_days(store):
    """Shared meters and those with fingerprints are deleted 400 days after they ended."""
    world = Meter("world/1/world", 9, 2_000)
    store.admit(Charge((UNITS, world), {world.name: 4}, (), UNITS.name, long_kept=(world.name,)), NOW)
    store.admit(Charge((), {}, ()), 500 * DAY)
    assert store.sweep(1_999 + 400 * DAY) == 0
    assert list(store.stored_meters("")) == [StoredMeter("me/1/units", 0, b""), StoredMeter("world/1/world", 4, b"")]
    assert store.sweep(2_000 + 400 * DAY) == 2
    assert list(store.stored_meters("")) == []


def test_a_long_sweep_deletes_everything_in_batches(store):
    """A sweep deletes everything that has ended, in however many batches."""
    for first in range(0, 4_500, 500):
        store.admit(Charge((), {}, tuple([Mark(b"%d" % n, 1_100) for n in range(first, first + 500)])), NOW)
    store.admit(Charge((), {}, ()), 9 * DAY)
    assert store.sweep(9 * DAY) == 4_500
    assert store.sweep(9 * DAY) == 0


def test_a_sweep_goes_as_far_as_questions_were_admitted(store):
    """A clock that jumps ahead deletes nothing before a question was admitted by it."""
    store.admit(Charge((), {}, (Mark(b"a", 1_100),)), NOW)
    assert store.sweep(90 * DAY) == 0
    store.admit(Charge((), {}, ()), 90 * DAY)
    assert store.sweep(90 * DAY) == 1


def test_a_store_that_was_only_opened_makes_no_file(path):
    """Opening a store makes no file, so that lost meters are noticed."""
    store = SqliteMeterStore(path)
    with pytest.raises(StoreDown):
        store.read([UNITS], NOW)
    assert not path.exists()


def test_the_file_is_readable_by_its_owner_alone(store, path):
    """The file can be read by its owner alone, because it shows how much everybody asks."""
    assert path.stat().st_mode & 0o777 == 0o600


def test_old_meters_are_of_no_use_until_they_are_migrated(old):
    """Opening meters of an old version neither changes nor uses them."""
    store = SqliteMeterStore(old)
    with pytest.raises(StoreDown):
        store.admit(Charge((UNITS,), {}, ()), NOW)
    store.close()
    with closing(sqlite3.connect(old)) as db:
        assert db.execute("select count(*) from meters").fetchone() == (3,)


def test_old_meters_are_migrated_once(old):
    """Migration counts the last day on which anything was asked as spent to its end."""
    store = SqliteMeterStore.create(old)
    assert not store.is_new
    assert store.admit(Charge((UNITS,), {}, ()), NOW) == Refused("closed", 86_400 - NOW)
    assert store.find_mark_end(b"\xaa\xbb", NOW) is None
    assert list(store.stored_meters("")) == []
    store.close()
    again = SqliteMeterStore.create(old)
    assert not again.is_new
    tomorrow = Meter("me/2/units", 9, 2 * DAY)
    assert again.admit(Charge((tomorrow,), {tomorrow.name: 2}, ()), DAY) == Admitted(frozenset())
    assert again.read([tomorrow], DAY) == [MeterReading(2, 2 * DAY)]
    again.close()


def test_old_meters_without_charges_are_open(path):
    """Migration of meters that were never charged leaves the store open."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FIRST_VERSION)
        db.execute("delete from meters")
        db.commit()
    store = SqliteMeterStore.create(path)
    assert store.admit(Charge((UNITS,), {}, ()), NOW) == Admitted(frozenset())
    store.close()


def test_old_meters_that_were_closed_stay_closed(old):
    """Migration does not undo a restore's closing of the store."""
    with closing(sqlite3.connect(old)) as db:
        db.execute("insert into meters values ('closed', 0, 259200)")
        db.commit()
    store = SqliteMeterStore.create(old)
    assert store.admit(Charge((UNITS,), {}, ()), NOW) == Refused("closed", 259_200 - NOW)
    store.close()


SECOND_VERSION = f"""
    pragma journal_mode = wal;
    create table meters (name text primary key, spent integer not null, ends integer not null, alarm integer,
        trail blob, settled integer not null default 0) strict, without rowid;
    create index alarming on meters (name) where spent >= alarm;
    create table marks (key blob primary key, ends integer not null) strict, without rowid;
    insert into meters (name, spent, ends, alarm, trail) values ('me/1/units', 7, 2000, null, x'61616161'),
        ('world/1/world', 400, 2000, null, null), ('me/1/core', 1500, 2000, null, null),
        ('me/sign/run', {1 << 40}, 5000, 11513, null);
    insert into marks values (x'aabb', 99999);
    pragma user_version = 2;
"""
"""The tables of the second version, with an alarm, a player's mark, and shared meters known by their names."""


def test_meters_of_the_second_version_are_kept(path):
    """Meters, marks, alarms and the history of the shared meter are as they were, and nothing is given back."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SECOND_VERSION)
    for _ in range(2):
        store = SqliteMeterStore.create(path)
        assert not store.is_new
        core, world = Meter("me/1/core", 540, 2_000), Meter("world/1/world", 500, 2_000)
        assert store.read([UNITS, core, world], NOW) == [(7, 2_000), (1_500, 2_000), (400, 2_000)]
        assert store.admit(Charge((core,), {core.name: 1}, ()), NOW) == Refused(core.name, 1_000)
        assert store.active_alarms(NOW) == {"me/sign/run"}
        mark = Mark(b"\xaa\xbb", 100_000, (UNITS.name,))
        assert store.admit(Charge((UNITS,), {}, (mark,)), NOW) == Admitted(frozenset())
        kept = [StoredMeter("me/1/units", 7, b"aaaa"), StoredMeter("world/1/world", 400, b"")]
        assert list(store.stored_meters("")) == kept
        store.close()


def written(store, path, verdict):
    """Return the number of bytes that a verdict's settlement takes in the log."""
    store.admit(Charge((INVALID,), {INVALID.name: 1}, ()), NOW)
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    store.settle(INVALID.name, -1 if verdict else 0, NOW)
    return path.with_name("meters.db-wal").stat().st_size


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_no_writes_as_many_bytes_as_a_yes(store, path, before):
    """A no writes as many bytes as a yes; otherwise the file's size and the answer's time would tell them apart."""
    for _ in range(before):
        store.admit(Charge((INVALID,), {INVALID.name: 1}, ()), NOW)
    assert {written(store, path, verdict) for verdict in (True, False, True, False)} == {32 + 24 + 1_024}
