"""A store of the results of sealed games for one host, in one SQLite file that all its workers share."""

from __future__ import annotations

from ordws.database import Store


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
