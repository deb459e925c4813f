"""The ledger's encrypted database: tables that only append, a hash chain over their rows, and the signed end of it.

A row in canonical form is the JSON array [table, link, column, ...] without spaces, as RFC 8785 writes it: cells are
texts, whole numbers or null. The digest of a link is the SHA-256 of its rows, each followed by a line feed, tables in
the order of `COLUMNS`, the rows of a table in the order in which they were appended. The hash of a link is the SHA-256
of the JSON array [hash of the link before, number, at, kind, counts, digest], written in the same way.

The signed head is a file beside the database that names the end of the chain:

    ordws ledger head 1
    57 9f2c...          length and hash; while a link is being appended, both the old end and the new one
    58 77ab...
    03d1f4...           signature over all the lines above, in hexadecimal

It cannot reveal that database and head were both replaced by older copies: note `ordws curation status` elsewhere.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, Self, TypeAlias

import msgspec

from ordws.atomic_files import PRIVATE_MODE, write_atomically
from ordws.curation.sqlcipher import Database, configure, connect, immediate_transaction, translate_errors
from ordws.errors import BadInput, LedgerBroken, Missing, StoreDown
from ordws.journal import GENESIS_HASH, hash_of

Cell: TypeAlias = str | int | None
Row: TypeAlias = tuple[Cell, ...]

_JSON: Final = msgspec.json.Encoder()
_BATCH_SIZE: Final = 5_000
"""The rows encoded at once: a whole queue is one link, whose rows need not all be in memory together."""
_EXHAUSTED: Final[tuple[Cell, Iterator[Row]]] = (None, iter(()))


class ChainHead(NamedTuple):
    """The end of a chain: the number of its links, and the hash of the last."""

    length: int
    hash: str


GENESIS: Final = ChainHead(0, GENESIS_HASH)


class Link(NamedTuple):
    """The record of one transaction; `counts` is a JSON object with the number of rows by table."""

    number: int
    at: str
    kind: str
    counts: str
    digest: str
    hash: str


def digest_of(parts: Iterable[Iterable[Row]]) -> str:
    """Return the digest of a link's rows, given table by table, in hexadecimal."""
    digest = sha256()
    for rows in parts:
        rest = iter(rows)
        while batch := list(islice(rest, _BATCH_SIZE)):
            digest.update(_JSON.encode_lines(batch))
    return digest.hexdigest()


def next_link(head: ChainHead, at: str, kind: str, counts: str, digest: str) -> Link:
    """Return the link that follows the head of a chain."""
    number = head.length + 1
    return Link(number, at, kind, counts, digest, hash_of(head.hash, number, at, kind, counts, digest))


def verify_links(head: ChainHead, links: Iterable[Link], tables: Mapping[str, Iterable[Row]]) -> ChainHead:
    """Return the head to which the links after a head lead; raise LedgerBroken at the first that does not fit.

    `tables` are all rows after the head, in order: each begins with the name of its table and the number of its link.
    """
    groups = {table: groupby(rows, itemgetter(1)) for table, rows in tables.items()}
    # The next unverified rows of each table, and the number of the link that they say they belong to.
    pending = {table: next(rows_by_link, _EXHAUSTED) for table, rows_by_link in groups.items()}
    length, before = head
    for number, at, kind, counts, digest, after in links:
        length += 1
        if number != length or after != hash_of(before, length, at, kind, counts, digest):
            raise LedgerBroken(f"link {length} does not follow from the one before: the chain was altered")
        touched = [table for table, (link, _) in pending.items() if link == number]
        if digest != digest_of([pending[table][1] for table in touched]):
            raise LedgerBroken(f"a row of link {number} was changed, added or removed")
        for table in touched:
            pending[table] = next(groups[table], _EXHAUSTED)
        before = after
    for table, (link, _) in pending.items():
        if link is not None:
            raise LedgerBroken(f'a row of "{table}" belongs to no link: it was added or moved')
    return ChainHead(length, before)


COLUMNS: Final = {
    "families": ("base", "standing"),
    "candidates": ("family", "word", "evidence"),
    "ballots": ("id", "family", "curator", "vote", "forms", "reason", "at"),
    "decisions": ("family", "outcome", "forms", "rest"),
    "overrides": ("word", "act", "keeper", "reason"),
    "acts": ("subject", "who", "act"),
}
"""The columns of each table in the order in which the chain hashes them. A family without standing, or a candidate
without evidence, is withdrawn. The newest row of a family, a candidate or an overridden word holds;
`voting_rounds.replay_family` finds out which decision of a family holds. Acts are those of `acts.py`, as JSON.
"""


def _append_only_triggers(table: str) -> tuple[str, str]:
    return (
        f"CREATE TRIGGER {table}_stay BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'the ledger appends'); END",
        f"CREATE TRIGGER {table}_last BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'the ledger appends'); END",
    )


