"""One LMDB environment of this process, with its journal: the transactions of the LMDB store.

The map alone would be enough for processes that die. For a machine that dies there are two rules, from which it follows
that no budget is given back (docs/guard.md 3.7):

1. A transaction appends what it puts to the journal before it commits, in the order of commits; the journal is flushed
   once a second.
2. A meter is never raised above the level that is on disk for it in this epoch or the one before. A level lies a
   quarter of the limit above the amount. It is written ahead, once half of that is used up or an epoch has ended, so
   that the next flush brings it to disk; where it is not there in time, `transact` waits for the disk and repeats the
   transaction. A meter that begins with a mark needs no wait (`Mark.opens`): whoever forgets one forgets the other, and
   the mark is charged anew.

An epoch ends with a seal: everything before it is on disk, so that two seals later its levels are not needed any more.
When the machine has started again, the map is made from what is on disk (`rebuild`). A meter that was not raised in the
last two epochs is exact. One that was raised gets its level of those, which is at least what was spent. What is missing
of marks, refunds, fingerprints and detector sums is of the last second; a missing mark or refund costs the caller,
never the keeper.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from struct import error as StructError
from typing import Any, Final, NamedTuple, NoReturn, TypeVar
from weakref import WeakValueDictionary

import lmdb

from ordws.atomic_files import sync_folder
from ordws.errors import StoreDown
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores import rebuild
from ordws.guard.stores.journal import Journal, Put
from ordws.guard.stores.meter_transaction import Batch, KnownLevels, Lacking, Transaction, read_state

T = TypeVar("T")
PATIENCE_SECONDS: Final = 2.0
EPOCH_SECONDS: Final = 300
"""Half of the time after which a budget that nobody drew on is known exactly, whatever happens."""
MAP_BYTES: Final = 1 << 18
"""The size of a new map's file, which grows by a sixteenth whenever it is full."""
JOURNAL_BYTES: Final = 1 << 25
CHECKPOINT_THREAD: Final = "meters-checkpoint"
_FAILURES: Final = (lmdb.Error, OSError, StructError)
_PENDING: Final = object()


class _Call:
    """A function that a thread wants to run in a transaction. Whoever has the lock runs those of all that wait."""

    __slots__ = ("is_alone", "outcome", "work")

    def __init__(self, work: Callable[[Transaction], Any], *, is_alone: bool = False) -> None:
        self.work = work
        self.is_alone = is_alone
        """True where it needs a transaction of its own."""
        self.outcome: Any = _PENDING


class _OpenMap(NamedTuple):
    """An environment, and the device and inode of its file, which the path may no longer lead to."""

    device_and_inode: tuple[int, int]
    path: str
    env: lmdb.Environment


