"""The console's own database: accounts and all that belongs to them. Votes and words are in the ledger alone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ordws.atomic_files import PRIVATE_MODE
from ordws.curation.sqlcipher import Database, configure, connect, immediate_transaction, translate_errors
from ordws.errors import Broken, Missing

_SCHEMA_1: Final = (
    "CREATE TABLE members (name TEXT PRIMARY KEY, folded TEXT NOT NULL UNIQUE,"
    " role TEXT NOT NULL CHECK (role IN ('keeper', 'chair', 'curator')), handle TEXT NOT NULL,"
    " since INTEGER NOT NULL, ended INTEGER, declared INTEGER,"
    " password TEXT, totp TEXT, totp_step INTEGER NOT NULL DEFAULT 0,"
    " failures INTEGER NOT NULL DEFAULT 0, locked_until INTEGER NOT NULL DEFAULT 0) STRICT",
    "CREATE TABLE declarations (row INTEGER PRIMARY KEY, member TEXT NOT NULL, at INTEGER NOT NULL,"
    " text TEXT NOT NULL) STRICT",
    "CREATE TABLE passkeys (id TEXT PRIMARY KEY, member TEXT NOT NULL, public_key TEXT NOT NULL,"
    " uses INTEGER NOT NULL, label TEXT NOT NULL, since INTEGER NOT NULL) STRICT",
    "CREATE TABLE invitations (digest TEXT PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL UNIQUE,"
    " role TEXT NOT NULL, handle TEXT NOT NULL, by TEXT, ends INTEGER NOT NULL) STRICT",
    "CREATE TABLE enrolments (digest TEXT PRIMARY KEY, name TEXT NOT NULL, secret TEXT NOT NULL,"
    " ends INTEGER NOT NULL) STRICT",
    "CREATE TABLE sessions (digest TEXT PRIMARY KEY, member TEXT NOT NULL, csrf TEXT NOT NULL, since INTEGER NOT NULL,"
    " seen INTEGER NOT NULL, ends INTEGER NOT NULL) STRICT",
    "CREATE TABLE incidents (row INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, member TEXT) STRICT",
    "CREATE INDEX incidents_by_kind ON incidents (kind, at)",
    "CREATE TABLE pace (row INTEGER PRIMARY KEY, at INTEGER NOT NULL, curator TEXT NOT NULL, seconds REAL NOT NULL,"
    " kind TEXT NOT NULL) STRICT",
    "CREATE INDEX pace_by_curator ON pace (curator)",
)
_SCHEMA_2: Final = (
    "CREATE TABLE devices (member TEXT NOT NULL, digest TEXT NOT NULL, used INTEGER NOT NULL,"
    " failures INTEGER NOT NULL, failed_at INTEGER NOT NULL, locked_until INTEGER NOT NULL,"
    " PRIMARY KEY (member, digest)) STRICT",
    # The failures counted so far are those of unknown devices, for no device is known yet.
    "INSERT INTO devices SELECT name, '', 0, failures, locked_until, locked_until FROM members WHERE failures > 0",
    "ALTER TABLE members DROP COLUMN failures",
    "ALTER TABLE members DROP COLUMN locked_until",
)
_SCHEMA_3: Final = (
    # SQLite cannot change a CHECK: reviewers of fair play have accounts in a database of this schema too.
    "CREATE TABLE members_3 (name TEXT PRIMARY KEY, folded TEXT NOT NULL UNIQUE,"
    " role TEXT NOT NULL CHECK (role IN ('keeper', 'chair', 'curator', 'reviewer')), handle TEXT NOT NULL,"
    " since INTEGER NOT NULL, ended INTEGER, declared INTEGER,"
    " password TEXT, totp TEXT, totp_step INTEGER NOT NULL DEFAULT 0) STRICT",
    "INSERT INTO members_3 SELECT name, folded, role, handle, since, ended, declared, password, totp, totp_step"
    " FROM members",
    "DROP TABLE members",
    "ALTER TABLE members_3 RENAME TO members",
)
_SCHEMA_4: Final = (
    # The tables of `ordws.frame.sessions` and `devices`, of which the console had its own.
    "ALTER TABLE sessions RENAME COLUMN member TO holder",
    "ALTER TABLE devices RENAME COLUMN member TO holder",
    # Their digests had been bound to a member: devices are known again after the next sign-in.
    "DELETE FROM devices WHERE digest <> ''",
)
# A change of the schema is appended as another tuple; existing ones never change, since they have run.
MIGRATIONS: Final = (_SCHEMA_1, _SCHEMA_2, _SCHEMA_3, _SCHEMA_4)


def create_file(path: Path) -> None:
    """Make an empty private file, which `open_database` fills; leave an existing one alone."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT, PRIVATE_MODE))


def open_database(path: Path, key: bytes) -> Database:
    """Open the database and migrate it to this version.

    Raises Missing where there is none, and Broken where a newer version of ordws made it.
    """
    if not path.exists():
        raise Missing(f"there is no {path.name}", hint="ordws curate makes it")
    with translate_errors(path):
        db = connect(path, key)
        configure(db)
        # The write lock is taken before the version is read: of two processes that start at once, one migrates.
        with immediate_transaction(db):
            (done,) = db.execute("PRAGMA user_version").fetchone()
            if done > len(MIGRATIONS):
                raise Broken(f"{path.name} was made by a newer version of ordws")
            for statement in [statement for migration in MIGRATIONS[done:] for statement in migration]:
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    return db
