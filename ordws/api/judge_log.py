"""The directors' log: what was asked at a table, and when, where its director wanted to know.

It keeps no word and no verdict. A word is a keyed hash, under a key of the client's own that follows from the one of
the meters, which is in no backup: whoever has the file alone cannot try words on it.

Of a device and UTC day it keeps 2,000 questions; what is judged beyond them is not logged. Words of two letters cost
nothing, so that nothing else bounds them.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ordws.database import Database

RETENTION_SECONDS: Final = 400 * 86_400
PAGE_SIZE: Final = 500
MAX_ENTRIES_PER_DAY: Final = 2_000
_DAY: Final = 86_400
_SWEEP_BATCH: Final = 1_000
_HASH_DIGITS: Final = 16
_SCHEMA: Final = """
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
    create table if not exists days (
        device integer not null,
        day integer not null,
        entries integer not null,
        primary key (device, day)
    ) strict, without rowid;
    create index if not exists entries_by_client on entries (client, id);
    create index if not exists entries_by_words on entries (client, hashes, id);
    create index if not exists entries_by_at on entries (at);
    commit;
"""
_SELECT_ENTRIES: Final = "select id, at, place, words, hashes from entries where client = ? and id < ?"
_SWEEP: Final = f"delete from entries where id in (select id from entries where at <= ? limit {_SWEEP_BATCH})"
_COUNT_ENTRY: Final = (
    "insert into days values (?, ?, 1) on conflict (device, day) do update set entries = entries + 1"
    f" where entries < {MAX_ENTRIES_PER_DAY} returning 1"
)
_MAX_ID: Final = 2**63 - 1


class LoggedQuestion(NamedTuple):
    """A question that was judged at a table. The hashes are in an order of their own."""

    id: int
    at: int
    table: str
    words: int
    hashes: tuple[str, ...]


class JudgeLog:
    """The log of all clients of one installation. It is read over a connection of its own, which holds up no writer."""

    def __init__(self, path: Path, key: bytes) -> None:
        self._database = Database(path, "synchronous = normal")
        self._reader = Database(path, "query_only = on")
        self._key = key

    @classmethod
    def create(cls, path: Path, key: bytes) -> JudgeLog:
        """The log at path, made there if there is none."""
        log = cls(path, key)
        log._database.create(_SCHEMA)
        return log

    def close(self) -> None:
        self._database.close()
        self._reader.close()

    def write(self, client: int, device: int, table: str, words: Sequence[str], now: int) -> None:
        """Note a question of folded words, unless the device has left its share of the day."""
        row = (client, now, table, len(words), self._hashes(client, words))
        with self._database as db:
            db.execute("begin immediate")
            if db.execute(_COUNT_ENTRY, (device, now // _DAY)).fetchall():
                db.execute("insert into entries (client, at, place, words, hashes) values (?, ?, ?, ?, ?)", row)
            db.execute("commit")

    def read(
        self, client: int, *, before: int | None = None, words: Sequence[str] | None = None
    ) -> tuple[LoggedQuestion, ...]:
        """The newest entries of a client, the last one first: those of just these words, and those before an id."""
        these, just = (
            (_SELECT_ENTRIES, ())
            if words is None
            else (f"{_SELECT_ENTRIES} and hashes = ?", (self._hashes(client, words),))
        )
        with self._reader as db:
            rows = db.execute(
                f"{these} order by id desc limit {PAGE_SIZE}", (client, _MAX_ID if before is None else before, *just)
            ).fetchall()
        return tuple([LoggedQuestion._make((*row, tuple(hashes.split()))) for *row, hashes in rows])

    def sweep(self, now: int) -> int:
        """Forget what is older than 400 days, a little at a time; returns how much that was."""
        with self._database as db:
            db.execute("delete from days where day < ?", (now // _DAY,))
        swept, last = 0, _SWEEP_BATCH
        while last == _SWEEP_BATCH:
            with self._database as db:
                last = db.execute(_SWEEP, (now - RETENTION_SECONDS,)).rowcount
            swept += last
        return swept

    def _hashes(self, client: int, words: Sequence[str]) -> str:
        key = hmac.digest(self._key, f"the directors' log of client {client}".encode(), "sha256")
        return " ".join(sorted([hmac.digest(key, word.encode(), "sha256").hex()[:_HASH_DIGITS] for word in words]))
