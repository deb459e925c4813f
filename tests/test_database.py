"""Tests of a SQLite file that a process keeps open."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from contextlib import contextmanager

import pytest

from ordws.database import Database, check_database, copy_database
from ordws.errors import Broken, StoreDown

LONG = 3_600
SCHEMA = "pragma journal_mode = wal; create table if not exists numbers (n integer) strict;"


@pytest.fixture
def database(tmp_path):
    database = Database(tmp_path / "numbers.db", patience_seconds=0.05)
    database.create(SCHEMA)
    yield database
    database.close()


def add(database, number):
    with database as db:
        db.execute("insert into numbers values (?)", (number,))


def numbers(database):
    with database as db:
        return [n for (n,) in db.execute("select n from numbers order by n")]


def test_a_written_row_is_read(database):
    """A row that was written must be there at the next use."""
    add(database, 1)
    assert numbers(database) == [1]


def test_only_create_makes_a_file(tmp_path):
    """Only `create` may make a file."""
    database = Database(tmp_path / "none.db")
    with pytest.raises(StoreDown, match=r'"none\.db" does not answer: No such file or directory'):
        numbers(database)
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_cannot_be_made_is_an_error(tmp_path):
    """Creating a file where there is no folder is an error that names it."""
    with pytest.raises(StoreDown, match=r'cannot create ".*none/numbers.db": No such file or directory'):
        Database(tmp_path / "none" / "numbers.db").create(SCHEMA)


def test_a_store_that_is_opened_leaves_the_others_their_locks(database):
    """A file is opened by several stores of a process; what another process does and ends must leave them their log.

    Without its locks the other one takes itself for the last, and deletes the write-ahead log under them.
    """
    again = Database(database.path)
    again.create(SCHEMA)
    add(database, 1)
    command = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('insert into numbers values (2)');"
    command += "db.commit(); db.close()"
    subprocess.run([sys.executable, "-c", command, str(database.path)], check=True)
    add(again, 3)
    assert numbers(database) == [1, 2, 3]
    assert numbers(again) == [1, 2, 3]
    assert database.path.with_name("numbers.db-wal").exists()
    again.close()


def test_a_file_that_was_moved_away_and_back_works_again(database):
    """A file that was moved away must fail, though its connection is open, and work again when it is back."""
    add(database, 1)
    away = database.path.with_name("away")
    database.path.rename(away)
    for _ in range(2):
        with pytest.raises(StoreDown):
            add(database, 2)
    away.rename(database.path)
    add(database, 3)
    assert numbers(database) == [1, 3]


def test_a_file_that_was_replaced_is_opened_anew(database, tmp_path):
    """A file that replaces another at the path must be read at once."""
    add(database, 1)
    other = Database(tmp_path / "other.db")
    other.create(SCHEMA)
    add(other, 9)
    other.close()
    for end in ("-wal", "-shm"):
        database.path.with_name(f"numbers.db{end}").unlink()
    (tmp_path / "other.db").rename(database.path)
    assert numbers(database) == [9]


def test_a_damaged_file_fails_each_use(database):
    """A file that is no database must fail each use, until it is one again."""
    add(database, 1)
    database.close()
    good = database.path.read_bytes()
    database.path.write_bytes(b"x" * len(good))
    with pytest.raises(StoreDown, match=r'"numbers\.db" does not answer: file is not a database'):
        numbers(database)
    database.path.write_bytes(good)
    assert numbers(database) == [1]


def test_a_file_locked_for_too_long_is_an_error(database):
    """A file that another writer locks for too long must fail, and work again afterwards."""
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StoreDown, match="database is locked"):
        add(database, 1)
    other.execute("rollback")
    other.close()
    add(database, 2)
    assert numbers(database) == [2]


class Waited:
    """A lock that signals when a thread waits for it."""

    def __init__(self):
        self.seen, self._lock = threading.Event(), threading.Lock()
        self.release = self._lock.release

    def acquire(self, blocking=True, timeout=-1):
        if timeout > 0:
            self.seen.set()
        return self._lock.acquire(blocking, timeout)

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()


@contextmanager
def kept(database):
    """Have another thread hold the connection, until the end or until `done` is set."""
    taken, done = threading.Event(), threading.Event()

    def keep():
        with database:
            taken.set()
            done.wait()

    thread = threading.Thread(target=keep)
    thread.start()
    taken.wait()
    try:
        yield done
    finally:
        done.set()
        thread.join()


def test_waiting_for_the_connection_has_a_timeout(database):
    """A thread must give up when another thread holds the connection for too long."""
    with kept(database), pytest.raises(StoreDown, match=r'"numbers\.db" is busy'):
        numbers(database)
    assert numbers(database) == []


def test_after_a_timeout_other_threads_fail_at_once(database):
    """After a wait in vain the other threads must fail at once, and wait again once the file works."""
    with kept(database):
        with pytest.raises(StoreDown, match="is busy"):
            numbers(database)
        database._patience = LONG
        with pytest.raises(StoreDown, match="is busy"):
            numbers(database)
    assert numbers(database) == []
    database._lock = waited = Waited()
    with kept(database) as done:
        waiting = threading.Thread(target=add, args=(database, 1))
        waiting.start()
        assert waited.seen.wait(60)
        done.set()
        waiting.join()
    assert numbers(database) == [1]


def test_a_file_that_another_process_holds_stops_one_thread(database):
    """A thread that finds the file locked must give up after its patience, and others must not wait meanwhile."""
    other = sqlite3.connect(database.path, isolation_level=None)
    other.execute("begin immediate")
    with pytest.raises(StoreDown, match="database is locked"):
        add(database, 1)
    database._patience = LONG
    with database, pytest.raises(StoreDown, match="is busy"):
        numbers(database)
    other.execute("rollback")
    other.close()
    add(database, 2)
    assert numbers(database) == [2]


def test_an_error_leaves_nothing_half_written(database):
    """An exception must roll back an open transaction, and be raised as it is."""

    def fail_halfway():
        with database as db:
            db.execute("begin immediate")
            db.execute("insert into numbers values (1)")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert numbers(database) == []


def test_a_path_may_hold_any_character(tmp_path):
    """A path may hold characters that mean something in a URI."""
    folder = tmp_path / "a?b#c%20d"
    folder.mkdir()
    database = Database(folder / "numbers.db")
    database.create(SCHEMA)
    add(database, 1)
    assert numbers(database) == [1]
    database.close()
    assert [path.name for path in tmp_path.iterdir()] == ["a?b#c%20d"]


def test_a_copy_has_what_was_committed(database, tmp_path):
    """A copy must hold every committed row and none of a transaction that goes on; a damaged copy is told."""
    add(database, 1)
    writer = sqlite3.connect(database.path, isolation_level=None)
    writer.execute("begin immediate")
    writer.execute("insert into numbers values (2)")
    copy = tmp_path / "copy.db"
    copy.write_bytes(copy_database(database.path))
    writer.close()
    assert numbers(Database(copy)) == [1]
    check_database(copy)
    data = bytearray(copy.read_bytes())
    data[4_096:4_200] = b"x" * 104  # the page of the table
    copy.write_bytes(data)
    with pytest.raises(Broken, match=r'"copy\.db" is damaged'):
        check_database(copy)
