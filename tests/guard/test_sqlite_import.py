"""Tests that the meters of older installations count on."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from ordws.errors import StoreDown
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores import sqlite_import
from ordws.guard.stores.lmdb import LmdbMeterStore

NOW = 1_000
UNITS = Meter("me/1/units", 9, 2_000)
CORE = Meter("me/1/core", 540, 2_000)
WORLD = Meter("world/1/world", 500, 2_000)
FIRST_VERSION = """
    create table meters (name text primary key, spent integer not null, ends integer not null) strict, without rowid;
    create table marks (key blob primary key, ends integer not null) strict, without rowid;
    insert into meters values ('00/1/units', 20, 86400), ('11/1/units', 3, 86400), ('11/2/game', 3, 172800);
    insert into marks values (x'aabb', 99999);
"""
SECOND_VERSION = f"""
    create table meters (name text primary key, spent integer not null, ends integer not null, alarm integer,
        trail blob, settled integer not null default 0) strict, without rowid;
    create table marks (key blob primary key, ends integer not null) strict, without rowid;
    insert into meters (name, spent, ends, alarm, trail) values ('me/1/units', 7, 2000, null, x'61616161'),
        ('world/1/world', 400, 2000, null, null), ('me/1/core', 1500, 2000, null, null),
        ('me/sign/run', {1 << 40}, 5000, 11513, null), ('me/sign/share', 3, 5000, 11513, null),
        ('closed', 950, 0, null, null);
    insert into marks values (x'aabb', 1900), (x'cccc', {300 * DAY}), (x'dddd', {3_650 * DAY});
    pragma user_version = 2;
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "meters.db"


def write(file, script):
    with closing(sqlite3.connect(file)) as db:
        db.executescript("pragma journal_mode = wal;" + script)


def migrate(file):
    store = LmdbMeterStore.create(file.with_name("meters"))
    assert not store.is_new
    return store


def test_meters_of_the_second_version_are_kept(file):
    """Meters, fingerprints, alarms, marks and the history of the shared meter count on, and the file goes."""
    write(file, SECOND_VERSION)
    store = migrate(file)
    assert not list(file.parent.glob("meters.db*"))
    assert store.read([UNITS, CORE, WORLD], NOW) == [(7, 2_000), (1_500, 2_000), (400, 2_000)]
    assert store.admit(Charge((CORE,), {CORE.name: 1}, ()), NOW) == Refused(CORE.name, 1_000)
    assert store.active_alarms(NOW) == {"me/sign/run"}
    marks = [store.find_mark_end(key, NOW) for key in (b"\xaa\xbb", b"\xcc\xcc", b"\xdd\xdd")]
    assert marks == [1_900, None, 3_650 * DAY]
    kept = [StoredMeter("me/1/units", 7, b"aaaa"), StoredMeter("world/1/world", 400, b"")]
    assert list(store.stored_meters("")) == kept
    with pytest.raises(StoreDown, match="the clock stands"):
        store.admit(Charge((), {}, ()), 900 - DAY)
    store.close()


def test_marks_of_the_third_version_keep_their_editions(file):
    """A mark that was charged under an edition tells it after the migration."""
    write(file, SECOND_VERSION.replace("user_version = 2", "user_version = 3"))
    with closing(sqlite3.connect(file)) as db:
        db.execute("alter table marks add column edition integer not null default 5")
        db.commit()
    store = migrate(file)
    mark = Mark(b"\xaa\xbb", 9_000, edition=6)
    assert store.admit(Charge((), {}, (mark,)), NOW) == Admitted(frozenset(), {b"\xaa\xbb": 5})
    store.close()


def test_of_the_first_version_the_last_day_counts_as_spent(file):
    """The first version had other meters, so its last day counts as spent to its end, and the next is whole."""
    write(file, FIRST_VERSION)
    store = migrate(file)
    assert store.admit(Charge((UNITS,), {}, ()), NOW) == Refused("closed", DAY - NOW)
    assert store.admit(Charge((UNITS,), {}, ()), DAY) == Admitted(frozenset())
    store.close()


@pytest.mark.parametrize("script", ["", FIRST_VERSION + "delete from meters;"])
def test_meters_without_charges_are_open(file, script):
    """Meters of which nobody had asked anything leave the store open."""
    write(file, script)
    store = migrate(file)
    assert store.admit(Charge((UNITS,), {}, ()), NOW) == Admitted(frozenset())
    store.close()


@pytest.mark.parametrize("place", ["_put_mark", "sync_folder"])
def test_an_interrupted_migration_is_repeated(file, monkeypatch, place):
    """A process killed while it migrates leaves a store that answers nothing, or all; the next one completes it."""

    def die(*_):
        raise KeyboardInterrupt

    write(file, SECOND_VERSION)
    with monkeypatch.context() as patch:
        patch.setattr(sqlite_import, place, die)
        with pytest.raises(KeyboardInterrupt):
            migrate(file)
    assert file.exists()
    store = LmdbMeterStore(file.with_name("meters"))
    try:
        assert store.read([UNITS], NOW) == [MeterReading(7, 2_000)]
    except StoreDown:
        assert place == "_put_mark"
    store.close()
    store = migrate(file)
    assert store.read([UNITS, CORE], NOW) == [(7, 2_000), (1_500, 2_000)]
    assert store.find_mark_end(b"\xaa\xbb", NOW) == 1_900
    assert not file.exists()
    store.close()


def test_the_larger_amount_holds(file):
    """Where both stores know a meter, as after a time under the older version, the larger amount and later end hold."""
    store = LmdbMeterStore.create(file.with_name("meters"))
    store.admit(Charge((UNITS, CORE), {UNITS.name: 9, CORE.name: 1}, (Mark(b"\xaa\xbb", 2_500),)), NOW)
    write(file, SECOND_VERSION)
    store = migrate(file)
    assert store.read([UNITS, CORE], NOW) == [(9, 2_000), (1_500, 2_000)]
    assert store.find_mark_end(b"\xaa\xbb", NOW) == 2_500
    store.close()


def test_a_damaged_file_is_not_taken_for_none(file):
    """A file that cannot be read stops the migration, however often it is tried, until the keeper removes it."""
    file.write_bytes(b"damaged" * 300)
    for _ in range(2):
        with pytest.raises(StoreDown, match=r'"meters\.db" cannot be read: file is not a database'):
            LmdbMeterStore.create(file.with_name("meters"))
        with pytest.raises(StoreDown):
            LmdbMeterStore(file.with_name("meters")).read([UNITS], NOW)
    file.unlink()
    assert LmdbMeterStore.create(file.with_name("meters")).is_new
