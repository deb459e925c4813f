"""The rows of sealed games on one host, in one SQLite file that all its workers share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ordws.database import PATIENCE_SECONDS, Database
from ordws.errors import StoreDown

_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists games (
        id text primary key, edition integer not null, expires integer not null
    ) strict, without rowid;
    create index if not exists expiring on games (expires);
    create table if not exists turns (
        game text not null, number integer not null, row blob not null, primary key (game, number)
    ) strict, without rowid;
    commit;
"""
_PRAGMAS: Final = ("synchronous = full",)  # a turn that was answered survives a loss of power
_APPEND: Final = (
    "insert into turns (game, number, row) select ?1, ?2, ?3"
    " where exists (select 1 from turns where game = ?1 and number = ?2 - 1)"
    " on conflict (game, number) do nothing"
)
_ROWS: Final = (
    "select row from turns where game = ?1 and (select expires from games where id = ?1) > ?2 order by number"
)
_SWEEP_BATCH: Final = 100
_CLOCK_SKEW_SECONDS: Final = 3_600


class SqliteGameStore:
    """A write-ahead log with synchronous=FULL."""

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._database = Database(path, *_PRAGMAS, patience_seconds=patience_seconds)
        self._reader = Database(path, patience_seconds=patience_seconds)  # does not wait until a turn is on the disk

    @classmethod
    def create(cls, path: Path) -> SqliteGameStore:
        """The store at path, made there if there is none; a store that was only opened is never made."""
        store = cls(path)
        store._database.create(_SCHEMA)
        return store

    def close(self) -> None:
        self._reader.close()
        self._database.close()

    def open(self, game: str, edition: int, header: bytes, expires: int) -> None:
        """Begin a game with its row 0."""
        with self._database as db:
            db.execute("begin immediate")
            db.execute("insert into games (id, edition, expires) values (?, ?, ?)", (game, edition, expires))
            db.execute("insert into turns (game, number, row) values (?, 0, ?)", (game, header))
            db.execute("commit")

    def append(self, game: str, number: int, row: bytes) -> bytes:
        """The row that stands under a number: this one, or the one that came first."""
        with self._database as db:
            db.execute("begin immediate")
            db.execute(_APPEND, (game, number, row))
            found = db.execute("select row from turns where game = ? and number = ?", (game, number)).fetchone()
            db.execute("commit")
        if found is None:
            raise StoreDown("a sealed game is gone")
        standing: bytes = found[0]
        return standing

    def rows(self, game: str, now: int) -> list[bytes]:
        """All rows of a game, its header first; none where it is unknown or has expired."""
        with self._reader as db:
            return [row for (row,) in db.execute(_ROWS, (game, now)).fetchall()]

    def editions(self, now: int) -> frozenset[int]:
        """The editions that games began with which have not expired."""
        with self._reader as db:
            rows = db.execute("select distinct edition from games where expires > ?", (now,)).fetchall()
        return frozenset([edition for (edition,) in rows])

    def sweep(self, now: int) -> int:
        """Forget games that expired an hour ago, a few at a time, so that turns go on meanwhile."""
        swept = 0
        while True:
            with self._database as db:
                db.execute("begin immediate")
                ended = db.execute(
                    "select id from games where expires <= ? limit ?", (now - _CLOCK_SKEW_SECONDS, _SWEEP_BATCH)
                ).fetchall()
                db.executemany("delete from turns where game = ?", ended)
                db.executemany("delete from games where id = ?", ended)
                db.execute("commit")
            swept += len(ended)
            if len(ended) < _SWEEP_BATCH:
                return swept
