"""The directors' log: the time and the words of questions at a table, where its director wanted a log.

It holds no plain words and no verdicts. A word is a keyed hash, under a key of the client derived from the meters' key,
which is in no backup: the file alone does not allow to test words against it.

Nobody can fill it with questions that cost nothing, so that later ones would be missing. A question is logged if one of
its words is new to the device on that UTC day. The budgets bound such words, besides 676 pairs of letters, which are
free: by default to fewer than are logged. Of other questions, those of repeated words, 200 a day are logged.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ordws.database import Database, Store
from ordws.retention import DAY, JUDGE_LOG

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
