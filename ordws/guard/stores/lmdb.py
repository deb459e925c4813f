"""A store of one host, in a folder that all its workers share: what questions raise in LMDB, what lasts in SQLite.

LMDB is used as it comes, without a flush: what is committed survives the death of any process, and `boot` has what
happens when the machine loses its power.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from struct import Struct
from struct import error as StructError
from time import time
from typing import Any, Final, NamedTuple

import lmdb

from ordws.atomic_files import PRIVATE_MODE
from ordws.errors import StoreDown
from ordws.guard.charge import (
    CLASSES,
    CLOCK_WENT_BACK,
    CORE,
    FIELDS,
    GUESTS,
    ID_BYTES,
    NO_FINGERPRINT,
    OPENED,
    OPENING,
    UNITS,
    Admitted,
    Charge,
    DayHistory,
    Lasting,
    Mark,
    MeterOwner,
    MeterRecord,
    Refused,
    day_key,
    game_key,
    game_marks,
    has_history,
    pack_mark,
    settle,
    unpack_mark,
    word_marks,
)
from ordws.guard.policy import DAY
from ordws.guard.stores.host_files import BOOT_ID, NEW_METERS_HINT, BootFile, BootRecord, LastingFile
from ordws.retention import MARKS, METERS

MAP_BYTES: Final = 1 << 36
"""The most that the map may grow to; its file has no more than what was written."""
HOUR: Final = 3_600
_BATCH: Final = 500
"""The keys deleted, and the subjects collected, in one transaction: no question waits long for it."""
_STATE: Final = b"s"
_STATE_ROW: Final = Struct("<qI")
_FOLDED: Final = b"f"
"""The key of the last UTC day that the history has for good, and of the hour in which it was brought up to date."""
_FOLDED_ROW: Final = Struct("<II")
_DAY_BYTES: Final = 4
_ADDRESS_KEY_BYTES: Final = 36
_FAILURES: Final = (lmdb.Error, OSError, StructError)


class _OpenMap(NamedTuple):
    env: lmdb.Environment
    file: tuple[int, int]
    """The device and inode of its file, which the path may no longer lead to."""
    path: str
    record: BootRecord
    descriptor: int
    """The lock that says that this process uses the map."""


class _Map:
    """The map of one folder in this process, which may be open once; all stores over the folder share it."""

    def __init__(self, folder: Path, boot_id: Path) -> None:
        self.boot = BootFile(folder, boot_id)
        self._lock = threading.Lock()
        self._users = 0
        self._open: _OpenMap | None = None

    def begin(self, *, write: bool) -> Any:
        """Begin a transaction; raises StoreDown where the file is not the one that was opened."""
        opened = self._open
        if opened is None:
            raise StoreDown("the meters were closed")
        try:
            # A file that was removed would go on being used here, and by nobody who comes later.
            status = os.stat(opened.path)  # noqa: PTH116 - a Path would be made for each question
            if (status.st_dev, status.st_ino) != opened.file:
                raise StoreDown("the file of the meters was replaced", hint="restart the service")
            return opened.env.begin(write=write)
        except _FAILURES as err:
            raise _failed(err) from err

    @property
    def record(self) -> BootRecord:
        assert self._open is not None
        return self._open.record

    def forget_dead_readers(self) -> None:
        """Free what processes held that died within a read: LMDB keeps all pages that they saw, and the file grows."""
        if (opened := self._open) is not None:
            with _as_store_down():
                opened.env.reader_check()

    def join(self, now: int) -> None:
        """Open the map for one more store of this process."""
        with self._lock:
            if self._open is None:
                with _as_store_down():
                    descriptor, record = self.boot.join(self._make_map, now)
                try:
                    self._open = self._open_map(descriptor, record)
                except BaseException:
                    os.close(descriptor)
                    raise
            self._users += 1

    def leave(self) -> None:
        """Close the map if no store of this process uses it any more."""
        with self._lock:
            self._users -= 1
            if not self._users:
                self._close()

    def leave_for_good(self) -> None:
        """Close the map whoever uses it: the process ends."""
        # A map that cannot be flushed stays unclean.
        with self._lock, suppress(StoreDown):
            self._close()

    def _close(self) -> None:
        opened, self._open = self._open, None
        if opened is not None:
            try:
                with _as_store_down():
                    self.boot.leave(opened.descriptor, lambda: opened.env.sync(True))
            finally:
                opened.env.close()

    def _make_map(self, record: BootRecord) -> None:
        path = self.boot.map_path(record)
        path.unlink(missing_ok=True)
        with _environment(path, create=True) as env, env.begin(write=True) as txn:
            txn.put(_STATE, _STATE_ROW.pack(record.closed_until, record.latest_day))

    def _open_map(self, descriptor: int, record: BootRecord) -> _OpenMap:
        path = self.boot.map_path(record)
        try:
            with ExitStack() as stack:
                env = stack.enter_context(_environment(path, create=False))
                status = path.stat()
                is_short = status.st_size < (env.info()["last_pgno"] + 1) * env.stat()["psize"]
                env.reader_check()  # or readers that died could leave no slot for this process
                with env.begin() as txn:
                    # LMDB takes an empty file for a new map.
                    if is_short or txn.get(_STATE) is None:
                        raise lmdb.CorruptedError("it is shorter than it was")
                stack.pop_all()
        except _FAILURES as err:
            raise StoreDown(f'the meters in "{path}" cannot be used: {err}', hint=NEW_METERS_HINT) from err
        return _OpenMap(env, (status.st_dev, status.st_ino), str(path), record, descriptor)


def _environment(path: Path, *, create: bool) -> lmdb.Environment:
    return lmdb.open(
        str(path),
        map_size=MAP_BYTES,
        subdir=False,
        create=create,
        mode=PRIVATE_MODE,
        metasync=False,
        sync=False,
        max_readers=1_024,
        max_spare_txns=8,
    )


_maps: Final[dict[Path, _Map]] = {}
_opening: Final = threading.Lock()
os.register_at_fork(after_in_child=_maps.clear)  # an environment is of one process


def _leave_all() -> None:
    """Leave the maps of a process that ends, as a command does, so that the last one notes that they are clean."""
    for each in _maps.values():
        each.leave_for_good()


atexit.register(_leave_all)


class LmdbMeterStore:
    """A store whose charges survive the death of any process; `create` makes it, and the constructor never does."""

    def __init__(self, folder: Path, *, now: int | None = None, boot_id: Path = BOOT_ID) -> None:
        """Open the store, at `now` by the clock of the host, since a start after a power cut counts for its day."""
        self._folder = folder
        with _opening:
            self._map = _maps.setdefault(folder.absolute(), _Map(folder, boot_id))
        self._lasting = LastingFile(folder / "lasting.db")
        self._opening, self._is_open = threading.Lock(), False
        self._open(int(time()) if now is None else now)

    @classmethod
    def create(
        cls, folder: Path, *, closed_until: int = 0, now: int | None = None, boot_id: Path = BOOT_ID
    ) -> LmdbMeterStore:
        """Open the store in a folder, and make it if there is none."""
        make_meters(folder, closed_until=closed_until, boot_id=boot_id)
        return cls(folder, now=now, boot_id=boot_id)

    @staticmethod
    def replace(folder: Path, *, closed_until: int) -> None:
        """Make new meters in the place of some that were lost or damaged; what lasts is kept if it can be read."""
        with _as_store_down():
            folder.mkdir(mode=0o700, exist_ok=True)
            BootFile(folder).forget()
            lasting = folder / "lasting.db"
            try:
                LastingFile(lasting).active_alarms(0)
            except StoreDown:
                if lasting.exists():
                    lasting.replace(lasting.with_suffix(".damaged"))
        make_meters(folder, closed_until=closed_until)

    def begin(self, *, write: bool) -> Any:
        """Begin a transaction of the map, which is opened again if this store was closed."""
        if not self._is_open:
            self._open(int(time()))
        return self._map.begin(write=write)

    def _open(self, now: int) -> None:
        with self._opening:
            if not self._is_open:
                self._map.join(now)
                self._record = self._map.record
                self._is_open = True

    def apply(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a count would pass its limit."""
        # Without `_as_store_down`, which would take a twentieth of the time.
        try:
            with self.begin(write=True) as txn:
                outcome, puts = self._apply(txn, charge, now)
                if puts:
                    txn.cursor().putmulti(puts)
            return outcome
        except _FAILURES as err:
            raise _failed(err) from err

    def _apply(self, txn: Any, charge: Charge, now: int) -> tuple[Admitted | Refused, list[tuple[bytes, bytes]]]:
        """Return the outcome of a charge, and what is to be put."""
        get: Callable[[bytes], bytes | None] = txn.get
        if (closed_until := self._enter_day(txn, now)) > now:
            return Refused("closed", closed_until - now), []
        new, puts, editions = [0] * CLASSES, [], {}
        records: list[MeterRecord] = []
        for place, (key, ends) in enumerate(charge.records):
            found = get(key)
            record = MeterRecord(ends, False, [0] * FIELDS) if found is None else MeterRecord.unpack(found)
            if place == charge.closes:
                if found is None or record.is_closed:
                    return Refused("guests", 0), []
                record = record._replace(is_closed=True)
            elif found is None or not record.runs(now):
                if place == charge.needs:
                    return Refused("guests", DAY - now % DAY), []
                new[OPENING] += place == charge.opening
                record = MeterRecord(ends, False, [0] * FIELDS)
            elif place == 0 and charge.once is not None and get(charge.once) is not None:
                return Admitted(), []
            elif charge.extends and place == charge.opening:
                record = record._replace(ends=max(ends, record.ends))
            records.append(record)
        for mark in charge.marks:
            found = get(mark.key)
            if found is not None:
                charged = unpack_mark(found)[0]
                if charged == mark.edition or not mark.is_pinned:
                    if charged != mark.edition and mark.edition:
                        editions[mark.word] = charged
                    continue
            new[mark.kind] += 1
            puts.append((mark.key, pack_mark(mark)))
        counts = [record.counts for record in records]
        amount = settle(charge.amounts, counts, new)
        if amount is not None:
            assert amount.budget is not None
            return Refused(amount.budget, records[amount.record].ends - now), []
        if charge.once is not None:
            puts.append((charge.once, pack_mark(Mark(charge.once, OPENING))))
        # A question of words that were all charged before, outside a game, changes nothing.
        if puts or charge.acts or any(amount.flat for amount in charge.amounts):
            puts += [(key, record.pack()) for (key, _), record in zip(charge.records, records, strict=True)]
        return Admitted(tuple(counts), tuple(new), editions), puts

    def _enter_day(self, txn: Any, now: int) -> int:
        """Note the first question of a UTC day, and return the moment until which all is refused."""
        day = now // DAY
        closed_until, latest = _STATE_ROW.unpack(txn.get(_STATE))
        if day > latest:
            self._map.boot.change(latest_day=day)
            txn.put(_STATE, _STATE_ROW.pack(closed_until, day))
        elif day < latest - 1:
            raise StoreDown(CLOCK_WENT_BACK)
        return int(closed_until)

    def read(self, keys: Sequence[bytes]) -> list[MeterRecord | None]:
        """Return records as they stand, running or ended; None for one that is not there."""
        with _as_store_down(), self.begin(write=False) as txn:
            return [MeterRecord.unpack(data) if (data := txn.get(key)) else None for key in keys]

    def day_records(self, client: bytes, day: int) -> dict[MeterOwner, MeterRecord]:
        """Return the records of a client's UTC day: of the client as a whole, and of its players."""
        prefix = day_key(client, day)
        with _as_store_down(), self.begin(write=False) as txn:
            return {client + key[len(prefix) :]: MeterRecord.unpack(data) for key, data in _scan(txn, prefix)}

    def guest_games(self) -> dict[bytes, MeterRecord]:
        """Return the records of guests' games by the games' keyed hashes."""
        with _as_store_down(), self.begin(write=False) as txn:
            return {key[-ID_BYTES:]: MeterRecord.unpack(data) for key, data in _scan(txn, game_key(GUESTS, b""))}

    def find_lasting(self, subject: MeterOwner) -> Lasting:
        return self._lasting.find(subject)

    def update_lasting(self, subject: MeterOwner, **changes: int | str) -> None:
        self._lasting.update(subject, **changes)

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        self._map.forget_dead_readers()  # here, since each worker reads the alarms once a second
        return self._lasting.active_alarms(now)

    def history(self, client: bytes) -> Iterator[DayHistory]:
        return self._lasting.history(client)

    def collect(self, now: int) -> None:
        """Bring the history up to date from the days at hand, and delete what is older than 400 days."""
        folded, _ = self._read_folded()
        with _as_store_down(), self.begin(write=False) as txn:
            days = sorted({int.from_bytes(key[1:5], "big") for key in _first_keys(txn, b"d")})
        for day in days:
            if day > folded:
                self._collect_day(day)
        self._collect_guest_games()
        self._lasting.forget_history(now // DAY)
        # What ended an hour ago is not raised any more, also by a clock that is behind.
        with _as_store_down(), self.begin(write=True) as txn:
            txn.put(_FOLDED, _FOLDED_ROW.pack(max(folded, (now - HOUR) // DAY - 1), now // HOUR))

    def _collect_day(self, day: int) -> None:
        """Write the history of a day, of all subjects that have one."""
        prefix = day_key(b"", day)
        after = prefix
        while True:
            found = []
            with _as_store_down(), self.begin(write=False) as txn:
                for key, data in _scan(txn, prefix, after):
                    subject, counts = key[len(prefix) :], MeterRecord.unpack(data).counts
                    after = key + b"\0"
                    if has_history(subject):
                        trail = _fingerprints(txn, word_marks(subject, day))
                        found.append(DayHistory(subject, day, counts[UNITS], counts[CORE], trail))
                    if len(found) == _BATCH:
                        break
            self._lasting.save_history(found)
            if len(found) < _BATCH:
                return

    def _collect_guest_games(self) -> None:
        with _as_store_down(), self.begin(write=False) as txn:
            found = []
            for key, data in _scan(txn, game_key(GUESTS, b"")):
                counts, game = MeterRecord.unpack(data).counts, key[-ID_BYTES:]
                trail = _fingerprints(txn, game_marks(GUESTS, game))
                found.append(DayHistory(GUESTS + game, counts[OPENED], counts[UNITS], counts[CORE], trail))
        self._lasting.save_history(found)

    def _read_folded(self) -> tuple[int, int]:
        with _as_store_down(), self.begin(write=False) as txn:
            row = txn.get(_FOLDED)
        return _FOLDED_ROW.unpack(row) if row else (0, 0)

    def address_key(self, now: int) -> bytes:
        """Return the random key of this UTC day for hashes of addresses; that of the day before is written over."""
        day = (now // DAY).to_bytes(_DAY_BYTES, "big")
        with _as_store_down():
            descriptor = os.open(self._folder / "address.key", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, PRIVATE_MODE)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                held = os.pread(descriptor, _ADDRESS_KEY_BYTES, 0)
                # A clock that is behind does not bring back a day that is over.
                if len(held) < _ADDRESS_KEY_BYTES or held[:_DAY_BYTES] < day:
                    held = day + os.urandom(_ADDRESS_KEY_BYTES - _DAY_BYTES)
                    os.pwrite(descriptor, held, 0)
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
        return held

    def halvings(self, now: int) -> int:
        """Return how often the limits of this UTC day were halved, because the machine lost its power."""
        return max(0, self._record.unclean_starts - 1) if now // DAY == self._record.day else 0

    def closed_until(self) -> int:
        """Return the moment until which everything is refused; 0 where nothing is."""
        with _as_store_down(), self.begin(write=False) as txn:
            return int(_STATE_ROW.unpack(txn.get(_STATE))[0])

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""
        with _as_store_down(), self.begin(write=True) as txn:
            closed_until, latest = _STATE_ROW.unpack(txn.get(_STATE))
            self._map.boot.change(closed_until=max(moment, closed_until))
            txn.put(_STATE, _STATE_ROW.pack(max(moment, closed_until), latest))

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if nothing can be written."""
        with _as_store_down(), self.begin(write=True) as txn:
            txn.put(_STATE, txn.get(_STATE))

    def close(self) -> None:
        """Close the files, until the next call; the last process that does flushes them."""
        if self._is_open:
            self._is_open = False
            self._lasting.close()
            self._map.leave()

    def sweep(self, now: int) -> int:
        """Bring the history up to date, once an hour; delete what ended long ago, and return how much that was."""
        if self._read_folded()[1] < now // HOUR:
            self.collect(now)
        swept = 0
        for kind, kept in ((b"d", METERS.seconds), (b"m", MARKS.seconds)):
            swept += self._delete(kind, kind + ((now - kept) // DAY).to_bytes(_DAY_BYTES, "big"))
        with _as_store_down(), self.begin(write=False) as txn:
            ended = [key for key, data in _scan(txn, b"g") if MeterRecord.unpack(data).ends + METERS.seconds <= now]
        for key in ended:
            swept += self._delete(b"t" + key[1:], b"t" + key[1:] + b"\xff" * (ID_BYTES + 1))
            swept += self._delete(key, key + b"\0")
        return swept

    def _delete(self, first: bytes, end: bytes) -> int:
        """Delete the keys from the first up to the end, in transactions that nobody waits long for."""
        deleted = 0
        while True:
            batch = 0
            with _as_store_down(), self.begin(write=True) as txn:
                cursor = txn.cursor()
                is_found = cursor.set_range(first)
                while is_found and batch < _BATCH and cursor.key() < end:
                    is_found = cursor.delete()
                    batch += 1
            deleted += batch
            if batch < _BATCH:
                return deleted


def make_meters(folder: Path, *, closed_until: int = 0, boot_id: Path = BOOT_ID) -> None:
    """Make new meters in a folder that has none.

    They begin open, or refuse everything until `closed_until` where older ones were lost.
    """
    boot = BootFile(folder, boot_id)
    if not boot.exists():
        with _as_store_down():
            folder.mkdir(mode=0o700, exist_ok=True)
        LastingFile.create(folder / "lasting.db").close()
        # The fact that the meters are new is written last and once.
        boot.create(closed_until=closed_until)


def _scan(txn: Any, prefix: bytes, first: bytes | None = None) -> Iterator[tuple[bytes, bytes]]:
    """Yield the keys that have a prefix, with their data, from the first on."""
    cursor = txn.cursor()
    is_found = cursor.set_range(first or prefix)
    while is_found and (key := cursor.key()).startswith(prefix):
        yield key, cursor.value()
        is_found = cursor.next()


def _first_keys(txn: Any, kind: bytes) -> Iterator[bytes]:
    """Yield the first key of each UTC day."""
    cursor = txn.cursor()
    is_found = cursor.set_range(kind)
    while is_found and (key := cursor.key())[:1] == kind:
        yield key
        is_found = cursor.set_range(kind + (int.from_bytes(key[1:5], "big") + 1).to_bytes(4, "big"))


def _fingerprints(txn: Any, marks: bytes) -> bytes:
    """Return the fingerprints of the words that were charged outside the core list."""
    found = {unpack_mark(data)[1] for _, data in _scan(txn, marks)}
    return b"".join(sorted(found - {NO_FINGERPRINT}))


@contextmanager
def _as_store_down() -> Iterator[None]:
    """Raise StoreDown in place of a failure of the map or of the files beside it."""
    try:
        yield
    except _FAILURES as err:
        raise _failed(err) from err


def _failed(err: Exception) -> StoreDown:
    return StoreDown(f"the meters do not answer: {err}")
