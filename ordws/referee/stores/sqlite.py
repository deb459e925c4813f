"""The stores of one host, in SQLite files that all its workers share: sealed games, their news, and their results.

Turns are committed in groups: those that arrive while an earlier commit is on its way to the disk share the next one.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from ordws.database import PATIENCE_SECONDS, Database, Store
from ordws.errors import StoreDown
from ordws.referee.stores.news import GameNews, RowStored, SeatHandover

T = TypeVar("T")


class GroupCommit:
    """A process's writes to one database, committed in groups; no write returns before its commit has.

    The first write of a group is its leader: its thread waits for the write lock, closes the group, runs the writes of
    all in one transaction, and commits once. A leader that need not wait for the lock waits for nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._open_group: list[_Write[Any]] = []

    def run(self, statements: Callable[[sqlite3.Connection], T]) -> T:
        """Run statements, all or none of which take effect, and return their result once it is committed.

        Raises what they raise, which undoes none of the group's other writes, and StoreDown where SQLite refuses them
        or the group cannot be committed.
        """
        write = _Write(statements)
        with self._lock:
            group = self._open_group
            group.append(write)
        if group[0] is not write:
            return write.outcome.result()
        try:
            # The database is lent to one thread at a time, so here a leader waits for the group before its own.
            with self._database as db:
                self._database.begin(db)
                self._close(group)
                acknowledgements = [each.run(db) for each in group]
                db.execute("commit")
        except BaseException as err:
            self._close(group)
            why = str(err) if isinstance(err, StoreDown) else "a group commit was broken off"
            for each in group:
                each.outcome.set_exception(StoreDown(why))
            if not isinstance(err, StoreDown):
                raise
        else:
            for acknowledge in acknowledgements:
                acknowledge()
        return write.outcome.result()

    def _close(self, group: list[_Write[Any]]) -> None:
        """Let the next write begin another group."""
        with self._lock:
            if self._open_group is group:
                self._open_group = []


class _Write(Generic[T]):
    """One write of a group. Its thread waits for the outcome, which is set after the commit."""

    def __init__(self, statements: Callable[[sqlite3.Connection], T]) -> None:
        self.outcome: Future[T] = Future()
        self._statements = statements

    def run(self, db: sqlite3.Connection) -> Callable[[], None]:
        """Run the statements in a savepoint and return the function that sets the outcome.

        An exception of theirs is an outcome, unless SQLite has rolled back the whole transaction, as on a full disk.
        """
        db.execute("savepoint write")
        try:
            acknowledge = partial(self.outcome.set_result, self._statements(db))
        except Exception as err:
            if not db.in_transaction:
                raise
            db.execute("rollback to write")
            refused = StoreDown(f"a write was refused: {err}") if isinstance(err, sqlite3.Error) else err
            acknowledge = partial(self.outcome.set_exception, refused)
        db.execute("release write")
        return acknowledge


_APPEND: Final = (
    "insert into turns (game, number, row) select ?1, ?2, ?3"
    " where exists (select 1 from turns where game = ?1 and number = ?2 - 1)"
    " on conflict (game, number) do nothing"
)
_ROWS: Final = (
    "select row from turns where game = ?1 and (select expires from games where id = ?1) > ?2 order by number"
)
_TELL: Final = "insert into news (game, number, seat, generation) values (?, ?, ?, ?)"
_TAKE: Final = "insert or replace into seats_taken (game, seat, generation) values (?, ?, ?)"
# What is older than this many rows was read long ago: the stream looks four times a second.
_FORGET_NEWS: Final = "delete from news where id <= (select max(id) from news) - 10000"
# Few enough that no turn waits long for the write lock.
_SWEEP_BATCH: Final = 100
_CLOCK_SKEW_SECONDS: Final = 3_600


