"""Turns of one process that arrive together share a commit, and each of them succeeds or fails by itself."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from commit_count import count_commits

from ordws.database import Database
from ordws.errors import StoreDown
from ordws.referee.stores.sqlite import GroupCommit, SqliteGameStore

ROOT = Path(__file__).parents[2]
HOUR, NOON = 3_600, 1_795_262_400
PLENTY_SECONDS = 60.0


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.db"


@pytest.fixture
def store(path):
    SqliteGameStore.create(path).close()
    store = SqliteGameStore(path, patience_seconds=PLENTY_SECONDS)
    yield store
    store.close()


@pytest.fixture
def writes(path):
    """Return the writes to a database of two tables, whose child rows need a parent row at the commit."""
    database = Database(path, "foreign_keys = on", patience_seconds=PLENTY_SECONDS)
    database.create(
        "pragma journal_mode = wal; create table parent (id integer primary key) strict;"
        " create table child (id integer references parent deferrable initially deferred) strict"
    )
    yield GroupCommit(database)
    database.close()


@contextmanager
def locked(path):
    """Keep the write lock, as another process may."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin immediate")
    yield
    other.execute("rollback")
    other.close()


def run_in_one_group(path, writes: GroupCommit, calls: list[Callable[[], object]]) -> list[object]:
    """Make calls whose writes are all in the queue before the first can begin; return their results or exceptions."""
    with ThreadPoolExecutor(len(calls)) as pool:
        with locked(path):
            told = []
            for number, call in enumerate(calls, start=1):
                told.append(pool.submit(call))
                while len(writes._open_group) < number:
                    threading.Event().wait(0.001)
        return [each.exception() or each.result() for each in told]


def child(number):
    return lambda db: db.execute("insert into child values (?)", (number,)).rowcount


def parent(number):
    return lambda db: db.execute("insert into parent values (?)", (number,)).rowcount


def ids(path, table):
    with sqlite3.connect(path) as reader:
        found = {number for (number,) in reader.execute(f"select id from {table}")}
    reader.close()
    return found


def test_turns_that_arrive_together_share_a_commit(path, store):
    """Sixteen turns that wait for the lock are committed at once, and each caller gets its own row."""
    for number in range(16):
        store.open(f"{number}", 7, b"header", NOON + HOUR)
    before = count_commits(path)
    calls = [lambda number=number: store.append(f"{number}", 1, b"row %d" % number) for number in range(16)]
    told = run_in_one_group(path, store._writes, calls)
    assert count_commits(path) - before == 1
    assert told == [b"row %d" % number for number in range(16)]
    assert [store.rows(f"{number}", NOON)[1] for number in range(16)] == told


def test_a_turn_alone_has_a_commit_of_its_own(path, store):
    """Turns that come one after the other are each committed before the next: nothing waits for company."""
    store.open("a", 7, b"header", NOON + HOUR)
    before = count_commits(path)
    for number in range(1, 9):
        store.append("a", number, b"row")
        assert count_commits(path) - before == number


def test_the_first_row_wins_within_a_group(path, store):
    """Of sixteen moves for one turn in one group the first is made, and all callers are told that one."""
    store.open("a", 7, b"header", NOON + HOUR)
    told = run_in_one_group(
        path, store._writes, [lambda at=at: store.append("a", 1, b"move %d" % at) for at in range(16)]
    )
    assert told == [b"move 0"] * 16
    assert store.rows("a", NOON) == [b"header", b"move 0"]


def test_turns_of_a_group_may_follow_each_other(path, store):
    """A turn may follow one of the same group, and none follows a turn of the group that was refused."""
    store.open("a", 7, b"header", NOON + HOUR)
    numbers = (1, 2, 4, 5, 3)
    told = run_in_one_group(
        path, store._writes, [lambda number=number: store.append("a", number, b"%d" % number) for number in numbers]
    )
    assert (told[:2], told[4]) == ([b"1", b"2"], b"3")
    assert [(type(each), str(each)) for each in told[2:4]] == [(StoreDown, "a sealed game is gone")] * 2
    assert store.rows("a", NOON) == [b"header", b"1", b"2", b"3"]


def test_an_exception_fails_one_write_alone(path, writes):
    """A write that raises, or that SQLite refuses, is undone and told its own caller; the others are committed."""

    def fail_after_a_row(db):
        parent(2)(db)
        raise LookupError("what a caller looks for")

    told = run_in_one_group(
        path,
        writes,
        [lambda each=each: writes.run(each) for each in (parent(1), fail_after_a_row, parent(1), parent(3))],
    )
    assert (told[0], told[3]) == (1, 1)
    assert (type(told[1]), str(told[1])) == (LookupError, "what a caller looks for")
    assert (type(told[2]), str(told[2])) == (StoreDown, "a write was refused: UNIQUE constraint failed: parent.id")
    assert ids(path, "parent") == {1, 3}


