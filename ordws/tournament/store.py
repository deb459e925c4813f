"""The file of an event: its facts as an append-only hash chain in SQLite.

The hash of a row is the SHA-256 of the JSON array [hash before, number, at, actor, command, kind, fact, commitment]
without spaces. Personal fields stand in a table of their own under a random salt; the commitment of the row is the
SHA-256 of salt and fields, so that fields can be erased for good while the chain still verifies.

A transaction that was acknowledged outlasts a power cut: the rollback journal and the file are flushed to the disk, and
the folder too. Without a journal beside it the file can be copied to a stick as it is.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

from ordws.database import Database
from ordws.errors import BadInput, Broken, Missing, StoreDown
from ordws.tournament import commands as c
from ordws.tournament import facts as f
from ordws.tournament.decide import decide
from ordws.tournament.fold import apply_facts, apply_to_own, fold
from ordws.tournament.personal_data import facts_concerning, join_fact, split_fact
from ordws.tournament.state import TournamentState

GENESIS_HASH: Final = 64 * "0"
PATIENCE_SECONDS: Final = 10.0
"""The time to wait for another process: a director at a slow disk would rather wait than be refused."""

LONGEST_COMMAND_ID: Final = 64
"""The characters of a command's id, which browsers make up and which the file keeps for good."""

_APPLICATION_ID: Final = 0x4F525445  # "ORTE"
_FORMAT: Final = 1
_SCHEMA: Final = (
    "create table facts (number integer primary key, at integer not null, actor text not null, command text not null,"
    " kind text not null, fact text not null, commitment text not null, hash text not null)",
    "create index facts_by_command on facts (command)",
    "create table personal (number integer primary key, salt blob not null, fields text not null)",
    f"pragma application_id = {_APPLICATION_ID}",
    f"pragma user_version = {_FORMAT}",
)
_READ: Final = (
    "select facts.number, at, actor, command, kind, fact, commitment, hash, salt, fields"
    " from facts left join personal on personal.number = facts.number where facts.number > ? order by facts.number"
)
_JSON: Final = msgspec.json.Encoder()


