"""Group commit: writes that arrive while an earlier commit is on its way to the disk share the next one."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, Generic, TypeVar

from ordws.database import Database
from ordws.errors import StoreDown

T = TypeVar("T")


class GroupCommit:
    """A process's writes to one database, committed in groups; no write returns before its commit has.

    The first write of a group is its leader: its thread waits for the write lock, closes the group, runs the writes of
    all in one transaction, and commits once. A leader that need not wait for the lock waits for nothing.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._open_group: list[_Write[Any]] = []

    def run(self, statements: Callable[[sqlite3.Connection], T]) -> T:
        """Run statements, all or none of which take effect, and return their result once it is committed.

        Raises what they raise, which undoes none of the group's other writes, and StoreDown where SQLite refuses them
        or the group cannot be committed.
        """
        write = _Write(statements)
        with self._lock:
            group = self._open_group
            group.append(write)
        if group[0] is not write:
            return write.outcome.result()
        try:
            # The database is lent to one thread at a time, so here a leader waits for the group before its own.
            with self._database as db:
                self._database.begin(db)
                self._close(group)
                acknowledgements = [each.run(db) for each in group]
                db.execute("commit")
        except BaseException as err:
            self._close(group)
            why = str(err) if isinstance(err, StoreDown) else "a group commit was broken off"
            for each in group:
                each.outcome.set_exception(StoreDown(why))
            if not isinstance(err, StoreDown):
                raise
        else:
            for acknowledge in acknowledgements:
                acknowledge()
        return write.outcome.result()

    def _close(self, group: list[_Write[Any]]) -> None:
        """Let the next write begin another group."""
        with self._lock:
            if self._open_group is group:
                self._open_group = []


class _Write(Generic[T]):
    """One write of a group. Its thread waits for the outcome, which is set after the commit."""

    def __init__(self, statements: Callable[[sqlite3.Connection], T]) -> None:
        self.outcome: Future[T] = Future()
        self._statements = statements

    def run(self, db: sqlite3.Connection) -> Callable[[], None]:
        """Run the statements in a savepoint and return the function that sets the outcome.

        An exception of theirs is an outcome, unless SQLite has rolled back the whole transaction, as on a full disk.
        """
        db.execute("savepoint write")
        try:
            acknowledge = partial(self.outcome.set_result, self._statements(db))
        except Exception as err:
            if not db.in_transaction:
                raise
            db.execute("rollback to write")
            refused = StoreDown(f"a write was refused: {err}") if isinstance(err, sqlite3.Error) else err
            acknowledge = partial(self.outcome.set_exception, refused)
        db.execute("release write")
        return acknowledge