def test_a_commit_that_fails_acknowledges_nothing(path, writes):
    """If the commit of a group fails, every write of it gets StoreDown of its own, none is kept, and the next works."""
    told = run_in_one_group(
        path, writes, [lambda each=each: writes.run(each) for each in (parent(1), child(9), parent(2))]
    )
    assert {(type(each), str(each)) for each in told} == {
        (StoreDown, '"games.db" does not answer: FOREIGN KEY constraint failed')
    }
    assert len({id(each) for each in told}) == 3
    assert ids(path, "parent") == ids(path, "child") == set()
    assert writes.run(parent(1)) == 1
    assert ids(path, "parent") == {1}


def test_a_transaction_that_sqlite_rolls_back_acknowledges_nothing(path, writes):
    """Where a refusal rolls back the whole transaction, writes before and after it in the group get StoreDown too."""
    writes.run(parent(1))

    def refused(db):
        db.execute("insert or rollback into parent values (1)")

    told = run_in_one_group(
        path, writes, [lambda each=each: writes.run(each) for each in (parent(2), refused, parent(3))]
    )
    why = '"games.db" does not answer: UNIQUE constraint failed: parent.id'
    assert [(type(each), str(each)) for each in told] == [(StoreDown, why)] * 3
    assert ids(path, "parent") == {1}
    assert writes.run(parent(2)) == 1


def test_a_leader_that_is_broken_off_leaves_nobody_waiting(path, writes):
    """An exception that ends the leader's thread fails its group with StoreDown, and the next group has a leader."""

    def end_the_thread(db):
        raise SystemExit

    told = run_in_one_group(
        path, writes, [lambda each=each: writes.run(each) for each in (parent(1), end_the_thread, parent(2))]
    )
    assert isinstance(told[0], SystemExit)
    assert [(type(each), str(each)) for each in told[1:]] == [(StoreDown, "a group commit was broken off")] * 2
    assert writes.run(parent(3)) == 1
    assert ids(path, "parent") == {3}


def test_a_lock_that_is_kept_fails_the_group_and_not_the_next(path):
    """After its patience a leader that cannot have the lock gives up for its group; when the lock is free all works."""
    SqliteGameStore.create(path).close()
    store = SqliteGameStore(path, patience_seconds=0)
    store.open("a", 7, b"header", NOON + HOUR)
    with locked(path), pytest.raises(StoreDown, match="database is locked"):
        store.append("a", 1, b"row")
    assert store.append("a", 1, b"other row") == b"other row"
    store.close()


def test_the_lock_is_asked_for_at_short_intervals(path, store):
    """A leader asks for the lock a hundred times and more: another busy process frees it for microseconds at a time."""
    store.open("a", 7, b"header", NOON + HOUR)
    asked: list[str] = []
    with store._database as db:
        db.set_trace_callback(lambda statement: asked.append(statement))
    with ThreadPoolExecutor(1) as pool:
        with locked(path):
            told = pool.submit(store.append, "a", 1, b"row")
            while asked.count("begin immediate") < 100 and not told.done():
                threading.Event().wait(0.001)
        assert told.result() == b"row"


PLAYER = """
import os, sys, threading
from pathlib import Path
from ordws.referee.stores.sqlite import SqliteGameStore

path, first, games = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
store = SqliteGameStore(path)

def play(game):
    number = len(store.rows(game, 0))
    while True:
        stored = store.append(game, number, b"%d" % number)
        os.write(1, f"{game} {number}\\n".encode())
        number += 1

for game in range(first, first + games):
    threading.Thread(target=play, args=(f"{game}",)).start()
"""


def play_without_end(path, first, games):
    """Start a process that plays so many games in threads, and writes a line for each turn that was acknowledged."""
    command = [sys.executable, "-c", PLAYER, str(path), str(first), str(games)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def test_killed_processes_lose_no_acknowledged_turn(path, store):
    """Two processes with eight threads each, killed ten times at any point: each acknowledged turn is there."""
    for number in range(16):
        store.open(f"{number}", 7, b"0", NOON + HOUR)
    acknowledged = {f"{number}": 0 for number in range(16)}
    for kill in range(10):
        players = [play_without_end(path, first, 8) for first in (0, 8)]
        for player in players:
            lines = [player.stdout.readline() for _ in range(5 + 7 * kill)]
            player.send_signal(signal.SIGKILL)
            lines += player.stdout.read().splitlines()
            assert player.wait(PLENTY_SECONDS) == -signal.SIGKILL
            player.stdout.close()
            for line in lines:
                game, number = line.decode().split()
                acknowledged[game] = max(acknowledged[game], int(number))
    assert sum(acknowledged.values()) > 500
    for game, number in acknowledged.items():
        rows = store.rows(game, NOON)
        assert len(rows) > number
        assert rows == [b"%d" % each for each in range(len(rows))]
