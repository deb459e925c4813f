"""The meters of older installations, which were a SQLite file: what it holds counts on in the LMDB store."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from ordws.atomic_files import sync_folder
from ordws.errors import StoreDown
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores.constants import CLOSED_METER
from ordws.guard.stores.meter_map import MeterMap, create_journal, has_journal, shared_map
from ordws.guard.stores.meter_transaction import Transaction

_BATCH: Final = 5_000
_LAST_DAY_END: Final = "select max(ends) from meters where name like '%/units' or name = 'closed'"
_METERS: Final = "select name, spent, ends, alarm, trail from meters"
# In the second version marks of words that were new to the world ran for 400 days, and the others that are longer than
# two days for ten years. The former are not used any more.
_MARKS: Final = {
    2: "select key, ends, 0 from marks where ends <= ?1 + 172800 or ends > ?1 + 34560000",
    3: "select key, ends, edition from marks where ends > ?1 - 172800",
}


def import_sqlite(folder: Path, file: Path) -> None:
    """Add what a SQLite file holds to the store in a folder, make that where there is none, and remove the file.

    Where both know something, the larger amount and the later end hold, so an import that was interrupted is repeated.
    Of a file of the first version only the last day is known, which counts as spent.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=rw", uri=True, timeout=2)) as db:
            # A process of the older version that still runs writes nothing from here on.
            db.execute("begin immediate")
            if has_journal(folder):
                _import(shared_map(folder), db)
            else:
                # Under another name until all is there, or a fault on the way would leave meters without charges.
                new = folder.with_name(f"{folder.name}.new")
                for left in (new, folder):
                    shutil.rmtree(left, ignore_errors=True)
                create_journal(new)
                _import(new_map := MeterMap(new), db)
                new_map.close()
                new.rename(folder)
                sync_folder(folder.parent)
            for path in (*file.parent.glob(f"{file.name}-*"), file):
                path.unlink()
    except (sqlite3.Error, OSError) as err:
        why = err.strerror if isinstance(err, OSError) else err
        raise StoreDown(f'"{file.name}" cannot be read: {why}', hint=f'without "{file}" today counts as spent') from err


def _import(meter_map: MeterMap, db: sqlite3.Connection) -> None:
    (version,) = db.execute("pragma user_version").fetchone()
    if version < 2:
        if db.execute("select 1 from sqlite_master where name = 'meters'").fetchone():
            closed_until = db.execute(_LAST_DAY_END).fetchone()[0] or 0
            meter_map.transact(lambda txn: _put_state(txn, 0, closed_until))
            meter_map.seal(None)
        return
    (clock,) = db.execute("select coalesce(max(spent), 0) from meters where name = 'closed'").fetchone()
    for meters in _batches(db.execute(_METERS)):
        meter_map.transact(partial(_put_all, _put_meter, meters))
    for marks in _batches(db.execute(_MARKS[version], (clock,))):
        meter_map.transact(partial(_put_all, _put_mark, marks))
    meter_map.seal(None)


def _batches(cursor: sqlite3.Cursor) -> Iterator[list[tuple[Any, ...]]]:
    while batch := cursor.fetchmany(_BATCH):
        yield batch


def _put_all(put: Callable[..., None], batch: list[tuple[Any, ...]], txn: Transaction) -> None:
    for row in batch:
        put(txn, *row)


def _put_state(txn: Transaction, clock: int, closed_until: int) -> None:
    state = txn.state
    clock, closed_until = max(state.clock, clock), max(state.closed_until, closed_until)
    txn.put(rows.STATE, state._replace(clock=clock, closed_until=closed_until).pack())


def _put_meter(txn: Transaction, name: str, spent: int, ends: int, alarm: int | None, trail: bytes | None) -> None:
    if name == CLOSED_METER:
        _put_state(txn, spent, ends)
    elif alarm is not None:
        key = rows.DETECTOR + name.encode()
        known = rows.unpack_detector(value) if (value := txn.get(key)) else rows.DetectorRow(0, 0, alarm)
        txn.put(key, rows.DetectorRow(max(spent, known.sum), max(ends, known.ends), alarm).pack())
        if spent >= alarm:
            txn.put(rows.ALARM + name.encode(), b"")
    else:
        key = rows.METER + name.encode()
        known_meter = rows.unpack_meter(value) if (value := txn.get(key)) else rows.MeterRow()
        is_long_kept = trail is not None or name.startswith("world/")
        if known_meter.ends <= ends:
            fingerprints = max(trail or b"", known_meter.fingerprints, key=len)
            row = rows.MeterRow(max(spent, known_meter.spent), ends, is_long_kept, fingerprints)
            txn.put(key, rows.pack_meter(row))


def _put_mark(txn: Transaction, key: bytes, ends: int, edition: int) -> None:
    value = txn.get(rows.MARK + key)
    if value is None or rows.unpack_mark(value)[0] < ends:
        txn.put(rows.MARK + key, rows.pack_mark(ends, edition))