_INITIAL_TABLES: Final = (
    "CREATE TABLE links (number INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL,"
    " counts TEXT NOT NULL, digest TEXT NOT NULL, hash TEXT NOT NULL) STRICT",
    "CREATE TABLE families (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, base TEXT NOT NULL,"
    " standing TEXT CHECK (standing IN ('borderline', 'flagged'))) STRICT",
    "CREATE TABLE candidates (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, family TEXT NOT NULL,"
    " word TEXT NOT NULL, evidence TEXT) STRICT",
    "CREATE TABLE ballots (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,"
    " family TEXT NOT NULL, curator TEXT NOT NULL, vote TEXT NOT NULL CHECK (vote IN ('in', 'out', 'doubt')),"
    " forms TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL) STRICT",
    "CREATE TABLE decisions (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, family TEXT NOT NULL,"
    " outcome TEXT NOT NULL CHECK (outcome IN ('in', 'out', 'contested')), forms TEXT NOT NULL,"
    " rest TEXT NOT NULL) STRICT",
    "CREATE TABLE overrides (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, word TEXT NOT NULL,"
    " act TEXT NOT NULL CHECK (act IN ('add', 'exclude', 'lift')), keeper TEXT NOT NULL,"
    " reason TEXT NOT NULL CHECK (reason <> '')) STRICT",
    "CREATE INDEX families_by_base ON families (base)",
    "CREATE INDEX candidates_by_family ON candidates (family)",
    "CREATE INDEX ballots_by_family ON ballots (family)",
    "CREATE INDEX decisions_by_family ON decisions (family)",
    *[
        statement
        for table in ("links", "families", "candidates", "ballots", "decisions", "overrides")
        for statement in _append_only_triggers(table)
    ],
)
_ACTS_TABLE: Final = (
    "CREATE TABLE acts (row INTEGER PRIMARY KEY, link INTEGER NOT NULL, subject TEXT NOT NULL, who TEXT NOT NULL,"
    " act TEXT NOT NULL) STRICT",
    "CREATE INDEX acts_by_subject ON acts (subject)",
    "CREATE INDEX acts_by_who ON acts (who)",
    "CREATE INDEX ballots_by_curator ON ballots (curator)",
    *_append_only_triggers("acts"),
)

MIGRATIONS: Final = (_INITIAL_TABLES, _ACTS_TABLE)
"""Each adds tables, indexes or triggers, and none alters a table: the chain covers the columns as they are."""


def migrate(db: Database) -> None:
    """Bring the tables up to this version; raise LedgerBroken unless they are exactly what the migrations make."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise LedgerBroken("the ledger was made by a newer version of ordws")
    if version < len(MIGRATIONS):
        with immediate_transaction(db):
            for statement in [statement for migration in MIGRATIONS[version:] for statement in migration]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    # The chain covers the rows; this covers the triggers that keep them from being changed. SQLite stores the text of
    # each statement as it was written, and no text for the indexes that it makes itself.
    statements = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if statements != {statement for migration in MIGRATIONS for statement in migration}:
        raise LedgerBroken("a table or trigger of the ledger was altered")


_MAGIC: Final = "ordws ledger head 1\n"
_HEAD_FILE: Final = re.compile(rf"({_MAGIC}(?:[0-9]{{1,18}} [0-9a-f]{{64}}\n){{1,2}})((?:[0-9a-f]{{2}})+)\n")


class Signer(Protocol):
    """The signing key of an installation; the format of the signature is the signer's own."""

    def sign(self, message: bytes) -> bytes: ...
    def verify(self, message: bytes, signature: bytes) -> bool: ...


@dataclass(frozen=True)
class SignedHead:
    """The file of the signed head, and its signer."""

    path: Path
    signer: Signer

    def read(self) -> tuple[ChainHead, ...]:
        """Return the ends that the chain may have: one, or two if an append was cut short. Raises LedgerBroken."""
        try:
            # Damage must reach the pattern below, which refuses the replacement characters, and not raise here.
            text = self.path.read_bytes().decode("ascii", errors="replace")
        except FileNotFoundError as error:
            raise LedgerBroken(f"the signed head {self.path.name} is missing") from error
        match = _HEAD_FILE.fullmatch(text)
        if match is None:
            raise LedgerBroken(f"the signed head {self.path.name} is damaged")
        if not self.signer.verify(match[1].encode(), bytes.fromhex(match[2])):
            raise LedgerBroken(f"the signed head {self.path.name} was not signed by this installation")
        lines = [line.split() for line in match[1].splitlines()[1:]]
        return tuple([ChainHead(int(length), digest) for length, digest in lines])

    def write(self, *heads: ChainHead) -> None:
        """Sign these ends and replace the file at once."""
        text = (_MAGIC + "".join([f"{head.length} {head.hash}\n" for head in heads])).encode()
        write_atomically(self.path, text + self.signer.sign(text).hex().encode() + b"\n")


def check_end(end: ChainHead, signed_heads: tuple[ChainHead, ...]) -> None:
    """Raise LedgerBroken unless the end of a chain is one of those that were signed."""
    if end in signed_heads:
        return
    lengths = [head.length for head in signed_heads]
    if end.length < min(lengths):
        raise LedgerBroken(
            f"the ledger is shorter than its signed head: {end.length} links of {max(lengths)}",
            hint="a copy of the database needs its -wal file beside it; ordws restore brings a backup back",
        )
    if end.length > max(lengths):
        raise LedgerBroken(f"the ledger is longer than its signed head: {end.length} links, {max(lengths)} signed")
    raise LedgerBroken(f"the ledger is not the one that was signed: link {end.length} has another hash")


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
