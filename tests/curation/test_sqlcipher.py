"""The database under the ledger: its transactions and its errors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlcipher3.dbapi2
import sqlite_utils.utils
from ledger_samples import LedgerFiles

from ordws.curation.sqlcipher import Database, configure, immediate_transaction, translate_errors
from ordws.errors import LedgerBroken, StoreDown


@pytest.fixture
def db(ledger_files: LedgerFiles) -> Iterator[Database]:
    db = ledger_files.database()
    configure(db)
    db.execute("CREATE TABLE words (word TEXT)")
    yield db
    db.close()


def test_sqlite_utils_catches_the_errors_of_sqlcipher() -> None:
    """sqlite_utils uses SQLCipher's driver, and so catches its errors."""
    assert sqlite_utils.utils.OperationalError is sqlcipher3.dbapi2.OperationalError


def test_a_transaction_is_atomic(db: Database) -> None:
    """All writes of one block are there after it; none is after an error."""
    with immediate_transaction(db):
        db.execute("INSERT INTO words VALUES ('BASH')")
    with pytest.raises(StopIteration), immediate_transaction(db):
        next(db.execute("INSERT INTO words VALUES ('ZORIL')"))
    assert db.execute("SELECT word FROM words").fetchall() == [("BASH",)]
    assert not db.conn.in_transaction


def test_a_transaction_holds_the_write_lock_from_the_start(ledger_files: LedgerFiles, db: Database) -> None:
    """A transaction keeps other writers out from its start, and a busy store is no damage."""
    other = ledger_files.database()
    other.execute("PRAGMA busy_timeout = 0")
    with immediate_transaction(db), pytest.raises(StoreDown, match=r"curation\.db does not answer: database is locked"):  # noqa: SIM117
        with translate_errors(ledger_files.path), immediate_transaction(other):
            pass
    other.close()


def test_an_unreadable_file_is_broken(ledger_files: LedgerFiles, db: Database) -> None:
    """A file that is no database of this key is broken."""
    db.close()
    ledger_files.path.write_bytes(b"x" * 8_192)
    with (
        pytest.raises(LedgerBroken, match=r"curation\.db does not read: wrong key, or damaged"),
        translate_errors(ledger_files.path),
    ):
        configure(ledger_files.database())


def test_a_wrong_statement_is_reported_as_such(ledger_files: LedgerFiles, db: Database) -> None:
    """A wrong statement is neither damage nor an unavailable store."""
    with pytest.raises(sqlcipher3.dbapi2.OperationalError, match="no such table"), translate_errors(ledger_files.path):
        db.execute("SELECT * FROM absent")


def test_commits_are_synced(db: Database) -> None:
    """Commits are synced to the disk: WAL with synchronous FULL."""
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