class EventFile:
    """An event in a file, which several processes and threads may write."""

    def __init__(self, path: Path) -> None:
        """Use `create` or `open`."""
        self.path = path
        # Erased names must not stay in free pages of the file.
        self._db = Database(
            path,
            "synchronous = extra",
            "journal_mode = delete",
            "secure_delete = on",
            patience_seconds=PATIENCE_SECONDS,
        )
        self._facts: list[f.RecordedFact] = []
        self._head = GENESIS_HASH
        self.state = TournamentState()

    @classmethod
    def create(cls, path: Path, command: c.Create, *, actor: str, now: int) -> EventFile:
        """Begin an event in a new file; raise BadInput where there is one already, or where the event cannot be."""
        if path.exists() and path.stat().st_size:
            raise BadInput(f'"{path}" exists already', hint="name another file")
        if not path.parent.is_dir():
            raise BadInput(f'there is no folder "{path.parent}" for "{path.name}"')
        decide(TournamentState(), command)
        file = cls(path)
        file._db.create("")
        with file._db as connection:
            file._begin(connection)
            # Another process may have made the same file in the meantime.
            if connection.execute("select count(*) from sqlite_master").fetchone() != (0,):
                raise BadInput(f'"{path}" exists already', hint="name another file")
            for statement in _SCHEMA:
                connection.execute(statement)
            appended = file._append(connection, (command,), actor, now, new_command_id())
            connection.execute("commit")
            file._facts, file.state, file._head = appended
        return file

    @classmethod
    def open(cls, path: Path) -> EventFile:
        """Open an event and verify its chain; raise Missing without the file, Broken for a damaged or foreign one."""
        if not path.exists():
            raise Missing(f'there is no event "{path}"', hint=f"ordws tournament new {path} --rounds N")
        if path.is_dir():
            raise BadInput(f'"{path}" is a folder, not an event')
        file = cls(path)
        file.refresh()
        return file

    @property
    def facts(self) -> Sequence[f.RecordedFact]:
        """All facts known so far."""
        return self._facts

    @property
    def head(self) -> str:
        """The hash of the last fact known so far."""
        return self._head

    @property
    def played_digest(self) -> str:
        """The hash of the fact that finished the event, which no later fact changes; until then that of the last."""
        if not self.state.is_finished:
            return self._head
        number = max([each.number for each in self._facts if isinstance(each.fact, f.Finished)])
        with self._read() as connection:
            digest: str = connection.execute("select hash from facts where number = ?", (number,)).fetchone()[0]
        return digest

    def refresh(self) -> TournamentState:
        """Take over what other processes have appended, and return the state."""
        with self._read() as connection:
            self._catch_up(connection)
            return self.state

    def apply(self, *commands: c.Command, actor: str, now: int, command_id: str | None = None) -> list[f.RecordedFact]:
        """Carry out commands, all or none, and return the facts that they added, once these are on the disk.

        `now` is in Unix seconds. Commands that are repeated under their id add nothing and give the same facts. Raises
        BadInput where a command is refused, EventConflict where somebody else was faster, StoreDown where the file
        cannot be written.
        """
        command_id = command_id or new_command_id()
        if len(command_id) > LONGEST_COMMAND_ID:
            raise BadInput(
                f"the id of a command has {len(command_id)} characters, and {LONGEST_COMMAND_ID} are the most"
            )
        with self._read() as connection:
            self._begin(connection)
            self._catch_up(connection)
            numbers = connection.execute("select number from facts where command = ? order by number", (command_id,))
            if repeated := [self._facts[number - 1] for (number,) in numbers]:
                connection.execute("rollback")
                self._check_same(repeated, commands)
                return repeated
            known = len(self._facts)
            appended = self._append(connection, commands, actor, now, command_id)
            connection.execute("commit")
            self._facts, self.state, self._head = appended
            added = self._facts[known:]
            if any(isinstance(each.fact, f.Erased) for each in added):
                self._forget()
                self._catch_up(connection)
            return added

    def close(self) -> None:
        """Close the file; a later use opens it again."""
        self._db.close()

    def _append(
        self, connection: sqlite3.Connection, commands: Sequence[c.Command], actor: str, now: int, command_id: str
    ) -> tuple[list[f.RecordedFact], TournamentState, str]:
        """Insert the facts of commands, and return all facts, the state and the head as they are after the commit."""
        facts, state, head = [*self._facts], self.state.own(), self._head
        for command in commands:
            for fact in decide(state, command, facts):
                recorded = f.RecordedFact(len(facts) + 1, now, actor, command_id, fact)
                public, personal = split_fact(fact)
                commitment = ""
                if personal:
                    salt, fields = secrets.token_bytes(16), _JSON.encode(personal).decode()
                    commitment = _commitment_of(salt, fields)
                    connection.execute("insert into personal values (?, ?, ?)", (recorded.number, salt, fields))
                row = (*recorded[:4], f.kind_of_fact(fact), _JSON.encode(public).decode(), commitment)
                head = _hash_of(head, *row)
                connection.execute("insert into facts values (?, ?, ?, ?, ?, ?, ?, ?)", (*row, head))
                if isinstance(fact, f.Erased):
                    numbers = [(each.number,) for each in facts_concerning(facts, fact.entrant)]
                    connection.executemany("delete from personal where number = ?", numbers)
                facts.append(recorded)
                state = fold(facts) if isinstance(fact, f.Undone) else apply_to_own(state, recorded)
        return facts, state, head

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection; raise Broken instead of StoreDown where the file is no event."""
        try:
            with self._db as connection:
                yield connection
        except StoreDown as err:
            code = getattr(err.__cause__, "sqlite_errorcode", 0) & 0xFF
            if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise Broken(f'"{self.path}" is damaged, or no event of ordws') from err
            raise

    def _begin(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction, in which a commit waits for others to have read."""
        self._db.begin(connection)
        # The wait for the write lock was the database's own, and has left SQLite without patience for readers.
        connection.execute(f"pragma busy_timeout = {PATIENCE_SECONDS * 1_000:.0f}")

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Verify and fold the facts that were appended since; all of them where the file is not the one known."""
        if connection.execute("pragma application_id").fetchone() != (_APPLICATION_ID,):
            raise Broken(f'"{self.path}" is no event of ordws')
        if connection.execute("pragma user_version").fetchone() != (_FORMAT,):
            raise Broken(f'"{self.path}" was written by a newer version of ordws')
        known = connection.execute("select hash from facts where number = ?", (len(self._facts),)).fetchone()
        if self._facts and known != (self._head,):
            self._forget()
        rows = connection.execute(_READ, (len(self._facts),)).fetchall()
        if not rows:
            return
        # An erasure by another process has emptied facts that are known here with their names.
        if self._facts and any(row[4] == "erased" for row in rows):
            self._forget()
            rows = connection.execute(_READ, (0,)).fetchall()
        facts, head = [*self._facts], self._head
        blank = []
        for row in rows:
            recorded, head, is_blank = _read_row(row, len(facts) + 1, head)
            facts.append(recorded)
            if is_blank:
                blank.append(recorded)
        erased = [each.fact.entrant for each in facts if isinstance(each.fact, f.Erased)] if blank else []
        allowed = {each.number for entrant in erased for each in facts_concerning(facts, entrant)}
        for each in blank:
            if each.number not in allowed:
                raise Broken(f"the names or reasons of fact {each.number} were taken out, and nobody has erased them")
        appended = facts[len(self._facts) :]
        # An undoing changes what earlier facts have made, and what later ones rest on.
        has_undone = any(isinstance(each.fact, f.Undone) for each in appended)
        try:
            self.state = fold(facts) if has_undone else apply_facts(self.state, appended)
        except (LookupError, AssertionError, TypeError, ValueError) as err:
            # The chain of a forged file can be right; no command adds such facts.
            raise Broken(f'"{self.path}" has facts that do not fit together: the file was altered') from err
        self._facts, self._head = facts, head

    def _forget(self) -> None:
        self._facts, self._head, self.state = [], GENESIS_HASH, TournamentState()

    def _check_same(self, recorded: list[f.RecordedFact], commands: Sequence[c.Command]) -> None:
        """Raise BadInput where commands come under the id of others."""
        before = self._facts[: recorded[0].number - 1]
        state = fold(before)
        again: list[f.Fact] = []
        for command in commands:
            for fact in decide(state, command, before):
                before.append(f.RecordedFact(len(before) + 1, 0, "", "", fact))
                state = fold(before) if isinstance(fact, f.Undone) else apply_to_own(state, before[-1])
                again.append(fact)
        if again != [each.fact for each in recorded]:
            raise BadInput(f'the command id "{recorded[0].command}" was used for another command')


def new_command_id() -> str:
    """Return a random id for a command that nobody repeats."""
    return secrets.token_hex(16)


def _hash_of(before: str, *row: str | int) -> str:
    return sha256(_JSON.encode((before, *row))).hexdigest()


def _commitment_of(salt: bytes, fields: str) -> str:
    return sha256(salt + fields.encode()).hexdigest()


def _read_row(row: tuple[Any, ...], expected: int, head: str) -> tuple[f.RecordedFact, str, bool]:
    """Return a fact, the hash of its row, and whether its personal fields are missing; raise Broken for a bad row."""
    number, at, actor, command, kind, text, commitment, digest, salt, fields = row
    if number != expected or digest != _hash_of(head, number, at, actor, command, kind, text, commitment):
        raise Broken(f"fact {expected} does not follow from the one before: the file was altered")
    if salt is not None and commitment != _commitment_of(salt, fields):
        raise Broken(f"the names or reasons of fact {expected} were altered")
    try:
        personal = msgspec.json.decode(fields, type=dict[str, Any]) if salt is not None else {}
        fact = join_fact(msgspec.json.decode(text, type=dict[str, Any]), personal)
    except msgspec.DecodeError as err:
        raise Broken(f"fact {expected} cannot be read: a newer version of ordws wrote it") from err
    return f.RecordedFact(number, at, actor, command, fact), digest, bool(commitment) and salt is None
