"""The files of the LMDB store: a map for each start of the machine, rebuilt from a snapshot and the journals after it.

The map is written without waiting for the disk, so that a machine that dies may leave it damaged. It is therefore named
after the kernel's boot id and never used after another start: the next one reads `snapshot-N-DIGEST`, a copy of a map
that was on disk before its name was, and then `journal-N`, `journal-N+1` and so on. Of `journal-N-1` the levels count.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count, repeat, takewhile
from pathlib import Path
from typing import Final

import lmdb

from ordws.atomic_files import sync_folder
from ordws.errors import StoreDown
from ordws.guard.policy import DAY
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores.journal import Journal, Put, read_frames

BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
_SNAPSHOT: Final = re.compile(r"snapshot-(\d+)-([0-9a-f]{32})")
_SPARE_BYTES: Final = 1 << 26
_PAGE_BYTES: Final = 1 << 16
"""A multiple of the page size of every system."""
_LOCK_BYTES: Final = 1 << 14
"""At least the size of LMDB's lock file for as many readers as it has by default, 126."""


def map_path(folder: Path) -> Path:
    """Return the path of the map of this start of the machine."""
    return folder / f"map-{BOOT_ID.read_text().strip()}"


def journal_path(folder: Path, number: int) -> Path:
    return folder / f"journal-{number}"


def seal_entry(size_before: int) -> Put:
    """Return the entry that ends an epoch: everything before it is on disk, and so the levels before the last are void.

    It begins each journal and gives the size of the one before it.
    """
    return rows.SEAL, rows.SEAL_VALUE.pack(size_before)


