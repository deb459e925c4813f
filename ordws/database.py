"""A SQLite file that a process keeps open while others may replace, lock or remove it, and the base of its stores."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import ModuleType
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias
from urllib.parse import quote

from ordws.errors import Broken, StoreDown

PATIENCE_SECONDS: Final = 2.0
_RETRY_SECONDS: Final = 0.0005
"""The pause before the lock is asked for again: a fraction of the time for which a disk is flushed."""

Parameters: TypeAlias = Sequence[Any] | Mapping[str, Any]


class _OpenFile(NamedTuple):
    """A connection, and the device and inode of the file it was opened on, which the path may no longer lead to."""

    device_and_inode: tuple[int, int]
    connection: sqlite3.Connection


class Database:
    """One connection to one file, lent by `with` to one thread at a time; every failure is raised as StoreDown.

    A file that is missing, damaged or locked for too long fails each use until it works again, and a file that was
    replaced is opened anew. After a wait that timed out, one thread at a time keeps trying and the others fail at
    once, because otherwise all threads would wait. Only `create` makes a file.
    """

    def __init__(
        self, path: Path, *pragmas: str, patience_seconds: float = PATIENCE_SECONDS, driver: ModuleType = sqlite3
    ) -> None:
        """Take the path, what each connection begins with, and a driver like that of the standard library."""
        self.path = path
        self._driver = driver
        self._path_text = str(path)  # os.stat takes a string faster than a Path, and every request calls it
        self._pragmas = pragmas
        self._patience = patience_seconds
        self._lock = threading.Lock()
        self._open: _OpenFile | None = None
        self._is_blocked = False

    def create(self, schema: str) -> None:
        """Create the file, readable by its owner alone, and its tables, where they do not exist yet."""
        try:
            # SQLite itself would create the file with the permissions of the umask. A file that is there is not opened:
            # closing it would take away the locks of every connection to it in this process (fcntl(2)), and another
            # process would then delete the write-ahead log under them.
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            pass
        except OSError as err:
            raise StoreDown(f'cannot create "{self.path}": {err.strerror}') from err
        with self as connection:
            connection.executescript(schema)

    def __enter__(self) -> sqlite3.Connection:
        """Return the connection, in autocommit mode, to the thread that now holds the lock."""
        # Taking a free lock without a timeout costs a third of the time.
        if not self._lock.acquire(False) and (self._is_blocked or not self._lock.acquire(timeout=self._patience)):
            self._is_blocked = True
            raise StoreDown(f'"{self.path.name}" is busy')
        try:
            status = os.stat(self._path_text)  # noqa: PTH116 - Path.stat costs a microsecond more
            file = (status.st_dev, status.st_ino)
            if self._open is not None and self._open.device_and_inode == file:
                return self._open.connection
            self._disconnect()
            connection: sqlite3.Connection = self._driver.connect(
                # Mode "rw" does not create the file: lost meters must be noticed and not begin anew.
                f"file:{quote(str(self.path.absolute()))}?mode=rw",
                uri=True,
                timeout=self._patience,
                isolation_level=None,
                check_same_thread=False,  # the lock lends the connection to one thread at a time
            )
            self._open = _OpenFile(file, connection)
            for pragma in self._pragmas:
                connection.execute(f"pragma {pragma}")
            return connection
        except BaseException as err:
            self.__exit__(type(err), err)
            raise

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, *_: object) -> None:
        # The low byte is the primary result code: SQLITE_BUSY_SNAPSHOT and the like are SQLITE_BUSY too.
        code = getattr(err, "sqlite_errorcode", 0) & 0xFF
        self._is_blocked = isinstance(err, self._driver.Error) and code == sqlite3.SQLITE_BUSY
        if err is not None:
            self._disconnect()  # which rolls back an open transaction
        self._lock.release()
        if isinstance(err, (self._driver.Error, OSError)):
            why = err.strerror if isinstance(err, OSError) else err
            raise StoreDown(f'"{self.path.name}" does not answer: {why}') from err

    def begin(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction with the write lock; for that it asks again and again while other processes write.

        SQLite itself pauses up to 0.1 s before it asks again, and a busy process frees the lock for microseconds.
        """
        connection.execute("pragma busy_timeout = 0")
        deadline = monotonic() + self._patience
        while True:
            try:
                connection.execute("begin immediate")
                # A commit, too, waits for others to have read where there is no write-ahead log.
                connection.execute(f"pragma busy_timeout = {1_000 * self._patience:.0f}")
                return
            except self._driver.OperationalError as err:
                if err.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() >= deadline:
                    raise
            sleep(_RETRY_SECONDS)

    def close(self) -> None:
        with self._lock:
            self._disconnect()

    def _disconnect(self) -> None:
        if self._open is not None:
            self._open.connection.close()
            self._open = None


