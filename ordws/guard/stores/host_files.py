"""The files of one host beside the map of its meters: to which boot the map belongs, and what lasts longer than a day.

LMDB writes what it commits to memory that the kernel keeps when a process dies, and that is lost when the machine loses
its power. So a map belongs to one boot. After a clean end it goes on in the next; after any other a new map begins, and
the n-th such start of a UTC day leaves 1/2^(n-1) of each daily limit: power cuts give at most three times a day's
budgets, and never close anybody's judge (docs/guard.md 3.2, 3.4).

First sights, alarms and the history of 400 days are in a SQLite file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, structs

from ordws.atomic_files import PRIVATE_MODE, SECRET_MODE, write_atomically
from ordws.database import Store
from ordws.errors import BadInput, StoreDown
from ordws.guard.charge import ID_BYTES, DayHistory, Lasting, MeterOwner
from ordws.guard.policy import DAY
from ordws.retention import HISTORY

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
NEW_METERS_HINT: Final = "ordws guard new-meters makes new ones, and refuses all questions until midnight UTC"


class BootRecord(Struct, frozen=True):
    """The contents of the file."""

    boot: str
    """The kernel's id of the boot that the map belongs to."""
    is_clean: bool
    """Whether the map was on disk when the last process left it."""
    generation: int = 1
    """The number of the map."""
    day: int = 0
    """The UTC day of the last unclean start."""
    unclean_starts: int = 0
    """The unclean starts of that day, all of which but the first halve its limits."""
    closed_until: int = 0
    """The moment until which everything is refused."""
    latest_day: int = 0
    """The largest UTC day on which a question was asked."""


class BootFile:
    """The file, and the lock that tells who uses the map: each process shares it, and the last one has it alone."""

    def __init__(self, folder: Path, boot_id: Path = BOOT_ID) -> None:
        self._path, self._lock_path, self._boot_id = folder / "boot.json", folder / "lock", boot_id
        self._folder = folder

    def create(self, *, closed_until: int = 0) -> None:
        """Make the file of new meters, which begin open unless a moment is given."""
        record = BootRecord(self._read_boot_id(), is_clean=True, generation=0, closed_until=closed_until)
        self._write(record)

    def exists(self) -> bool:
        return self._path.exists()

    def forget(self) -> None:
        """Remove the file and its maps, which are lost or damaged; raises BadInput where a process uses them."""
        descriptor = os.open(self._lock_path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE)
        try:
            if not _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                raise BadInput(f'the meters in "{self._folder}" are in use', hint="stop the service first")
            for path in (self._path, *self._folder.glob("map-*")):
                path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)

    def map_path(self, record: BootRecord) -> Path:
        return self._folder / f"map-{record.generation}"

    def join(self, make_map: Callable[[BootRecord], None], now: int) -> tuple[int, BootRecord]:
        """Begin to use the map; return the lock's descriptor, which `leave` takes, and what the file says.

        `make_map` makes the map of a new generation.
        """
        boot = self._read_boot_id()
        self.read()  # before anything is made in a folder that is lost
        descriptor = os.open(self._lock_path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE)
        try:
            while True:
                if _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    # Nobody uses the map: it is this process that begins it, or goes on with it.
                    record = self._begin(boot, make_map, now)
                    _lock(descriptor, fcntl.LOCK_SH)
                    return descriptor, record
                _lock(descriptor, fcntl.LOCK_SH)
                record = self.read()
                if record.boot == boot and not record.is_clean:
                    return descriptor, record
                # The last process left between the two locks.
                _lock(descriptor, fcntl.LOCK_UN)
        except BaseException:
            os.close(descriptor)
            raise

    def leave(self, descriptor: int, sync: Callable[[], None]) -> None:
        """End the use of the map; the last process syncs it, and then notes that it is clean."""
        try:
            if _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                sync()
                self._write(structs.replace(self.read(), is_clean=True))
        finally:
            os.close(descriptor)

    def read(self) -> BootRecord:
        """Return what the file says; raises StoreDown where it is missing or damaged."""
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=BootRecord)
        except (OSError, msgspec.DecodeError) as err:
            why = err.strerror if isinstance(err, OSError) else "it is damaged"
            message = f'the meters in "{self._folder}" cannot be used: {self._path.name}: {why}'
            raise StoreDown(message, hint=NEW_METERS_HINT) from err

    def change(self, **changes: int) -> None:
        """Change fields of the file; whoever calls holds the map's write transaction, so that one does at a time."""
        self._write(structs.replace(self.read(), **changes))

    def _begin(self, boot: str, make_map: Callable[[BootRecord], None], now: int) -> BootRecord:
        """Go on with the map, or begin a new one where nobody knows what the last one lost; return the new record."""
        record = self.read()
        if record.generation and (record.boot == boot or record.is_clean):
            record = structs.replace(record, boot=boot, is_clean=False)
            self._write(record)
            return record
        old, starts, day = self.map_path(record), record.unclean_starts, now // DAY
        if record.generation:
            starts = starts + 1 if record.day == day else 1
        generation = record.generation + 1
        record = structs.replace(
            record, boot=boot, is_clean=False, generation=generation, day=day, unclean_starts=starts
        )
        # The file names a map only once it is there, so that a missing one is a loss.
        make_map(record)
        self._write(record)
        old.unlink(missing_ok=True)
        return record

    def _read_boot_id(self) -> str:
        try:
            return self._boot_id.read_text("ascii").strip()
        except OSError as err:
            raise StoreDown(
                f'"{self._boot_id}" cannot be read, so nobody knows whether the machine was off: {err.strerror}',
                hint="[store] redis in settings.toml keeps the meters in a Redis or Valkey server",
            ) from err

    def _write(self, record: BootRecord) -> None:
        try:
            write_atomically(self._path, msgspec.json.encode(record), SECRET_MODE)
        except OSError as err:
            raise StoreDown(f'"{self._path}" cannot be written: {err.strerror}') from err


