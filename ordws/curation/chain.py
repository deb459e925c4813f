"""An encrypted database that only appends, and the signed head beside it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from ordws.curation.cipher import Database, answering, connect, immediate, prepare
from ordws.curation.head import SignedHead, Signer, check_end
from ordws.curation.link import START, Head, Row, digest_of, link_after, walk
from ordws.curation.tables import COLUMNS, migrate
from ordws.errors import BadInput, LedgerBroken, Missing, StoreDown
from ordws.writing import PRIVATE

Appended: TypeAlias = dict[str, Sequence[Row]]
"""The rows of one transaction by table, each in the order of its columns."""


class Chain:
    """Rows that are appended link by link, by one process at a time; every link is acknowledged once and for good."""

    def __init__(self, path: Path, db: Database, signed: SignedHead, head: Head) -> None:
        self.path, self.db, self.signed, self.head = path, db, signed, head

    @classmethod
    def create(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Chain:
        """A new chain without links; refuses to take the place of another."""
        signed = SignedHead(head, signer)
        with answering(path), _held(path):
            if path.exists():
                raise BadInput(f"there is a ledger at {path} already")
            if head.exists() and signed.read() != (START,):
                raise LedgerBroken(f"{head.name} is the signed head of another ledger")
            signed.write(START)
            os.close(os.open(path, os.O_CREAT | os.O_EXCL, PRIVATE))
        return cls.open(path, head, key, signer)

    @classmethod
    def open(cls, path: Path, head: Path, key: bytes, signer: Signer) -> Chain:
        """A chain every row of which was checked; raises LedgerBroken, which says what does not hold."""
        if not path.exists() and not head.exists():
            raise Missing(f"there is no ledger at {path}", hint="ordws init")
        if not path.exists():
            raise LedgerBroken(f"{path.name} is missing, though its signed head is there")
        signed = SignedHead(head, signer)
        with answering(path), _held(path):
            named = signed.read()
            db = connect(path, key)
            try:
                end = _checked(db, named)
            except BaseException:
                db.close()
                raise
            if named != (end,):
                signed.write(end)
        return cls(path, db, signed, end)

    def close(self) -> None:
        # Closing moves the write-ahead log into the database, which nobody may be checking meanwhile.
        with answering(self.path), _held(self.path):
            self.db.close()

    def read(self, sql: str, parameters: dict[str, str] | None = None) -> list[tuple[Any, ...]]:
        with answering(self.path):
            return list(self.db.execute(sql, parameters))

    @contextmanager
    def appending(self, kind: str, at: str) -> Iterator[Appended]:
        """One transaction: the rows put into the mapping are appended as one link, or none at all."""
        rows: Appended = {}
        with answering(self.path), _held(self.path):
            self._settle()
            with immediate(self.db):
                self._catch_up()
                yield rows
                after = self._append(kind, at, {table: rows[table] for table in COLUMNS if rows.get(table)})
            if after != self.head:
                self.signed.write(after)
                self.head = after

    def _settle(self) -> None:
        """Drop for good what a process left that was killed as it committed, and that nobody sees.

        Recovery would bring it back out of the write-ahead log, after another end than that had been promised.
        """
        if len(self.signed.read()) > 1:
            (is_busy, *_) = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if is_busy:
                raise StoreDown(f"{self.path.name} does not answer: it is being read")

    def _catch_up(self) -> None:
        """Check what other processes have appended since."""
        last = self.db.execute("SELECT number, hash FROM links ORDER BY number DESC LIMIT 1").fetchone()
        newest = Head(*last) if last else START
        if newest != self.head:
            end = _walk(self.db, self.head) if newest.length > self.head.length else newest
            check_end(end, self.signed.read())
            self.head = end

    def _append(self, kind: str, at: str, appended: Appended) -> Head:
        """Where the chain will end; whichever side of the commit a crash falls on, the head file names that end."""
        if not appended:
            return self.head
        number = self.head.length + 1
        digest = digest_of([[(table, number, *row) for row in rows] for table, rows in appended.items()])
        counts = msgspec.json.encode({table: len(rows) for table, rows in appended.items()}).decode()
        link = link_after(self.head, at, kind, counts, digest)
        self.db.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", link)
        for table, rows in appended.items():
            names, marks = ", ".join(COLUMNS[table]), ", ".join("?" for _ in COLUMNS[table])
            sql = f"INSERT INTO {table} (link, {names}) VALUES ({number}, {marks})"
            self.db.conn.executemany(sql, rows)
        after = Head(number, link.hash)
        self.signed.write(self.head, after)
        return after


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Between processes, one at a time: SQLite's own lock does not cover the head file."""
    handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _checked(db: Database, named: tuple[Head, ...]) -> Head:
    """Where the chain of a database ends, every byte and every row of it checked."""
    prepare(db)
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == 0:
        check_end(START, named)
    migrate(db)
    end = _walk(db, START)
    check_end(end, named)
    return end


def _walk(db: Database, head: Head) -> Head:
    """Where the links after a head lead, by their rows; the rows before it are not read again."""
    known = {"link": head.length}
    links = db.execute("SELECT * FROM links WHERE number > :link ORDER BY number", known)
    rows = {}
    for table, columns in COLUMNS.items():
        newer = f"row > ifnull((SELECT row FROM {table} WHERE link <= :link ORDER BY row DESC LIMIT 1), 0)"
        where = "true" if head == START else newer
        sql = f"SELECT '{table}', link, {', '.join(columns)} FROM {table} WHERE {where} ORDER BY row"
        rows[table] = db.execute(sql, known)
    return walk(head, links, rows)