class SqliteGameStore(Store):
    """A store in a write-ahead log with synchronous=FULL; turns of a process that arrive together share a commit."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists games (
            id text primary key, edition integer not null, expires integer not null
        ) strict, without rowid;
        create index if not exists expiring on games (expires);
        create table if not exists turns (
            game text not null, number integer not null, row blob not null, primary key (game, number)
        ) strict, without rowid;
        create table if not exists news (
            id integer primary key autoincrement,
            game text not null, number integer not null, seat integer, generation integer
        ) strict;
        create table if not exists seats_taken (
            game text not null, seat integer not null, generation integer not null, primary key (game, seat)
        ) strict, without rowid;
        commit;
    """
    # A turn that was answered has to survive a power cut: its player has seen the verdict.
    PRAGMAS = ("synchronous = full",)

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        super().__init__(path, patience_seconds=patience_seconds)
        self._writes = GroupCommit(self._database)
        # A connection of its own, so that reading does not wait until a turn is on the disk.
        self._reader = Database(path, patience_seconds=patience_seconds)

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._reader.close()
        super().close()

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0."""

        def insert(db: sqlite3.Connection) -> None:
            db.execute("insert into games (id, edition, expires) values (?, ?, ?)", (game, edition, expires))
            db.execute("insert into turns (game, number, row) values (?, 0, ?)", (game, header))

        self._writes.run(insert)

    def append(self, game: str, number: int, row: bytes, taken: SeatHandover | None = None) -> bytes:
        """Append a row unless its number is taken, and return the row that now has the number.

        `taken` is the seat that the row gives to another browser.
        """

        def insert(db: sqlite3.Connection) -> bytes:
            if db.execute(_APPEND, (game, number, row)).rowcount == 1:
                db.execute(_TELL, (game, number, *(taken or (None, None))))
                if taken is not None:
                    db.execute(_TAKE, (game, *taken))
                return row
            found = db.execute("select row from turns where game = ? and number = ?", (game, number)).fetchone()
            if found is None:
                raise StoreDown("a sealed game is gone")
            stored: bytes = found[0]
            return stored

        return self._writes.run(insert)

    def rows(self, game: str, now: int) -> list[bytes]:
        """Return all rows of a game, its header first; none if it is unknown or has expired."""
        with self._reader as db:
            return [row for (row,) in db.execute(_ROWS, (game, now)).fetchall()]

    def expired(self, now: int) -> list[str]:
        """Return the games that the next sweep deletes."""
        with self._reader as db:
            rows = db.execute("select id from games where expires <= ?", (now - _CLOCK_SKEW_SECONDS,)).fetchall()
        return [game for (game,) in rows]

    def editions(self, now: int) -> frozenset[int]:
        """Return the numbers of the editions of all games that have not expired."""
        with self._reader as db:
            rows = db.execute("select distinct edition from games where expires > ?", (now,)).fetchall()
        return frozenset([edition for (edition,) in rows])

    def sweep(self, now: int) -> int:
        """Delete games that expired an hour ago, a few at a time, so that turns go on meanwhile."""

        def delete(db: sqlite3.Connection) -> int:
            ended = db.execute(
                "select id from games where expires <= ? limit ?", (now - _CLOCK_SKEW_SECONDS, _SWEEP_BATCH)
            ).fetchall()
            db.executemany("delete from turns where game = ?", ended)
            db.executemany("delete from seats_taken where game = ?", ended)
            db.executemany("delete from games where id = ?", ended)
            db.execute(_FORGET_NEWS)
            return len(ended)

        swept = 0
        while (ended := self._writes.run(delete)) == _SWEEP_BATCH:
            swept += ended
        return swept + ended


_LAST_ROW: Final = "select max(number) from turns where game = ?1 and (select expires from games where id = ?1) > ?2"
_GENERATIONS: Final = "select seat, generation from seats_taken where game = ?"
_CHANGES: Final = "select id, game, number, seat, generation from news where id > ? order by id"
_NEWEST: Final = "select coalesce(max(id), 0) from news"


class SqliteNews(Store):
    """A reader of the store that `SqliteGameStore` writes."""

    _last: int | None = None

    def read(self, game: str, now: int) -> GameNews | None:
        """Return the state of a game; None if it is unknown or has expired."""
        with self._database as db:
            self._begin(db)
            (rows,) = db.execute(_LAST_ROW, (game, now)).fetchone()
            return None if rows is None else GameNews(rows, dict(db.execute(_GENERATIONS, (game,)).fetchall()))

    def changes(self) -> list[RowStored]:
        """Return the rows that were stored since the last call, or since a game was first read."""
        with self._database as db:
            found = db.execute(_CHANGES, (self._begin(db),)).fetchall()
        if found:
            self._last = found[-1][0]
        return [
            RowStored(game, number, None if seat is None else SeatHandover(seat, generation))
            for _, game, number, seat, generation in found
        ]

    def _begin(self, db: sqlite3.Connection) -> int:
        """Return the id of the last row that was told, or of the newest: whoever begins misses none before it."""
        (newest,) = db.execute(_NEWEST).fetchone()
        # In a file that was made anew the numbers begin anew.
        self._last = newest if self._last is None else min(self._last, newest)
        return self._last


class SqliteResultStore(Store):
    """A store in a write-ahead log. A result that a power cut takes is taken anew when its game's rows are swept."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists results (
            game text primary key, ended integer not null, result blob not null
        ) strict, without rowid;
        create index if not exists results_by_end on results (ended);
        commit;
    """
    SWEEPS = ("delete from results where ended <= ?",)

    def keep(self, game: str, ended: int, result: bytes) -> None:
        """Store the result of a game that ended in this second since 1970, in place of an earlier one."""
        self._run("insert or replace into results (game, ended, result) values (?, ?, ?)", (game, ended, result))

    def find(self, game: str) -> bytes | None:
        """Return the result of a game; None if there is none."""
        row = self._one("select result from results where game = ?", (game,))
        return row[0] if row else None

    def ended_since(self, since: int) -> list[tuple[str, bytes]]:
        """Return the games that ended in this second or later, with their results, the last one first."""
        return self._all("select game, result from results where ended >= ? order by ended desc, game", (since,))
