"""A store of meters for one host, in a folder that all its workers share; `meter_map` tells what a power cut costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from heapq import merge
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores.constants import (
    CLOCK_WENT_BACK,
    CLOSED_METER,
    HOUR,
    LATCHED,
    LONG_RETENTION_SECONDS,
    RETENTION_SECONDS,
)
from ordws.guard.stores.meter_history import HistoryWriter, is_history_over, past_meters, unpack_history
from ordws.guard.stores.meter_map import (
    MAP_BYTES,
    create_journal,
    locked_folder,
    shared_map,
)
from ordws.guard.stores.meter_transaction import Transaction
from ordws.guard.stores.sqlite_import import import_sqlite

# Few enough that no question waits long for the lock.
_BATCH: Final = 100
_NO_METER: Final = rows.MeterRow()


class LmdbMeterStore:
    """A store whose admissions survive the death of any process, and of the machine as `meter_map` says."""

    is_new: bool = False
    """Whether `create` made the meters."""

    def __init__(self, folder: Path, *, map_bytes: int = MAP_BYTES) -> None:
        self._map = shared_map(folder, map_bytes)

    @classmethod
    def create(cls, folder: Path, *, map_bytes: int = MAP_BYTES) -> LmdbMeterStore:
        """Open the store in a folder, and make it if there is none; the constructor never does.

        A SQLite file of older meters beside the folder is imported and removed.
        """
        store = cls(folder, map_bytes=map_bytes)
        try:
            with locked_folder(folder.parent):
                if (file := folder.with_name(f"{folder.name}.db")).exists():
                    import_sqlite(folder, file)
                else:
                    store.is_new = create_journal(folder)
        except OSError as err:
            raise StoreDown(f'cannot create "{folder}": {err.strerror}') from err
        return store

    def close(self) -> None:
        """Close the files; the next call opens them again."""
        self._map.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a meter would pass its limit, or a client its share of one."""
        return self._map.transact(lambda txn: _apply_charge(txn, charge, now))

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add an amount, which may be negative, to a meter that is running."""
        key = rows.METER + meter.encode()

        def work(txn: Transaction) -> None:
            value = txn.get(key)
            row = rows.unpack_meter(value) if value else rows.MeterRow()
            if row.ends > now:
                row = row._replace(spent=max(0, row.spent + amount))
                # Written for an amount of 0 too, so that a no takes the time of a yes.
                txn.put_meter(key, row, row.spent, amount)

        self._map.transact(work)

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to detector sums and return the names of those that have reached their threshold by it."""
        risen: list[str] = []
        for first in range(0, len(changes), _BATCH):
            risen += self._map.transact(partial(_update_detectors, changes[first : first + _BATCH], now))
        return tuple(risen)

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """Return the state of each of these meters, without writing."""
        found = []

        def work(txn: Any) -> int:
            for meter in meters:
                row, name = _NO_METER, meter.name.encode()
                if value := txn.get(rows.METER + name):
                    row = rows.unpack_meter(value)
                elif value := txn.get(rows.DETECTOR + name):
                    # A detector sum is read like a meter.
                    row = rows.MeterRow(*rows.unpack_detector(value)[:2])
                found.append(MeterReading(row.spent, row.ends) if row.ends > now else MeterReading(0, meter.ends))
            return rows.unpack_state(txn.get(rows.STATE) or b"").closed_until

        closed = self._map.read(work)
        return [MeterReading(meter.limit, closed) for meter in meters] if closed > now else found

    def active_alarms(self, now: int) -> frozenset[str]:
        """Return the names of all detector sums that are in alarm."""

        def work(txn: Any) -> frozenset[str]:
            alarming = set()
            cursor = txn.cursor()
            is_found = cursor.set_range(rows.ALARM)
            while is_found and (key := cursor.key())[:1] == rows.ALARM:
                value = txn.get(rows.DETECTOR + key[1:])
                if value and rows.unpack_detector(value).is_alarming(now):
                    alarming.add(key[1:].decode())
                is_found = cursor.next()
            return frozenset(alarming)

        return self._map.read(work)

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Set these detector sums to zero."""

        def work(txn: Transaction) -> None:
            for name in names:
                key = rows.DETECTOR + name.encode()
                if value := txn.get(key):
                    txn.put(key, rows.unpack_detector(value)._replace(sum=0, ends=now).pack())
                    txn.delete(rows.ALARM + name.encode())

        self._map.transact(work)

    def find_mark_end(self, key: bytes, now: int, client: str = "") -> int | None:
        """Return the moment a mark of any client ends, or None if it is not running."""
        value = self._map.read(lambda txn: txn.get(rows.MARK + key))
        ends, _ = rows.unpack_mark(value) if value else (0, 0)
        return ends if ends > now else None

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """Yield the meters that are kept for long whose names have this prefix, running or ended, in order."""
        # Before the history, to which a sweep may move them meanwhile.
        recent = {}
        for key, value in self._rows(rows.METER + prefix.encode()):
            row = rows.unpack_meter(value)
            if row.is_long_kept:
                recent[key[1:].decode()] = StoredMeter(key[1:].decode(), row.spent, row.fingerprints)
        past = (meter for meter in self._past_meters(prefix) if meter.name not in recent)
        yield from merge(past, recent.values(), key=attrgetter("name"))

    def _past_meters(self, prefix: str) -> Iterator[StoredMeter]:
        owner_and_day = "/".join(prefix.split("/")[:2])
        for key, value in self._rows(rows.HISTORY + owner_and_day.encode()):
            for meter in past_meters(key, value):
                if meter[0].startswith(prefix):
                    yield StoredMeter(*meter)

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""

        def work(txn: Transaction) -> None:
            state = txn.state
            txn.put(rows.STATE, state._replace(closed_until=max(state.closed_until, moment)).pack())

        self._map.transact(work)
        self.flush(None)

    def flush(self, now: int | None) -> None:
        """Put on disk what this process wrote; what is lost with the machine's power is no older than the last call.

        None stands for the end of the service: what all processes wrote is on disk then, and every amount is exact.
        """
        if now is None:
            self._map.seal(None)
        else:
            self._map.flush(now)

    def sweep(self, now: int) -> int:
        """Delete what ended `RETENTION_SECONDS` ago, and return the number of meters, sums and marks.

        Not sooner: another worker may still hold a question from before midnight, or have a slower clock, and would
        find its budgets whole again. For the same reason a clock counts only as far as questions were admitted by it.
        Meters that are kept for long go to the history then, and are deleted after 400 days.
        Marks go an hour after they ended, since without one a word is merely charged anew.
        Deletions are not journaled: what comes back after a power cut has ended, and is deleted again.
        """
        state = self._map.read(lambda txn: txn.get(rows.STATE))
        now = min(now, rows.unpack_state(state or b"").clock + HOUR)
        swept, batch = 0, []
        for kind in (rows.METER, rows.DETECTOR, rows.MARK, rows.HISTORY):
            for key, value in self._rows(kind):
                if _is_over(key, value, now):
                    batch.append(key)
                if len(batch) >= _BATCH:
                    swept += self._map.transact(partial(_retire, batch, now))
                    batch = []
        return swept + self._map.transact(partial(_retire, batch, now))

    def _rows(self, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        """Yield the rows with a prefix, read in batches, so that questions go on between them."""
        start = prefix
        while True:

            def work(txn: Any, start: bytes = start) -> list[tuple[bytes, bytes]]:
                found: list[tuple[bytes, bytes]] = []
                cursor = txn.cursor()
                is_found = cursor.set_range(start)
                while is_found and len(found) < _BATCH and (item := cursor.item())[0].startswith(prefix):
                    found.append(item)
                    is_found = cursor.next()
                return found

            batch = self._map.read(work)
            yield from batch
            if len(batch) < _BATCH:
                return
            start = batch[-1][0] + b"\0"


def _is_over(key: bytes, value: bytes, now: int) -> bool:
    """Return whether a row is deleted, or moved to the history."""
    kind = key[:1]
    if kind == rows.MARK:
        # Who asks with a slow clock is charged once more, and the marks of another day would fill most of the map.
        return rows.unpack_mark(value)[0] <= now - HOUR
    if kind == rows.HISTORY:
        return is_history_over(key, now)
    ends = rows.unpack_detector(value).ends if kind == rows.DETECTOR else rows.unpack_meter(value).ends
    return ends <= now - RETENTION_SECONDS


def _retire(keys: Sequence[bytes], now: int, txn: Transaction) -> int:
    """Delete those of these rows that are over, or move them to the history, and return how much was deleted."""
    deleted, history = 0, HistoryWriter(txn)
    for key in keys:
        value, kind = txn.get(key), key[:1]
        if value is None or not _is_over(key, value, now):
            continue
        if kind == rows.METER and (row := rows.unpack_meter(value)).is_long_kept:
            if row.ends > now - LONG_RETENTION_SECONDS:
                if history.add(key, row):
                    txn.delete(key)
                continue
        elif kind == rows.DETECTOR:
            txn.delete(rows.ALARM + key[1:])
        txn.delete(key)
        deleted += len(unpack_history(value).spent) if kind == rows.HISTORY else 1
    history.write()
    return deleted


def _update_detectors(changes: Sequence[tuple[DetectorSum, int]], now: int, txn: Transaction) -> list[str]:
    risen = []
    for (name, threshold, ends, alarm_ends), by in changes:
        key = rows.DETECTOR + name.encode()
        value = txn.get(key)
        row = rows.unpack_detector(value) if value else rows.DetectorRow(0, 0, threshold)
        if row.ends <= now:
            row = rows.DetectorRow(0, ends, threshold)
        total = LATCHED if row.sum >= threshold else max(0, row.sum + by)
        if threshold <= total < LATCHED:
            row = row._replace(ends=alarm_ends)
            txn.put(rows.ALARM + name.encode(), b"")
            risen.append(name)
        txn.put(key, row._replace(sum=total, threshold=threshold).pack())
    return risen


def _apply_charge(txn: Transaction, charge: Charge, now: int) -> Admitted | Refused:
    """Put a charge into the transaction, or nothing where it is refused.

    Raises StoreDown if the clock has gone back so far that budgets may have been deleted.
    """
    state = txn.state
    if now < state.clock - DAY:
        raise StoreDown(CLOCK_WENT_BACK)
    if state.closed_until > now:
        return Refused(CLOSED_METER, state.closed_until - now)
    meters, fixed_amounts, marks, fingerprint_meter, shares, long_kept, expected = charge
    new, editions = _find_new_marks(txn, marks, now)
    amounts, new_fingerprints = dict(fixed_amounts), b""
    opened: tuple[str, ...] = ()
    for mark in new.values():
        new_fingerprints += mark.fingerprint
        opened += mark.opens
        for name in mark.feeds:
            amounts[name] = amounts.get(name, 0) + 1
    found: dict[str, rows.MeterRow] = {}
    changed, refusals = [], []
    for name, limit, ends in meters:
        amount, key = amounts.get(name, 0), rows.METER + name.encode()
        value = txn.get(key)
        row = rows.unpack_meter(value) if value else _NO_METER
        is_opened = False
        if row.ends <= now:
            row = rows.MeterRow(0, ends)
            is_opened = name in opened
        elif not amount:
            found[name] = row
            continue
        found[name] = row
        spent, ends, is_long_kept, fingerprints = row
        spent += amount
        if amount and spent > limit:
            refusals.append(Refused(name, ends - now))
        if name == fingerprint_meter:
            fingerprints += new_fingerprints
            is_long_kept = True
        elif name in long_kept:
            is_long_kept = True
        changed.append((key, rows.MeterRow(spent, ends, is_long_kept, fingerprints), limit, amount, is_opened))
    if shares:
        refusals += _refuse_shares(charge, amounts, found, now)
    if refusals:
        return max(refusals, key=attrgetter("retry_after_seconds"))
    for each in changed:
        txn.put_meter(*each)
    if txn.is_lacking:
        for name, limit, ends in expected:
            txn.expect(rows.METER + name.encode(), limit, ends)
    for mark in new.values():
        txn.put(rows.MARK + mark.key, rows.pack_mark(mark.ends, mark.edition))
    if now >= state.clock + HOUR:
        txn.put(rows.STATE, state._replace(clock=now).pack())
    return Admitted(frozenset(new), editions)


def _find_new_marks(txn: Transaction, marks: Sequence[Mark], now: int) -> tuple[dict[bytes, Mark], dict[bytes, int]]:
    """Return the marks that are new, and of the others the editions that are not the charge's, by their keys."""
    new: dict[bytes, Mark] = {}
    editions: dict[bytes, int] = {}
    for mark in marks:
        value = txn.get(rows.MARK + mark.key)
        ends, edition = rows.unpack_mark(value) if value else (0, 0)
        if ends <= now or (mark.is_pinned and edition != mark.edition):
            new[mark.key] = mark
        elif mark.edition and edition != mark.edition:
            editions[mark.key] = edition
    return new, editions


def _refuse_shares(
    charge: Charge, amounts: Mapping[str, int], found: Mapping[str, rows.MeterRow], now: int
) -> Iterator[Refused]:
    """Yield the refusals of shares that a charge of these amounts would pass."""
    limits = {meter.name: meter.limit for meter in charge.meters}
    for share in charge.shares:
        amount, mine, of = amounts.get(share.meter, 0), found[share.meter], found[share.of]
        if amount and mine.spent + amount > share.limit(limits[share.of], of.spent, mine.spent):
            yield Refused(share.name, of.ends - now)
