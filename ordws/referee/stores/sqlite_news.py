"""The news of the sealed games in one SQLite file, for a process that may only read it."""

from __future__ import annotations

import sqlite3
from typing import Final

from ordws.database import Store
from ordws.referee.stores.news import GameNews, RowStored, SeatHandover

_ROWS: Final = "select max(number) from turns where game = ?1 and (select expires from games where id = ?1) > ?2"
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
            (rows,) = db.execute(_ROWS, (game, now)).fetchone()
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
