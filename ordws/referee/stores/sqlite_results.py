"""A store of the results of sealed games for one host, in one SQLite file that all its workers share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ordws.database import PATIENCE_SECONDS, Database

_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists results (
        game text primary key, ended integer not null, result blob not null
    ) strict, without rowid;
    create index if not exists results_by_end on results (ended);
    commit;
"""


class SqliteResultStore:
    """A store in a write-ahead log. A result that a power cut takes is taken anew when its game's rows are swept."""

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._database = Database(path, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, path: Path) -> SqliteResultStore:
        """Open the store at a path, and make it if there is none."""
        store = cls(path)
        store._database.create(_SCHEMA)
        return store

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._database.close()

    def keep(self, game: str, ended: int, result: bytes) -> None:
        """Store the result of a game that ended in this second since 1970, in place of an earlier one."""
        with self._database as db:
            db.execute("insert or replace into results (game, ended, result) values (?, ?, ?)", (game, ended, result))

    def find(self, game: str) -> bytes | None:
        """Return the result of a game; None if there is none."""
        with self._database as db:
            row = db.execute("select result from results where game = ?", (game,)).fetchone()
        return row[0] if row else None

    def ended_since(self, since: int) -> list[tuple[str, bytes]]:
        """Return the games that ended in this second or later, with their results, the last one first."""
        statement = "select game, result from results where ended >= ? order by ended desc, game"
        with self._database as db:
            return db.execute(statement, (since,)).fetchall()

    def sweep(self, ended: int) -> int:
        """Delete the results of games that ended by this second, and return their number."""
        with self._database as db:
            return db.execute("delete from results where ended <= ?", (ended,)).rowcount