def is_damage(error: StoreDown) -> bool:
    """Return whether a file does not answer because it is damaged, no database, or encrypted under another key."""
    code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)


def copy_database(path: Path) -> bytes:
    """Return a database as SQLite copies it, so that a write in progress is left out; raise Broken for a damaged one.

    What a process that was killed has left half written is taken back in the file itself.
    """
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as source,
            closing(sqlite3.connect(":memory:")) as copy,
        ):
            source.backup(copy)
            return copy.serialize()
    except sqlite3.Error as err:
        raise Broken(f'"{path.name}" cannot be copied: {err}') from err


def check_database(path: Path) -> None:
    """Read a whole file; raise Broken where it is damaged, which SQLite does not notice when it opens one."""
    with closing(sqlite3.connect(path)) as db:
        try:
            found = db.execute("pragma integrity_check").fetchone()
        except sqlite3.DatabaseError as err:
            raise Broken(f'"{path.name}" is damaged: {err}') from err
    if found != ("ok",):
        raise Broken(f'"{path.name}" is damaged')


class Store:
    """The base of a store that has tables in a file of its own. Each call is one transaction, or raises StoreDown."""

    SCHEMA: ClassVar[str]
    """The statements that make the tables where they do not exist."""

    PRAGMAS: ClassVar[tuple[str, ...]] = ()
    DRIVER: ClassVar[ModuleType] = sqlite3
    SWEEPS: ClassVar[tuple[str, ...]] = ()
    """The statements that delete what is older than a moment, `?`; with a limit, so that no request waits long."""

    def __init__(
        self, path: Path, *pragmas: str, keep_seconds: int = 0, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        pragmas = (*pragmas, *self.PRAGMAS)
        self._database = Database(path, *pragmas, patience_seconds=patience_seconds, driver=self.DRIVER)
        self._keep_seconds = keep_seconds

    @classmethod
    def create(cls, path: Path, *arguments: Any, **options: Any) -> Self:
        """Open the store at a path, and make the file and its tables where there are none; see the constructor."""
        store = cls(path, *arguments, **options)
        store._database.create(cls.SCHEMA)
        return store

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._database.close()

    def sweep(self, now: int) -> int:
        """Delete what is older than the store keeps it, and return the number of rows."""
        swept = 0
        for statement in self.SWEEPS:
            while count := self._run(statement, (now - self._keep_seconds,)):
                swept += count
        return swept

    def _one(self, statement: str, parameters: Parameters = ()) -> Any:
        """Return the first row of a query, None where there is none."""
        with self._database as db:
            return db.execute(statement, parameters).fetchone()

    def _all(self, statement: str, parameters: Parameters = ()) -> list[Any]:
        with self._database as db:
            return db.execute(statement, parameters).fetchall()

    def _run(self, statement: str, parameters: Parameters = ()) -> int:
        """Run a statement, and return the number of rows that it changed."""
        with self._database as db:
            return db.execute(statement, parameters).rowcount

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for a transaction with the write lock, which an exception rolls back."""
        with self._database as db:
            self._database.begin(db)
            yield db
            db.execute("commit")