class MeterMap:
    """The map of one folder in this process, which `with` locks for one thread at a time.

    Every failure is raised as StoreDown. After one the files are closed, and the next use opens them again.
    """

    def __init__(self, folder: Path, map_bytes: int = MAP_BYTES) -> None:
        self.folder = folder
        self._map_bytes = map_bytes
        self.forget()

    def forget(self) -> None:
        """Begin as if nothing had been opened, which a forked process has to: an environment is of one process."""
        self._lock = threading.Lock()
        self._calls: deque[_Call] = deque()
        self._copying = threading.Lock()
        """Held while the map is copied, which reads it without the other lock."""
        self._is_blocked = False
        self._open: _OpenMap | None = None
        self._journal: Journal | None = None
        self._epoch = (0, 0)
        self._levels = KnownLevels()

    def transact(self, work: Callable[[Transaction], T], *, is_alone: bool = False) -> T:
        """Return what a function returns in a write transaction, which other threads may share.

        It is called again where it has to wait for the disk, or where the transaction fails. Where it changes nothing,
        nothing is written.
        """
        while True:
            call = _Call(work, is_alone=is_alone)
            if not is_alone:
                self._calls.append(call)
            try:
                with self:
                    if call.outcome is _PENDING:
                        self._run(call)
            except BaseException:
                with suppress(ValueError):  # which says that a thread has taken it
                    self._calls.remove(call)
                raise
            outcome: T | Lacking = call.outcome
            if not isinstance(outcome, Lacking):
                return outcome
            # Other threads go on meanwhile.
            self._sync(outcome.journal)

    def read(self, work: Callable[[lmdb.Transaction[bytes]], T]) -> T:
        """Return what a function returns in a read transaction."""
        with self, self._begin(self._environment(), write=False) as txn:
            return work(txn)

    def flush(self, now: int) -> None:
        """Wait until all that this process wrote is on disk, and begin a new epoch where one is due."""
        journal = self._journal
        if journal is None or not (journal.is_ahead or self._levels):
            return
        self._sync(journal)
        with self._failing():
            is_large = journal.size > JOURNAL_BYTES
        with self:
            # A process that was killed while it read would keep the map from using pages again.
            self._environment().reader_check()
        if self._levels:
            self.seal(now)
        if is_large:
            threading.Thread(target=self.checkpoint, name=CHECKPOINT_THREAD, daemon=True).start()

    def seal(self, now: int | None) -> None:
        """Begin a new epoch if this one is over; if no time is given, two of them, so that every amount is exact."""

        def work(txn: Transaction) -> Journal | None:
            began, journal = txn.state.sealed_at, self._journal
            if journal is None or (now is not None and began <= now < began + EPOCH_SECONDS):
                return None
            # With the write lock held, so that nothing comes between the flush and the seal.
            journal.sync()
            txn.seals = 1 if now is not None else 2
            txn.put(rows.STATE, txn.state._replace(sealed_at=now or began, epoch=txn.state.epoch + txn.seals).pack())
            return journal

        if journal := self.transact(work, is_alone=True):
            with self._failing():
                journal.sync()

    def checkpoint(self) -> None:
        """Begin a new journal, and copy the map to disk in the place of all journals before it.

        Does nothing while another process does it or the map is not open, and leaves everything as it was where it
        fails.
        """
        with suppress(BlockingIOError, StoreDown), self._failing(), locked_folder(self.folder, waiting=False):
            # While the lock is held everybody waits, so what can be on disk before is.
            spare = self.folder / "journal.new"
            Journal.create(spare, _first_entries(0, rows.StateRow()))
            if (journal := self._journal) is not None:
                self._sync(journal)
            with self:
                # Opening the map would wait for the folder's lock, which this thread has.
                if (env := self._opened()) is None:
                    return
                number = self._begin_journal(env, spare)
                self._copying.acquire()
            try:
                rebuild.write_snapshot(self.folder, env, number)
            finally:
                self._copying.release()

    def close(self) -> None:
        """Begin a new epoch where this process has taken levels, and close the files; the next use opens them again."""
        if self._levels:
            with suppress(StoreDown):
                self.seal(None)
        with self._lock:
            self._disconnect()

    def __enter__(self) -> None:
        """Take the lock."""
        # After a wait that timed out, one thread at a time keeps trying and the others fail at once.
        if not self._lock.acquire(False) and (self._is_blocked or not self._lock.acquire(timeout=PATIENCE_SECONDS)):
            self._is_blocked = True
            raise StoreDown(f'"{self.folder.name}" is busy')

    def __exit__(self, kind: type[BaseException] | None, err: BaseException | None, *_: object) -> None:
        self._is_blocked = False
        if err is not None and not isinstance(err, StoreDown):
            self._disconnect()
        self._lock.release()
        if isinstance(err, _FAILURES):
            self._fail(err)

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Raise failures outside the lock as those inside it."""
        try:
            yield
        except _FAILURES as err:
            self._fail(err)

    def _fail(self, err: BaseException) -> NoReturn:
        why = err.strerror if isinstance(err, OSError) else err
        raise StoreDown(f'"{self.folder.name}" does not answer: {why}') from err

    def _environment(self) -> lmdb.Environment:
        """Return the environment to the thread that holds the lock."""
        if (env := self._opened()) is not None:
            return env
        self._disconnect()
        return self._connect()

    def _opened(self) -> lmdb.Environment | None:
        """Return the environment if it is open on the file that the path leads to."""
        if self._open is None:
            return None
        status = os.stat(self._open.path)  # noqa: PTH116 - Path.stat costs a microsecond more
        return self._open.env if (status.st_dev, status.st_ino) == self._open.device_and_inode else None

    def _run(self, own: _Call) -> None:
        """Run a call, and with it those of all threads that wait for the lock: one transaction costs as much as many.

        Where that fails each has one of its own, so that nobody gets the error of another.
        """
        calls = [own] if own.is_alone else [self._calls.popleft() for _ in range(len(self._calls))]
        try:
            self._attempt(self._environment(), calls)
        except BaseException as err:
            for each in calls:
                each.is_alone = True
            if len(calls) == 1 or not isinstance(err, Exception):  # a thread that is to end repeats nothing
                raise
            self._attempt(self._environment(), [own])

    def _attempt(self, env: lmdb.Environment, calls: list[_Call]) -> None:
        """Run calls in a transaction, one after the other, and set their outcomes when it is committed."""
        while True:
            txn = self._begin(env, write=True)
            try:
                state = read_state(txn)
                journal = self._follow(state)
                batch = Batch(journal, [], KnownLevels())
                outcomes: list[Any] = []
                for each in calls:
                    if outcomes:
                        state = read_state(txn)  # which the call before may have changed
                    outcomes.append(batch.run(Transaction(txn, state, self._levels), each.work))
                if batch.entries:
                    # Before the lock is released: one at a time may append.
                    journal.append(batch.entries)
                # Only now: a thread that is in `_sync` takes them for those that its flush brings to disk.
                self._levels.on_disk.update(batch.levels.on_disk)
                self._levels.ahead.update(batch.levels.ahead)
                txn.commit()
            except lmdb.MapFullError:
                txn.abort()
                self._enlarge(env)
            except BaseException:
                txn.abort()
                raise
            else:
                for each, outcome in zip(calls, outcomes, strict=True):
                    each.outcome = outcome
                return

    def _sync(self, journal: Journal) -> None:
        """Wait for the disk; all levels that this process wrote to the journal before are there then."""
        levels = self._levels
        ahead = dict(levels.ahead)
        if journal is not self._journal:
            # Another thread has begun the next one, where levels that it wrote since are not on disk yet.
            ahead = {}
        with self._failing():
            journal.sync()
        with self:
            levels.on_disk.update(ahead)
            for key, level in ahead.items():
                if levels.ahead.get(key) == level:
                    del levels.ahead[key]

    def _begin(self, env: lmdb.Environment, *, write: bool) -> lmdb.Transaction[bytes]:
        try:
            return env.begin(write=write)
        except lmdb.MapResizedError:
            # Another process made the map larger.
            self._enlarge(env)
            return env.begin(write=write)

    def _enlarge(self, env: lmdb.Environment) -> None:
        with self._copying:
            rebuild.enlarge_map(env, rebuild.map_path(self.folder))

    def _follow(self, state: rows.StateRow) -> Journal:
        """Return the journal in use; another process may have begun a new one, or a new epoch."""
        if self._journal is None or (state.journal, state.epoch) != self._epoch:
            is_next = self._journal is not None and state.epoch == self._epoch[1] + 1
            if self._journal is None or state.journal != self._epoch[0]:
                self._journal = Journal(rebuild.journal_path(self.folder, state.journal))
            self._levels = self._levels.after_seal() if is_next else KnownLevels()
            self._epoch = (state.journal, state.epoch)
        return self._journal

    def _begin_journal(self, env: lmdb.Environment, spare: Path) -> int:
        """Begin the next journal in a file that is on disk already, and return its number."""
        with self._begin(env, write=True) as txn:
            state = read_state(txn)
            journal = self._follow(state)
            journal.sync()
            state = state._replace(journal=state.journal + 1, epoch=state.epoch + 1)
            # What the commit puts is not journaled: a longer journal would say that the new one is not in use.
            Journal.rewrite(spare, _first_entries(journal.size, state))
            # Who waits for the new journal waits for its name too.
            spare.rename(rebuild.journal_path(self.folder, state.journal))
            txn.put(rows.STATE, state.pack())
        return state.journal

    def _connect(self) -> lmdb.Environment:
        with locked_folder(self.folder):
            path = rebuild.map_path(self.folder)
            if not path.exists():
                rebuild.rebuild_map(self.folder, path)
            env = rebuild.open_whole_map(path, self._map_bytes)
            if env is None:
                rebuild.rebuild_map(self.folder, path)
                env = rebuild.open_map(path, self._map_bytes)
        env.reader_check()
        status = path.stat()
        self._open = _OpenMap((status.st_dev, status.st_ino), str(path), env)
        return env

    def _disconnect(self) -> None:
        self._journal, self._epoch, self._levels = None, (0, 0), KnownLevels()
        if self._open is not None:
            with self._copying:
                self._open.env.close()
            self._open = None


def _first_entries(size_before: int, state: rows.StateRow) -> list[Put]:
    """Return what begins a journal, which is always as long."""
    return [rebuild.seal_entry(size_before), (rows.STATE, state.pack())]


def create_journal(folder: Path) -> bool:
    """Make the folder and its first journal where there is none; return True if it was made."""
    folder.mkdir(mode=0o700, exist_ok=True)
    with locked_folder(folder):
        if has_journal(folder):
            return False
        # Without a journal nobody knows what was spent, so what else is left is of no use.
        for left in folder.iterdir():
            left.unlink()
        Journal.create(rebuild.journal_path(folder, 1), [rebuild.seal_entry(0)])
        sync_folder(folder)
    sync_folder(folder.parent)
    return True


def has_journal(folder: Path) -> bool:
    """Return True if there are meters in a folder."""
    return next(folder.glob("journal-*"), None) is not None


@contextmanager
def locked_folder(folder: Path, *, waiting: bool = True) -> Iterator[None]:
    """Lock a folder against other processes; raise BlockingIOError where one has it and this one does not wait."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waiting else fcntl.LOCK_NB))
        yield
    finally:
        os.close(handle)


_maps: WeakValueDictionary[str, MeterMap] = WeakValueDictionary()
_maps_lock = threading.Lock()


def shared_map(folder: Path, map_bytes: int = MAP_BYTES) -> MeterMap:
    """Return the map of a folder: LMDB lets a process open it once."""
    key = str(folder.absolute())
    with _maps_lock:
        if (found := _maps.get(key)) is None:
            found = _maps[key] = MeterMap(folder, map_bytes)
        return found


def _forget_all() -> None:
    for each in list(_maps.values()):
        each.forget()


os.register_at_fork(after_in_child=_forget_all)