def _lock(descriptor: int, operation: int) -> bool:
    """Take or change a lock; return False where another process has it and this one does not wait."""
    try:
        fcntl.flock(descriptor, operation)
    except BlockingIOError:
        return False
    return True


_LASTING_FIELDS: Final = ", ".join(Lasting._fields)
_PAGE: Final = 500


class LastingFile(Store):
    """A SQLite file of one host; every change is on disk when it returns."""

    SCHEMA = """
        pragma journal_mode = wal;
        create table if not exists lasting (
            subject blob primary key,
            first_seen integer,
            alarm text not null default '',
            alarm_until integer not null default 0,
            calmed integer not null default 0,
            calmed_until integer not null default 0
        ) without rowid;
        create table if not exists history (
            subject blob not null,
            day integer not null,
            units integer not null,
            core integer not null,
            fingerprints blob not null,
            primary key (subject, day)
        ) without rowid;
    """
    PRAGMAS = ("synchronous = full",)

    def find(self, subject: MeterOwner) -> Lasting:
        row = self._one(f"select {_LASTING_FIELDS} from lasting where subject = ?", (subject,))
        return Lasting(*row) if row else Lasting()

    def update(self, subject: MeterOwner, **changes: int | str) -> None:
        names = [name for name in Lasting._fields if name in changes]
        update = ", ".join([f"{name} = excluded.{name}" for name in names])
        self._run(
            f"insert into lasting (subject, {', '.join(names)}) values (?{', ?' * len(names)})"
            f" on conflict (subject) do update set {update}",
            (subject, *[changes[name] for name in names]),
        )

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        rows = self._all(f"select subject, {_LASTING_FIELDS} from lasting where alarm_until > ?", (now,))
        return {subject: Lasting(*values) for subject, *values in rows}

    def save_history(self, days: Sequence[DayHistory]) -> None:
        with self._transaction() as connection:
            connection.executemany("insert or replace into history values (?, ?, ?, ?, ?)", days)

    def forget_history(self, today: int) -> None:
        """Delete what is older than 400 days."""
        self._run("delete from history where day < ?", (today - HISTORY.seconds // DAY,))

    def history(self, client: bytes) -> Iterator[DayHistory]:
        """Yield the days of a client and its players, by subject and day."""
        first, last, day = client, client + b"\xff" * (ID_BYTES + 1), -1
        while True:
            rows = self._all(
                "select * from history where (subject, day) > (?, ?) and subject < ? order by subject, day limit ?",
                (first, day, last, _PAGE),
            )
            yield from [DayHistory(*row) for row in rows]
            if len(rows) < _PAGE:
                return
            first, day = rows[-1][:2]
