"""A journal: numbered facts in one SQLite file that are only appended, each chained to the one before by its hash.

The hash of a fact is the SHA-256 of the JSON array [hash before, number, at, actor, command, kind, text, commitment]
without spaces. What may have to be erased later, such as a name, stands in a table of its own under a random salt; the
commitment of the fact is the SHA-256 of salt and personal text, so that the text can be deleted and the chain still
verifies. A fact of the kind "erased" says what was deleted, and nothing else may be missing.

A sealed journal encrypts everything but numbers, commitments and hashes. There every fact has a commitment, so that its
hash tells nothing to somebody who tries likely facts.

A transaction that was acknowledged outlasts a power cut: the rollback journal of SQLite and the file are flushed to the
disk, and the folder too. Without such a file beside it a journal can be copied as it is.
"""

from __future__ import annotations

import secrets
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import msgspec

from ordws.database import Database, is_damage
from ordws.errors import BadInput, Broken, StoreDown
from ordws.row_cipher import RowCipher

GENESIS_HASH: Final = 64 * "0"
ERASED: Final = "erased"
"""The kind of the facts that say what was erased."""
UPGRADED: Final = "upgraded"
"""The kind of a first fact whose text has the hashes of the chain, of another format, that the journal continues."""

PATIENCE_SECONDS: Final = 10.0
"""The time to wait for another process: a director at a slow disk would rather wait than be refused."""

_FORMAT: Final = 1
_SALT_BYTES: Final = 16
_TABLES: Final = (
    "create table facts (number integer primary key, at integer not null, actor text not null, command text not null,"
    " kind text not null, fact text not null, commitment text not null, hash text not null)",
    "create index facts_by_command on facts (command)",
    "create table personal (number integer primary key, salt blob not null, fields text not null)",
    f"pragma user_version = {_FORMAT}",
)
_READ: Final = (
    "select facts.number, at, actor, command, kind, fact, commitment, hash, salt, fields"
    " from facts left join personal on personal.number = facts.number where facts.number > ? order by facts.number"
)
_JSON: Final = msgspec.json.Encoder()


NewFact: TypeAlias = tuple[int, str, str, str, str, str]
"""A fact to be appended: Unix seconds, actor, command, kind, text, and personal text, empty where it has none."""


class StoredFact(NamedTuple):
    """A fact as the file has it: its number from 1 on, Unix seconds, actor, command, kind and text."""

    number: int
    at: int
    actor: str
    command: str
    kind: str
    text: str
    commitment: str
    """Empty for a fact without a personal text."""

    hash: str
    personal: str | None
    """The personal text; None where there never was one, and where it was erased."""


def hash_of(before: str, *row: str | int) -> str:
    """Return the hash of a row of a chain, where `before` is the hash of the row before it."""
    return sha256(_JSON.encode((before, *row))).hexdigest()


