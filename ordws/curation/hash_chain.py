"""An encrypted database that only appends, and the signed head beside it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from ordws.atomic_files import PRIVATE_MODE
from ordws.curation.chain_link import GENESIS, ChainHead, Row, digest_of, next_link, verify_links
from ordws.curation.schema import COLUMNS, migrate
from ordws.curation.signed_head import SignedHead, Signer, check_end
from ordws.curation.sqlcipher import Database, configure, connect, immediate_transaction, translate_errors
from ordws.errors import BadInput, LedgerBroken, Missing, StoreDown

RowsByTable: TypeAlias = dict[str, Sequence[Row]]
"""The rows of one transaction by table, each in the order of its columns."""


class HashChain:
    """Rows that are appended link by link, by one process at a time; every link is acknowledged once and for good."""

    def __init__(self, path: Path, db: Database, signed_head: SignedHead, head: ChainHead) -> None:
        self.path, self.db, self.signed_head, self.head = path, db, signed_head, head

    @classmethod
    def create(cls, path: Path, head: Path, key: bytes, signer: Signer) -> HashChain:
        """A new chain without links; refuses to take the place of another."""
        signed = SignedHead(head, signer)
        with translate_errors(path), _exclusive_lock(path):
            if path.exists():
                raise BadInput(f"there is a ledger at {path} already")
            if head.exists() and signed.read() != (GENESIS,):
                raise LedgerBroken(f"{head.name} is the signed head of another ledger")
            signed.write(GENESIS)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        return cls.open(path, head, key, signer)

    @classmethod
    def open(cls, path: Path, head: Path, key: bytes, signer: Signer) -> HashChain:
        """A chain every row of which was checked; raises LedgerBroken, which says what does not hold."""
        if not path.exists() and not head.exists():
            raise Missing(f"there is no ledger at {path}", hint="ordws init")
        if not path.exists():
            raise LedgerBroken(f"{path.name} is missing, though its signed head is there")
        signed = SignedHead(head, signer)
        with translate_errors(path), _exclusive_lock(path):
            named = signed.read()
            db = connect(path, key)
            try:
                end = _verified_head(db, named)
            except BaseException:
                db.close()
                raise
            if named != (end,):
                signed.write(end)
        return cls(path, db, signed, end)

    def close(self) -> None:
        # Closing moves the write-ahead log into the database, which nobody may be checking meanwhile.
        with translate_errors(self.path), _exclusive_lock(self.path):
            self.db.close()

    def read(self, sql: str, parameters: dict[str, str] | None = None) -> list[tuple[Any, ...]]:
        with translate_errors(self.path):
            return list(self.db.execute(sql, parameters))

    @contextmanager
    def transaction(self, kind: str, at: str) -> Iterator[RowsByTable]:
        """One transaction: the rows put into the mapping are appended as one link, or none at all."""
        rows: RowsByTable = {}
        with translate_errors(self.path), _exclusive_lock(self.path):
            self._discard_uncommitted()
            with immediate_transaction(self.db):
                self._catch_up()
                yield rows
                after = self._append(kind, at, {table: rows[table] for table in COLUMNS if rows.get(table)})
            if after != self.head:
                self.signed_head.write(after)
                self.head = after

    def _discard_uncommitted(self) -> None:
        """Drop for good what a process left that was killed as it committed, and that nobody sees.

        Recovery would bring it back out of the write-ahead log, after another end than that had been promised.
        """
        if len(self.signed_head.read()) > 1:
            (is_busy, *_) = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if is_busy:
                raise StoreDown(f"{self.path.name} does not answer: it is being read")

    def _catch_up(self) -> None:
        """Check what other processes have appended since."""
        last = self.db.execute("SELECT number, hash FROM links ORDER BY number DESC LIMIT 1").fetchone()
        newest = ChainHead(*last) if last else GENESIS
        if newest != self.head:
            end = _verify_links_after(self.db, self.head) if newest.length > self.head.length else newest
            check_end(end, self.signed_head.read())
            self.head = end

    def _append(self, kind: str, at: str, rows_by_table: RowsByTable) -> ChainHead:
        """Where the chain will end; whichever side of the commit a crash falls on, the head file names that end."""
        if not rows_by_table:
            return self.head
        number = self.head.length + 1
        digest = digest_of([[(table, number, *row) for row in rows] for table, rows in rows_by_table.items()])
        counts = msgspec.json.encode({table: len(rows) for table, rows in rows_by_table.items()}).decode()
        link = next_link(self.head, at, kind, counts, digest)
        self.db.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", link)
        for table, rows in rows_by_table.items():
            names, marks = ", ".join(COLUMNS[table]), ", ".join("?" for _ in COLUMNS[table])
            sql = f"INSERT INTO {table} (link, {names}) VALUES ({number}, {marks})"
            self.db.conn.executemany(sql, rows)
        after = ChainHead(number, link.hash)
        self.signed_head.write(self.head, after)
        return after


@contextmanager
def _exclusive_lock(path: Path) -> Iterator[None]:
    """Between processes, one at a time: SQLite's own lock does not cover the head file."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _verified_head(db: Database, signed_heads: tuple[ChainHead, ...]) -> ChainHead:
    """Where the chain of a database ends, every byte and every row of it checked."""
    configure(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        check_end(GENESIS, signed_heads)
    migrate(db)
    end = _verify_links_after(db, GENESIS)
    check_end(end, signed_heads)
    return end


def _verify_links_after(db: Database, head: ChainHead) -> ChainHead:
    """Where the links after a head lead, by their rows; the rows before it are not read again."""
    known = {"link": head.length}
    links = db.execute("SELECT * FROM links WHERE number > :link ORDER BY number", known)
    rows = {}
    for table, columns in COLUMNS.items():
        newer = f"row > ifnull((SELECT row FROM {table} WHERE link <= :link ORDER BY row DESC LIMIT 1), 0)"
        where = "true" if head == GENESIS else newer
        sql = f"SELECT '{table}', link, {', '.join(columns)} FROM {table} WHERE {where} ORDER BY row"
        rows[table] = db.execute(sql, known)
    return verify_links(head, links, rows)
