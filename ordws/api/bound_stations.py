"""The games of events that are played at table stations: which device has which, until it has sent the game.

A device asks for them while it has a connection, and may play without one: its game names the one that it is for. They
are kept in the file of the games that devices kept, and as long as these.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ordws.api.kept_games import RETENTION_SECONDS
from ordws.database import Database
from ordws.row_cipher import RowCipher

_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists pairings (
        id text primary key,
        client integer not null,
        device integer not null,
        at integer not null,
        board text,
        row blob not null
    ) strict, without rowid;
    create index if not exists pairings_by_device on pairings (client, device);
    create index if not exists pairings_by_at on pairings (at);
    commit;
"""
_COLUMNS: Final = "id, device, board, row"
# Another device may take the game over until one has sent it.
_BIND: Final = (
    "insert into pairings (id, client, device, at, row) values (?, ?, ?, ?, ?) on conflict (id) do update"
    " set device = excluded.device, at = excluded.at, row = excluded.row where board is null"
)


class StationTable(Struct, frozen=True):
    """A game of an event as a station is told of it: its place, its players in the order of play, its rules."""

    event: str
    title: str
    round: int
    table: int
    game: int
    players: list[str]
    rules: str
    options: dict[str, str]
    """The options that differ from the rule set's, the clock among them."""


class BoundStation(Struct, frozen=True):
    """A game of an event that a device is to play, and the id of the game that it has kept, None before it has."""

    id: str
    device: int
    board: str | None
    table: StationTable


class BoundStations:
    """The games of events at the stations of all clients of one installation."""

    def __init__(self, path: Path, key: bytes) -> None:
        self._database = Database(path)
        self._cipher = RowCipher(key, "stations")

    @classmethod
    def create(cls, path: Path, key: bytes) -> BoundStations:
        """Open the games at path, and create their table where there is none."""
        bound = cls(path, key)
        bound._database.create(_SCHEMA)
        return bound

    def close(self) -> None:
        self._database.close()

    def bind(self, id: str, client: int, device: int, table: StationTable, now: int) -> BoundStation:
        """Give a game to a device, and return how it stands: one that was sent stays with the device that sent it."""
        row = self._cipher.encrypt(id, 0, msgspec.json.encode(table))
        with self._database as db:
            db.execute(_BIND, (id, client, device, now, row))
        found = self.find(client, id)
        assert found is not None
        return found

    def find(self, client: int, id: str) -> BoundStation | None:
        """Return a game of a client, None if it has none with this id."""
        with self._database as db:
            row = db.execute(f"select {_COLUMNS} from pairings where client = ? and id = ?", (client, id)).fetchone()
        return self._read(row) if row else None

    def list(self, client: int, device: int) -> tuple[BoundStation, ...]:
        """Return the games that a device has yet to send, by round, table and game."""
        statement = f"select {_COLUMNS} from pairings where client = ? and device = ? and board is null"
        with self._database as db:
            rows = db.execute(statement, (client, device)).fetchall()
        bound = [self._read(row) for row in rows]
        return tuple(sorted(bound, key=lambda each: (each.table.round, each.table.table, each.table.game, each.id)))

    def keep(self, client: int, id: str, board: str) -> None:
        """Note the game that a device has kept for this one, unless another was kept before."""
        with self._database as db:
            db.execute(
                "update pairings set board = ? where client = ? and id = ? and board is null", (board, client, id)
            )

    def remove(self, client: int, id: str) -> None:
        """Take a game from its device, unless it has sent it."""
        with self._database as db:
            db.execute("delete from pairings where client = ? and id = ? and board is null", (client, id))

    def sweep(self, now: int) -> int:
        """Delete the games that were bound more than fourteen days ago, and return their number."""
        with self._database as db:
            return db.execute("delete from pairings where at <= ?", (now - RETENTION_SECONDS,)).rowcount

    def _read(self, row: tuple[str, int, str | None, bytes]) -> BoundStation:
        id, device, board, encrypted = row
        table = msgspec.json.decode(self._cipher.decrypt(id, 0, encrypted), type=StationTable)
        return BoundStation(id, device, board, table)