class Journal(ABC):
    """A journal in a file, which several processes and threads may write, and the state that follows from it."""

    APPLICATION_ID: ClassVar[int]
    SUBJECT: ClassVar[str]
    """The name of what the file is, for messages."""

    def __init__(self, path: Path, cipher: RowCipher | None = None) -> None:
        self.path = path
        # Erased texts must not stay in free pages of the file.
        pragmas = ("synchronous = extra", "journal_mode = delete", "secure_delete = on")
        self._db = Database(path, *pragmas, patience_seconds=PATIENCE_SECONDS)
        self._cipher = cipher
        self.forget()

    @property
    def head(self) -> str:
        """The hash of the last fact known so far."""
        return self.hashes[-1] if self.hashes else GENESIS_HASH

    @property
    def is_begun(self) -> bool:
        """False before a process has begun to write the file."""
        return self.path.exists() and self.path.stat().st_size > 0

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        self._db.close()

    def verify(self, head: str | None = None) -> int:
        """Verify the chain and return its length; raise Broken where `head`, noted before, is not one of its hashes."""
        with self.reading():
            if head in self.continued:
                hint = "verify it in the file of before, and note the last hash of this one"
                raise Broken(
                    f'"{head}" is of the chain that "{self.path}" says it continues: anybody could say so', hint=hint
                )
            if head not in (None, *self.hashes):
                hint = "facts were taken out, or the file is another"
                raise Broken(f'the hash that was noted is not among those of "{self.path}"', hint=hint)
            return len(self.hashes)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection, with everything taken in that other processes have appended."""
        with self._connected() as db:
            self._catch_up(db)
            yield db

    @contextmanager
    def writing(self, *, new: bool = False) -> Iterator[list[NewFact]]:
        """Append the facts put into the list in one transaction, in which nobody else writes, or none if it raises.

        Facts of the kind "erased" have their texts deleted with it. With `new` the transaction makes the file, and
        raises BadInput where there is one.
        """
        added: list[NewFact] = []
        if new:
            self._db.create("")
        with self._connected() as db:
            self._db.begin(db)
            if new:
                # Another process may have made the same file in the meantime.
                if db.execute("select count(*) from sqlite_master").fetchone() != (0,):
                    raise BadInput(f'"{self.path}" exists already', hint="name another file")
                for statement in (*_TABLES, f"pragma application_id = {self.APPLICATION_ID}"):
                    db.execute(statement)
            self._catch_up(db)
            yield added
            first, head = len(self.hashes) + 1, self.head
            for number, fact in enumerate(added, first):
                head = self._insert(db, number, head, fact)
            # What was taken in here is forgotten at the next use if the commit fails.
            self._catch_up(db)
            erasures = [number for number, (*_, kind, _, _) in enumerate(added, first) if kind == ERASED]
            erased = [(number,) for erasure in erasures for number in self.erased_by(erasure)]
            db.executemany("delete from personal where number = ?", erased)
            db.execute("commit")
            if erased:
                self.forget()
                self._catch_up(db)

    @abstractmethod
    def take_in(self, facts: list[StoredFact]) -> None:
        """Fold facts into the state; LookupError, AssertionError, TypeError or ValueError where they cannot be."""

    @abstractmethod
    def erased_by(self, number: int) -> Iterable[int]:
        """Return the facts whose texts the fact of this number, of the kind "erased", has erased."""

    def forget(self) -> None:
        """Begin anew, since the file is not the one known, or since something was erased."""
        self.hashes: list[str] = []
        self.continued: list[str] = []

    def _insert(self, db: sqlite3.Connection, number: int, head: str, fact: NewFact) -> str:
        """Insert a fact that follows a head, and return its hash."""
        stored: tuple[Any, ...] = fact[:5]
        personal, commitment = fact[5], ""
        if personal or self._cipher:
            salt = secrets.token_bytes(_SALT_BYTES)
            commitment = _commitment_of(salt, personal)
            kept: tuple[bytes, str | bytes] = (salt, personal)
            if self._cipher:
                kept = b"", self._cipher.encrypt("personal", number, salt + personal.encode())
            db.execute("insert into personal values (?, ?, ?)", (number, *kept))
        digest = hash_of(head, number, *stored, commitment)
        if self._cipher:
            stored = (0, "", "", "", self._cipher.encrypt("fact", number, _JSON.encode(stored)))
        row = (number, *stored, commitment, digest)
        db.execute("insert into facts values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return digest

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection; raise Broken instead of StoreDown where the file is no journal."""
        try:
            with self._db as db:
                yield db
        except StoreDown as err:
            if is_damage(err):
                raise Broken(f'"{self.path}" is damaged, or no {self.SUBJECT} of ordws') from err
            raise

    def _catch_up(self, db: sqlite3.Connection) -> None:
        """Verify and take in the facts that were appended since; all of them where the file is not the one known."""
        if db.execute("pragma application_id").fetchone() != (self.APPLICATION_ID,):
            raise Broken(f'"{self.path}" is no {self.SUBJECT} of ordws')
        if db.execute("pragma user_version").fetchone() != (_FORMAT,):
            raise Broken(f'"{self.path}" was written by a newer version of ordws')
        known = db.execute("select hash from facts where number = ?", (len(self.hashes),)).fetchone()
        if self.hashes and known != (self.head,):
            self.forget()
        facts = [self._read(row) for row in db.execute(_READ, (len(self.hashes),)).fetchall()]
        # An erasure has emptied facts that are known here with their texts.
        if self.hashes and any(each.kind == ERASED for each in facts):
            self.forget()
            facts = [self._read(row) for row in db.execute(_READ, (0,)).fetchall()]
        if not facts:
            return
        try:
            self._verify_and_take_in(facts)
        except Broken:
            self.forget()
            raise

    def _verify_and_take_in(self, facts: list[StoredFact]) -> None:
        hashes = [*self.hashes]
        for each in facts:
            before, number = hashes[-1] if hashes else GENESIS_HASH, len(hashes) + 1
            if each.number != number or each.hash != hash_of(before, *each[:7]):
                raise Broken(f"fact {number} does not follow from the one before: the file was altered")
            hashes.append(each.hash)
        if facts and facts[0].kind == UPGRADED:
            self.continued = facts[0].text.split()
        try:
            self.take_in([each for each in facts if each.kind != UPGRADED])
            blank = {each.number for each in facts if each.commitment and each.personal is None}
            for each in facts if blank else ():
                if each.kind == ERASED:
                    blank.difference_update(self.erased_by(each.number))
        except msgspec.DecodeError as err:
            raise Broken(f'"{self.path}" has facts of a kind that only a newer version of ordws knows') from err
        except (LookupError, AssertionError, TypeError, ValueError) as err:
            # The chain of a forged file can be right; nobody who writes it as intended adds such facts.
            raise Broken(f'"{self.path}" has facts that do not fit together: the file was altered') from err
        if blank:
            raise Broken(f"the personal text of fact {min(blank)} was taken out, and nobody has erased it")
        self.hashes = hashes

    def _read(self, row: tuple[Any, ...]) -> StoredFact:
        """Return the fact of a row, decrypted; raise Broken where its personal text was altered."""
        number, at, actor, command, kind, text, commitment, digest, salt, personal = row
        if self._cipher:
            sealed = self._cipher.decrypt("fact", number, text)
            at, actor, command, kind, text = msgspec.json.decode(sealed, type=tuple[int, str, str, str, str])
            if salt is not None:
                opened = self._cipher.decrypt("personal", number, personal)
                salt, personal = opened[:_SALT_BYTES], opened[_SALT_BYTES:].decode()
        if salt is not None and commitment != _commitment_of(salt, personal):
            raise Broken(f"the personal text of fact {number} was altered")
        return StoredFact(number, at, actor, command, kind, text, commitment, digest, personal)


def _commitment_of(salt: bytes, personal: str) -> str:
    return sha256(salt + personal.encode()).hexdigest()