def open_map(path: Path, map_bytes: int) -> lmdb.Environment:
    """Open a map that exists, with at least so many bytes.

    It is written through memory, which takes a third of the time of writing by calls. All of it has blocks on the disk
    before, because on a full disk the first write to a block that is missing would kill the process.
    """
    with os.fdopen(os.open(f"{path}-lock", os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0) as file:
        if (missing := _LOCK_BYTES - file.seek(0, os.SEEK_END)) > 0 and file.write(bytes(missing)) != missing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with _sized_file(path, map_bytes) as size:
        # Other processes of the same machine see what was written and not flushed, and so does one started anew.
        return lmdb.open(
            str(path), size, subdir=False, sync=False, mode=0o600, max_spare_txns=1, writemap=True, meminit=False
        )


def enlarge_map(env: lmdb.Environment, path: Path) -> None:
    """Make a full map larger by a sixteenth, or as large as another process made it."""
    before = env.info()["map_size"]
    # In whole pages, or LMDB would map less than the file has.
    larger = before + -(-before // 16 // _PAGE_BYTES) * _PAGE_BYTES if path.stat().st_size <= before else 0
    with _sized_file(path, larger) as size:
        env.set_mapsize(size)


@contextmanager
def _sized_file(path: Path, least: int) -> Iterator[int]:
    """Make a map's file at least so large, and keep other processes from changing its size.

    LMDB cuts the file off where it opens it with a smaller size than others.
    """
    handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        size = -(-max(least, os.fstat(handle).st_size) // _PAGE_BYTES) * _PAGE_BYTES
        os.posix_fallocate(handle, 0, size)
        yield size
    finally:
        os.close(handle)


def open_whole_map(path: Path, map_bytes: int) -> lmdb.Environment | None:
    """Open a map, or return None where it is damaged or cut off: to read behind its end would kill the process."""
    if not (size := path.stat().st_size):
        # LMDB takes an empty file for a new map.
        return None
    try:
        with lmdb.open(str(path), subdir=False, readonly=True, lock=False) as env:
            is_whole = size >= (env.info()["last_pgno"] + 1) * env.stat()["psize"]
    except (lmdb.InvalidError, lmdb.CorruptedError, lmdb.VersionMismatchError):
        return None
    return open_map(path, map_bytes) if is_whole else None


def rebuild_map(folder: Path, path: Path) -> None:
    """Write the map anew from the snapshot and the journals; the caller holds the lock of the folder.

    A meter that may have been raised further than the journals tell gets the level that was on disk for it. Where a
    journal is damaged, everything is refused until the end of the last day of which it tells.
    """
    new = folder / "map.new"
    for left in (*folder.glob("map.new*"), *folder.glob("map-*")):
        left.unlink()
    snapshots = [path for path in folder.iterdir() if _SNAPSHOT.fullmatch(path.name)]
    snapshot = max(snapshots, key=_number, default=None)
    first = _number(snapshot) if snapshot else 1
    journals, is_damaged = _read_journals(folder, first)
    if snapshot:
        shutil.copyfile(snapshot, new)
        if not snapshot.name.endswith(_digest(new)):
            raise StoreDown(f'"{folder.name}" does not answer: "{snapshot.name}" is damaged')
    written = sum(len(data) for data in journals) + (new.stat().st_size if snapshot else 0)
    # Of the journal before a snapshot the levels count, so without it the day is closed too.
    path_before = journal_path(folder, first - 1)
    before = list(read_frames(path_before.read_bytes())) if path_before.exists() else []
    is_damaged |= None in before or (snapshot is not None and not path_before.exists())
    # Nobody else knows this file, so it needs no lock.
    fresh = lmdb.open(str(new), 2 * written + _SPARE_BYTES, subdir=False, sync=False, mode=0o600, lock=False)
    with fresh as env, env.begin(write=True) as txn:
        raised = _replay(txn, before, journals)
        state = rows.unpack_state(txn.get(rows.STATE) or rows.StateRow().pack())
        closed_until = max(state.closed_until, (state.clock // DAY + 1) * DAY if is_damaged else 0)
        newest = first + len(journals)
        state = rows.StateRow(state.clock, closed_until, state.clock, newest)
        entries = [*raised, (rows.STATE, state.pack())]
        for key, value in entries:
            txn.put(key, value)
        # One frame, so that the levels hold until what follows from them is on disk; then none of them does.
        Journal.create(journal_path(folder, newest), [seal_entry(len(journals[-1])), seal_entry(0), *entries])
        sync_folder(folder)
    new.rename(path)


def write_snapshot(folder: Path, env: lmdb.Environment, number: int) -> None:
    """Copy the map to disk as the state before a journal, and remove what is older."""
    new = folder / "snapshot.new"
    new.unlink(missing_ok=True)
    env.copy(str(new), compact=True)
    with new.open("rb") as file:
        os.fchmod(file.fileno(), 0o600)
        os.fsync(file.fileno())
    new.rename(folder / f"snapshot-{number}-{_digest(new)}")
    sync_folder(folder)
    for path in (*folder.glob("snapshot-*"), *folder.glob("journal-*")):
        # The journal before has levels that still count.
        if _number(path) < number - path.name.startswith("journal"):
            path.unlink()


def _number(path: Path) -> int:
    """Return the number of a journal, or of the one that begins with a snapshot."""
    return int(path.name.split("-")[1])


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def _read_journals(folder: Path, first: int) -> tuple[list[bytes], bool]:
    """Return the journals from a number on that came into use, and whether anything is missing from them."""
    paths = takewhile(Path.exists, (journal_path(folder, number) for number in count(first)))
    journals = [path.read_bytes() for path in paths]
    if not journals:
        raise StoreDown(f'"{folder.name}" does not answer: "{journal_path(folder, first).name}" is missing')
    is_damaged = False
    for number, data in enumerate(journals):
        frames = list(read_frames(data))
        is_damaged |= None in frames
        begin = frames[0][0] if frames and frames[0] else (b"", b"")
        if begin[0] != rows.SEAL:
            is_damaged = True
        elif number:
            size, before = rows.SEAL_VALUE.unpack(begin[1])[0], len(journals[number - 1])
            if size < before:
                # The process that made this file was killed before the file came into use.
                return journals[:number], is_damaged
            is_damaged |= size > before
    return journals, is_damaged


def _replay(txn: lmdb.Transaction[bytes], before: list[Sequence[Put] | None], journals: list[bytes]) -> list[Put]:
    """Put what the journals tell, and return the rows of the meters that may have been raised further.

    Of what is `before` the snapshot only the levels count.
    """
    # Those before the last seal, and those after it.
    old: dict[bytes, rows.Level] = {}
    levels: dict[bytes, rows.Level] = {}
    frames = chain.from_iterable(read_frames(data) for data in journals)
    for is_new, frame in chain(zip(repeat(False), before), zip(repeat(True), frames)):
        for key, value in frame or ():
            if key == rows.SEAL:
                old, levels = levels, {}
            elif key[:1] == rows.LEVEL:
                meter, level = key[1:], rows.unpack_level(value)
                # A level of a later meter of the same name takes the place of one that has ended.
                levels[meter] = max(levels.get(meter, level), level)
            elif is_new:
                txn.put(key, value)
    for meter, level in old.items():
        levels[meter] = max(levels.get(meter, level), level)
    raised = []
    for meter, (ends, most, is_long_kept) in levels.items():
        known = txn.get(meter)
        row = rows.unpack_meter(known) if known else rows.MeterRow()
        if row.ends < ends:
            row = rows.MeterRow(0, ends, is_long_kept)
        raised.append((meter, rows.pack_meter(row._replace(spent=max(row.spent, most)))))
    return raised
