"""The records of a club's paired devices: the log of questions, finished games, and games of events to be played.

The log has the time and the words of questions at a table, where its director wanted one. It holds no plain words and
no verdicts. A word is a keyed hash, under a key of the client derived from the meters' key, which is in no backup: the
file alone does not allow to test words against it. Nobody can fill it with questions that cost nothing, so that later
ones would be missing. A question is logged if one of its words is new to the device on that UTC day. The budgets bound
such words, besides 676 pairs of letters, which are free: by default to fewer than are logged. Of other questions, those
of repeated words, 200 a day are logged.

A finished game is encrypted under a key of the game, derived from the games' key, which is in no backup. It is kept
once for a label that its device has opened, and is never changed.

A device asks for its games of events while it has a connection, and may play without one: its game names the one that
it is for. They are kept in the file of the finished games, and as long as these.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ordws.database import Database, Store
from ordws.retention import DAY, JUDGE_LOG, KEPT_GAMES
from ordws.row_cipher import RowCipher

PAGE_SIZE: Final = 100
"""The entries of a page, which makes no reply longer than 64 KB."""

MAX_NEW_PER_DAY: Final = 2_000
"""The questions of a device and day with a new word that are logged: more than default budgets allow."""

MAX_REPEATS_PER_DAY: Final = 200
_HASH_DIGITS: Final = 16
_SELECT_ENTRIES: Final = "select id, at, place, words, hashes from entries where client = ? and id < ?"
_COUNT_ENTRY: Final = (
    "insert into logged values (?, ?, ?, 1) on conflict (device, day, is_new) do update set entries = entries + 1"
    " where entries < ? returning 1"
)
_MAX_ID: Final = 2**63 - 1


class LoggedQuestion(NamedTuple):
    """A question that was judged at a table. The hashes are sorted, and so are not in the order of the words."""

    id: int
    at: int
    table: str
    words: int
    hashes: tuple[str, ...]


class JudgeLog(Store):
    """The log of all clients of one installation. It is read over a second connection, so that no writer waits."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists entries (
            id integer primary key autoincrement,
            client integer not null,
            at integer not null,
            place text not null,
            words integer not null,
            hashes text not null
        ) strict;
        create table if not exists logged (
            device integer not null,
            day integer not null,
            is_new integer not null,
            entries integer not null,
            primary key (device, day, is_new)
        ) strict, without rowid;
        create table if not exists asked (
            device integer not null,
            day integer not null,
            hash text not null,
            primary key (device, day, hash)
        ) strict, without rowid;
        create index if not exists entries_by_client on entries (client, id);
        create index if not exists entries_by_words on entries (client, hashes, id);
        create index if not exists entries_by_at on entries (at);
        commit;
    """
    # A power cut may lose the last entries, and no question waits for the disk.
    PRAGMAS = ("synchronous = normal",)
    SWEEPS = ("delete from entries where id in (select id from entries where at <= ? limit 1000)",)

    def __init__(self, path: Path, key: bytes, *, keep_seconds: int = JUDGE_LOG.seconds) -> None:
        super().__init__(path, keep_seconds=keep_seconds)
        self._reader = Database(path, "query_only = on")
        self._key = key

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        super().close()
        self._reader.close()

    def write(self, client: int, device: int, table: str, words: Sequence[str], now: int) -> None:
        """Log a question of folded words, unless the device has reached its limit for such questions and this day."""
        day, hashes = now // DAY, self._hashes(client, words)
        with self._transaction() as db:
            asked = [(device, day, word_hash) for word_hash in hashes.split()]
            is_new = db.executemany("insert or ignore into asked values (?, ?, ?)", asked).rowcount > 0
            limit = MAX_NEW_PER_DAY if is_new else MAX_REPEATS_PER_DAY
            if db.execute(_COUNT_ENTRY, (device, day, is_new, limit)).fetchall():
                row = (client, now, table, len(words), hashes)
                db.execute("insert into entries (client, at, place, words, hashes) values (?, ?, ?, ?, ?)", row)

    def read(
        self, client: int, *, before: int | None = None, words: Sequence[str] | None = None
    ) -> tuple[LoggedQuestion, ...]:
        """Return a page of a client's entries, newest first.

        With `before`, only entries with a lower id; with `words`, only questions of exactly these words, in any order.
        """
        statement = _SELECT_ENTRIES
        parameters: list[int | str] = [client, _MAX_ID if before is None else before]
        if words is not None:
            statement += " and hashes = ?"
            parameters.append(self._hashes(client, words))
        with self._reader as db:
            rows = db.execute(f"{statement} order by id desc limit {PAGE_SIZE}", parameters).fetchall()
        return tuple([LoggedQuestion._make((*row, tuple(hashes.split()))) for *row, hashes in rows])

    def sweep(self, now: int) -> int:
        """Delete entries that are older than the log keeps them, and return their number."""
        for table in ("logged", "asked"):
            self._run(f"delete from {table} where day < ?", (now // DAY,))
        return super().sweep(now)

    def _hashes(self, client: int, words: Sequence[str]) -> str:
        # Each client has a key of its own, so that two clubs cannot compare their logs.
        key = hmac.digest(self._key, f"the directors' log of client {client}".encode(), "sha256")
        return " ".join(sorted([hmac.digest(key, word.encode(), "sha256").hex()[:_HASH_DIGITS] for word in words]))


GAMES_LISTED: Final = 100
"""The games that are listed, the newest ones."""

_GAME_COLUMNS: Final = "id, at, place, row"


class LatePlay(Struct, frozen=True):
    """A play or a challenge at a table station whose verdict did not come before the game went on."""

    move: str
    player: str
    at: str
    valid: Annotated[bool | None, Meta(description="The verdict that came late; null where none did.")]


class NeutralisedTime(Struct, frozen=True):
    """Time that a director gave back to a player at a table station, in milliseconds, with the reason."""

    player: str
    milliseconds: int
    reason: str
    at: str


class StationReport(Struct, frozen=True):
    """A game at a table station, by its signed events. All times are the word of its device."""

    began: str
    ended: str
    scores: list[int]
    milliseconds: Annotated[list[int], Meta(description="The time that each player used.")]
    late: list[LatePlay]
    neutralised: list[NeutralisedTime]
    attested: Annotated[list[bool], Meta(description="Whether each player has attested the result.")]
    closed: Annotated[str | None, Meta(description="The reason for which a director closed a game without that.")]
    turn_points: Annotated[list[int], Meta(description="The points of the turns of each player.")] = []
    turns: Annotated[list[int], Meta(description="The number of these turns.")] = []
    left: Annotated[list[str | None], Meta(description="The reason for which each player left the game.")] = []
    standing: Annotated[int, Meta(description="The milliseconds before the last turn in which no clock ran.")] = 0

    @property
    def late_noes(self) -> int:
        """The number of plays that were found bad when the game had gone on."""
        return sum(each.valid is False for each in self.late)


class KeptRecord(Struct, frozen=True):
    """The record of a game (GCG), and the numbers of the plays whose words were judged during it.

    Of a game at a table station also what its director is told, and the texts and signatures of its events.
    """

    record: str
    checked: list[int]
    rules: str
    players: list[str]
    words: int
    station: StationReport | None = None
    events: list[tuple[str, str]] = []
    bound: str | None = None
    """The game of an event whose result it is."""


_KEPT_RECORD: Final = msgspec.json.Decoder(KeptRecord)


class KeptGame(Struct, frozen=True):
    """A game that a device kept, the table of the device, and when it was kept."""

    id: str
    at: int
    table: str
    kept: KeptRecord


class KeptGames(Store):
    """The kept games of all clients of one installation."""

    SCHEMA = """
        pragma journal_mode = wal;
        begin immediate;
        create table if not exists games (
            id text primary key,
            client integer not null,
            label blob not null unique,
            at integer not null,
            place text not null,
            row blob not null
        ) strict, without rowid;
        create index if not exists games_by_client on games (client, at);
        create index if not exists games_by_at on games (at);
        commit;
    """
    SWEEPS = ("delete from games where at <= ?",)

    def __init__(self, path: Path, key: bytes, *, keep_seconds: int = KEPT_GAMES.seconds) -> None:
        super().__init__(path, keep_seconds=keep_seconds)
        self._cipher = RowCipher(key)
        self._key = key

    def find_label(self, client: int, device: int, label: str) -> KeptGame | None:
        """Return the game that a device kept under a label of its own, None if there is none."""
        parameters = (client, self._label(client, device, label))
        row = self._one(f"select {_GAME_COLUMNS} from games where client = ? and label = ?", parameters)
        return self._read(row) if row else None

    def keep(self, client: int, device: int, table: str, label: str, kept: KeptRecord, now: int) -> KeptGame:
        """Keep a game, and return it; where a game was kept under the label meanwhile, return that."""
        game = os.urandom(16).hex()
        row = self._cipher.encrypt(game, 0, msgspec.json.encode(kept))
        self._run(
            "insert into games (id, client, label, at, place, row) values (?, ?, ?, ?, ?, ?)"
            " on conflict (label) do nothing",
            (game, client, self._label(client, device, label), now, table, row),
        )
        found = self.find_label(client, device, label)
        assert found is not None
        return found

    def list(self, client: int) -> tuple[KeptGame, ...]:
        """Return the games of a client, the newest first."""
        statement = f"select {_GAME_COLUMNS} from games where client = ? order by at desc, id limit {GAMES_LISTED}"
        return tuple([self._read(row) for row in self._all(statement, (client,))])

    def find(self, client: int, game: str) -> KeptGame | None:
        """Return a game of a client, None if it has none with this id."""
        row = self._one(f"select {_GAME_COLUMNS} from games where client = ? and id = ?", (client, game))
        return self._read(row) if row else None

    def _label(self, client: int, device: int, label: str) -> bytes:
        return hmac.digest(self._key, f"kept\x1f{client}\x1f{device}\x1f{label}".encode(), "sha256")

    def _read(self, row: tuple[str, int, str, bytes]) -> KeptGame:
        game, at, table, encrypted = row
        return KeptGame(game, at, table, _KEPT_RECORD.decode(self._cipher.decrypt(game, 0, encrypted)))


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


_STATION_TABLE: Final = msgspec.json.Decoder(StationTable)


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
        table = _STATION_TABLE.decode(self._cipher.decrypt(id, 0, encrypted))
        return BoundStation(id, device, board, table)
