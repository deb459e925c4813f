"""The games of events that are played at table stations: which device has which, until it has sent the game.

A device asks for them while it has a connection, and may play without one: its game names the one that it is for. They
are kept in the file of the games that devices kept, and as long as these.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from ordws.database import Store
from ordws.retention import KEPT_GAMES
from ordws.row_cipher import RowCipher

MOST_UNSENT: Final = 300
"""The games that one device has yet to send: many more than a table plays between two connections."""
_BOUND_COLUMNS: Final = "id, device, board, row"
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


class BoundStations(Store):
    """The games of events at the stations of all clients of one installation."""

    SCHEMA = """
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
    SWEEPS = ("delete from pairings where at <= ?",)

    def __init__(self, path: Path, key: bytes, *, keep_seconds: int = KEPT_GAMES.seconds) -> None:
        super().__init__(path, keep_seconds=keep_seconds)
        self._cipher = RowCipher(key, "stations")

    def bind(self, id: str, client: int, device: int, table: StationTable, now: int) -> BoundStation:
        """Give a game to a device, and return how it stands: one that was sent stays with the device that sent it."""
        row = self._cipher.encrypt(id, 0, msgspec.json.encode(table))
        self._run(_BIND, (id, client, device, now, row))
        found = self.find(client, id)
        assert found is not None
        return found

    def find(self, client: int, id: str) -> BoundStation | None:
        """Return a game of a client, None if it has none with this id."""
        row = self._one(f"select {_BOUND_COLUMNS} from pairings where client = ? and id = ?", (client, id))
        return self._read(row) if row else None

    def list(self, client: int, device: int) -> tuple[BoundStation, ...]:
        """Return the games that a device has yet to send, by round, table and game."""
        statement = f"select {_BOUND_COLUMNS} from pairings where client = ? and device = ? and board is null"
        bound = [self._read(row) for row in self._all(statement, (client, device))]
        return tuple(sorted(bound, key=lambda each: (each.table.round, each.table.table, each.table.game, each.id)))

    def is_full(self, client: int, device: int, id: str) -> bool:
        """Return whether a device has as many games to send as it may, without this one."""
        statement = "select count(*) from pairings where client = ? and device = ? and board is null and id <> ?"
        return bool(self._one(statement, (client, device, id))[0] >= MOST_UNSENT)

    def keep(self, client: int, id: str, board: str) -> None:
        """Note the game that a device has kept for this one, unless another was kept before."""
        self._run("update pairings set board = ? where client = ? and id = ? and board is null", (board, client, id))

    def remove(self, client: int, id: str) -> None:
        """Take a game from its device, unless it has sent it."""
        self._run("delete from pairings where client = ? and id = ? and board is null", (client, id))

    def _read(self, row: tuple[str, int, str | None, bytes]) -> BoundStation:
        id, device, board, encrypted = row
        table = msgspec.json.decode(self._cipher.decrypt(id, 0, encrypted), type=StationTable)
        return BoundStation(id, device, board, table)
