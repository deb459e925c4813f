"""SQLCipher under sqlite_utils: the only module that imports either, and the only way to a transaction."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlcipher3
import sqlcipher3.dbapi2

# sqlite_utils imports its driver, and the errors that it catches, from modules of these names if they exist.
sys.modules["pysqlite3"] = sqlcipher3
sys.modules["pysqlite3.dbapi2"] = sqlcipher3.dbapi2

from sqlite_utils import Database as Database  # noqa: E402 - the aliases come first

from ordws.errors import LedgerBroken, StoreDown  # noqa: E402

DRIVER: Final = sqlcipher3.dbapi2
KEY_BYTES: Final = 32
_BUSY_TIMEOUT_SECONDS: Final = 30.0
_CORRUPT_CODES: Final = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_UNAVAILABLE_CODES: Final = (
    "SQLITE_BUSY",
    "SQLITE_LOCKED",
    "SQLITE_FULL",
    "SQLITE_IOERR",
    "SQLITE_READONLY",
    "SQLITE_CANTOPEN",
)


def key_pragmas(path: Path, key: bytes) -> tuple[str, str]:
    """Return the pragmas with which a connection to an encrypted file begins."""
    if len(key) != KEY_BYTES:
        raise LedgerBroken(f"the key of {path.name} is not {KEY_BYTES} bytes long")
    # SQLCipher would print to stderr for every page that does not decrypt, where an exception says it once. It takes 64
    # hex digits as they are, without deriving a key from them.
    return "cipher_log = off", f"key = \"x'{key.hex()}'\""


def connect(path: Path, key: bytes) -> Database:
    """Connect to the database at a path; a wrong key fails at the first read.

    Several threads may use the connection, one at a time.
    """
    connection = DRIVER.connect(str(path), timeout=_BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
    for pragma in key_pragmas(path, key):
        connection.execute(f"PRAGMA {pragma}")
    # A plugin of sqlite_utils is code of any package installed beside it: none may run on this database.
    return Database(connection, execute_plugins=False)


def configure(db: Database) -> None:
    """Make commits durable and check every page; raise an error if the key is wrong or a page is damaged."""
    db.execute("PRAGMA journal_mode = WAL").fetchall()
    # In WAL mode a lower level syncs at checkpoints only, so that a power cut would lose the last commits.
    db.execute("PRAGMA synchronous = FULL")
    faults = db.execute("PRAGMA cipher_integrity_check").fetchall()
    if faults:
        raise LedgerBroken(f"{len(faults)} pages are damaged")


@contextmanager
def immediate_transaction(db: Database) -> Iterator[None]:
    """Run the block as one transaction that holds the write lock from its first statement."""
    # A deferred transaction could read, and then fail to write because another process has written in between.
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """Raise StoreDown for a database that cannot answer now, LedgerBroken for a damaged one or another key."""
    try:
        yield
    except sqlcipher3.dbapi2.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(_CORRUPT_CODES):
            raise LedgerBroken(f"{path.name} does not read: wrong key, or damaged") from error
        if name.startswith(_UNAVAILABLE_CODES):
            raise StoreDown(f"{path.name} does not answer: {error}") from error
        raise
    except OSError as error:
        raise StoreDown(f"{path.name} does not answer: {error.strerror}") from error
