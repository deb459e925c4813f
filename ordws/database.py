"""A SQLite file that a process keeps open, and that may be taken away under it."""

from __future__ import annotations

import os
import sqlite3
import threading
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from ordws.errors import StoreDown

PATIENCE_SECONDS: Final = 2.0


class _OpenFile(NamedTuple):
    file: tuple[int, int]  # device and inode: what was opened, whatever stands at the path by now
    connection: sqlite3.Connection


class Database:
    """One connection to one file, lent by `with` to one thread at a time; any failure is a StoreDown.

    A file that is missing, damaged or locked for too long fails each use until it is well again, and a file
    that was replaced is opened anew. Where it was waited for in vain, one thread at a time goes on trying and the
    others fail at once, or all would wait. Nothing is ever made here but by `create`.
    """

    def __init__(self, path: Path, *pragmas: str, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self.path = path
        self._path_text = str(path)  # os.stat reads a text faster than a Path, on every question
        self._pragmas = pragmas
        self._patience = patience_seconds
        self._lock = threading.Lock()
        self._open: _OpenFile | None = None
        self._is_blocked = False

    def create(self, schema: str) -> None:
        """Make the file, readable for its owner alone, and its tables, where they are not there yet."""
        try:
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as err:
            raise StoreDown(f'cannot make "{self.path}": {err.strerror}') from err
        with self as connection:
            connection.executescript(schema)

    def __enter__(self) -> sqlite3.Connection:
        """The connection, in autocommit, for one thread."""
        # A lock that is free is taken at once in a third of the time that it takes with a timeout.
        if not self._lock.acquire(False) and (self._is_blocked or not self._lock.acquire(timeout=self._patience)):
            self._is_blocked = True
            raise StoreDown(f'"{self.path.name}" is busy')
        try:
            seen = os.stat(self._path_text)  # noqa: PTH116 - Path.stat costs a microsecond more
            file = (seen.st_dev, seen.st_ino)
            return self._open.connection if self._open and self._open.file == file else self._reconnect(file)
        except BaseException as err:
            self.__exit__(type(err), err)
            raise

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, *_: object) -> None:
        self._is_blocked = _is_locked(err)
        if err is not None:
            self._disconnect()  # which rolls back
        self._lock.release()
        if isinstance(err, (sqlite3.Error, OSError)):
            why = err.strerror if isinstance(err, OSError) else err
            raise StoreDown(f'"{self.path.name}" does not answer: {why}') from err

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _reconnect(self, file: tuple[int, int]) -> sqlite3.Connection:
        self._disconnect()
        self._open = _OpenFile(file, self._connect())
        for setting in self._pragmas:
            self._open.connection.execute(f"pragma {setting}")
        return self._open.connection

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(str(self.path.absolute()))}?mode=rw",
            uri=True,
            timeout=self._patience,
            isolation_level=None,
            check_same_thread=False,
        )

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.connection.close()
            self._open = None


def _is_locked(err: BaseException | None) -> bool:
    """Whether another process held the file for too long."""
    return isinstance(err, sqlite3.Error) and getattr(err, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
