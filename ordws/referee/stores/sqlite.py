"""A store of sealed games for one host, in one SQLite file that all its workers share."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from ordws.database import PATIENCE_SECONDS, Database, Store
from ordws.errors import StoreDown
from ordws.referee.stores.group_commit import GroupCommit
from ordws.referee.stores.news import SeatHandover

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
