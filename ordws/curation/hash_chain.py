"""An encrypted database that only appends, and the signed head beside it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeAlias

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
    """Rows that are appended link by link, by one process at a time; a link that was acknowledged is never lost."""

    def __init__(self, path: Path, db: Database, signed_head: SignedHead, head: ChainHead) -> None:
        self.path, self.db, self.signed_head, self.head = path, db, signed_head, head

    @classmethod
    def create(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """Make a chain without links; raise BadInput or LedgerBroken rather than replace another."""
        signed = SignedHead(head, signer)
        with translate_errors(path), _exclusive_lock(path):
            if path.exists():
                raise BadInput(f"there is a ledger at {path} already")
            if head.exists() and signed.read() != (GENESIS,):
                raise LedgerBroken(f"{head.name} is the signed head of another ledger")
            # The head is written first: a process killed in between leaves one that the next attempt accepts.
            signed.write(GENESIS)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        return cls.open(path, head, key, signer)

    @classmethod
    def open(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Self:
        """Open a chain and verify every row; raise Missing, or LedgerBroken with the fault that was found."""
        if not path.exists() and not head.exists():
            raise Missing(f"there is no ledger at {path}", hint="ordws init")
        if not path.exists():
            raise LedgerBroken(f"{path.name} is missing, though its signed head is there")
        signed = SignedHead(head, signer)
        with translate_errors(path), _exclusive_lock(path):
            signed_heads = signed.read()
            db = connect(path, key)
            try:
                configure(db)
                (version,) = db.execute("PRAGMA user_version").fetchone()
                # A database without tables is new only if nothing was signed for it: else it was exchanged.
                if version == 0:
                    check_end(GENESIS, signed_heads)
                migrate(db)
                end = _verify_links_after(db, GENESIS)
                check_end(end, signed_heads)
            except BaseException:
                db.close()
                raise
            # Two heads were signed where a process was killed while it appended; now one of them is known.
            if signed_heads != (end,):
                signed.write(end)
        return cls(path, db, signed, end)

    def close(self) -> None:
        # Closing moves the write-ahead log into the database, which no other process may be verifying meanwhile.
        """Close the database; the object cannot be used afterwards."""
        with translate_errors(self.path), _exclusive_lock(self.path):
            self.db.close()

    def read(self, sql: str, parameters: dict[str, str] | None = None) -> list[tuple[Any, ...]]:
        """Return the rows of a query; raise StoreDown or LedgerBroken instead of a driver's error."""
        with translate_errors(self.path):
            return list(self.db.execute(sql, parameters))

    @contextmanager
    def transaction(self, kind: str, at: str) -> Iterator[RowsByTable]:
        """Append the rows put into the mapping as one link, or none if the block raises an error or puts none."""
        rows: RowsByTable = {}
        with translate_errors(self.path), _exclusive_lock(self.path):
            # Two signed heads mean that a process was killed while it committed. What it left in the write-ahead log is
            # visible to nobody, but recovery would bring it back after this transaction has signed another end: so it
            # is dropped for good.
            if len(self.signed_head.read()) > 1:
                (is_busy, *_) = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                if is_busy:
                    raise StoreDown(f"{self.path.name} does not answer: it is being read")
            with immediate_transaction(self.db):
                last = self.db.execute("SELECT number, hash FROM links ORDER BY number DESC LIMIT 1").fetchone()
                newest = ChainHead(*last) if last else GENESIS
                # Other processes have appended: nothing may follow rows that were not verified.
                if newest != self.head:
                    end = _verify_links_after(self.db, self.head) if newest.length > self.head.length else newest
                    check_end(end, self.signed_head.read())
                    self.head = end
                yield rows
                after = self.head
                filled = {table: rows[table] for table in COLUMNS if rows.get(table)}
                if filled:
                    number = self.head.length + 1
                    digest = digest_of([[(table, number, *row) for row in filled[table]] for table in filled])
                    counts = msgspec.json.encode({table: len(filled[table]) for table in filled}).decode()
                    link = next_link(self.head, at, kind, counts, digest)
                    self.db.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", link)
                    for table, inserted in filled.items():
                        names, marks = ", ".join(COLUMNS[table]), ", ".join("?" for _ in COLUMNS[table])
                        sql = f"INSERT INTO {table} (link, {names}) VALUES ({number}, {marks})"
                        self.db.conn.executemany(sql, inserted)
                    after = ChainHead(number, link.hash)
                    # Both ends are signed before the commit: whichever side of it a crash falls on, the chain ends at
                    # one of them.
                    self.signed_head.write(self.head, after)
            if after != self.head:
                self.signed_head.write(after)
                self.head = after


@contextmanager
def _exclusive_lock(path: Path) -> Iterator[None]:
    """Keep other processes out, from the head file too, which SQLite's own lock does not cover."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, PRIVATE_MODE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _verify_links_after(db: Database, head: ChainHead) -> ChainHead:
    """Verify the links after a head with their rows, and return the end of the chain; earlier rows are not read."""
    known = {"link": head.length}
    links = db.execute("SELECT * FROM links WHERE number > :link ORDER BY number", known)
    rows = {}
    for table, columns in COLUMNS.items():
        newer = f"row > ifnull((SELECT row FROM {table} WHERE link <= :link ORDER BY row DESC LIMIT 1), 0)"
        where = "true" if head == GENESIS else newer
        sql = f"SELECT '{table}', link, {', '.join(columns)} FROM {table} WHERE {where} ORDER BY row"
        rows[table] = db.execute(sql, known)
    return verify_links(head, links, rows)
