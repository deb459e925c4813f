"""A store of meters for one host, in one SQLite file that all its workers share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from operator import attrgetter
from pathlib import Path
from typing import Final, TypeAlias

from ordws.database import PATIENCE_SECONDS, Database
from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import Charge, Mark, Meter
from ordws.guard.stores.constants import (
    CLOCK_WENT_BACK,
    CLOSED_METER,
    HOUR,
    LATCHED,
    LONG_RETENTION_SECONDS,
    RETENTION_SECONDS,
)

SCHEMA_VERSION: Final = 3
_PRAGMAS: Final = ("synchronous = normal", "wal_autocheckpoint = 4000", "cache_size = -8000")
# The log gets whole pages, so small ones keep the few bytes of a charge cheap to write.
_FILE_PRAGMAS: Final = "pragma page_size = 1024; pragma journal_mode = wal"
_TABLES: Final = (
    # `settled` makes a no change the file as a yes does, because SQLite does not write a row that stays the same.
    "create table meters (name text primary key, spent integer not null, ends integer not null, alarm integer,"
    " trail blob, settled integer not null default 0) strict, without rowid",
    "create index alarming on meters (name) where spent >= alarm",
    "create table marks (key blob primary key, ends integer not null, edition integer not null default 0) strict,"
    " without rowid",
)
_THIRD_VERSION: Final = (
    "alter table marks add column edition integer not null default 0",
    # Until then the shared meters were known by their names.
    "update meters set trail = x'' where name like 'world/%'",
)
_DROP_OLD_TABLES: Final = ("drop table meters", "drop table marks")
_SELECT_LAST_DAY_END: Final = "select max(ends) from meters where name like '%/units' or name = 'closed'"
# Few enough that no question waits long for the write lock.
_SWEEP_BATCH: Final = 2_000

_MeterRow: TypeAlias = tuple[int, int, int, bytes | None]
"""A meter's index among those requested, the amount spent, the moment it ends, and its fingerprints."""

_NO_ROW: Final[_MeterRow] = (0, 0, 0, None)

_SELECT_METER: Final = "select spent, ends, trail from meters where name = ?"
# "or rollback", because SQLite would otherwise copy the pages of several rows aside to undo this statement alone.
_INSERT_METERS: Final = "insert or rollback into meters (name, spent, ends, trail) values"
_ON_CONFLICT: Final = (
    "on conflict (name) do update set spent = excluded.spent, ends = excluded.ends, trail = excluded.trail"
)
_UPSERT_MARK: Final = (
    "insert into marks (key, ends, edition) values (?1, ?2, ?3)"
    " on conflict (key) do update set ends = excluded.ends, edition = excluded.edition"
    " where marks.ends <= ?4 or ?5 and marks.edition <> excluded.edition"
)
_SELECT_MARK_EDITION: Final = "select edition from marks where key = ? and edition <> ?"
_SETTLE: Final = "update meters set spent = max(0, spent + ?), settled = settled + 1 where name = ? and ends > ?"
_SAVE_CLOCK: Final = (
    f"insert into meters (name, spent, ends) values ('{CLOSED_METER}', ?, 0)"
    " on conflict (name) do update set spent = excluded.spent"
)
_REFUSE_UNTIL: Final = (
    f"insert into meters (name, spent, ends) values ('{CLOSED_METER}', 0, ?)"
    " on conflict (name) do update set ends = max(ends, excluded.ends)"
)
_UPSERT_DETECTOR: Final = (
    "insert into meters (name, spent, ends, alarm) values (?1, max(0, ?2), iif(?2 < ?3, ?4, ?5), ?3)"
    " on conflict (name) do update set alarm = excluded.alarm, spent = case when ends <= ?6 then excluded.spent"
    f" when spent >= ?3 then {LATCHED} else max(0, spent + ?2) end, ends = case when ends <= ?6 then excluded.ends"
    " when spent < ?3 and spent + ?2 >= ?3 then ?5 else ends end"
)
_SELECT_NEW_ALARMS: Final = f"select name from meters where spent >= alarm and spent < {LATCHED}"
_DETECTOR_BATCH: Final = 256
# Every meter that is kept for long has a trail, though it may be empty.
_IS_LONG_KEPT: Final = "trail is not null"
_SELECT_LONG_KEPT: Final = f"select name, spent, trail from meters where name >= ? and name < ? and {_IS_LONG_KEPT}"


class SqliteMeterStore:
    """A store in a write-ahead log with synchronous=NORMAL: admissions survive the death of any process.

    A machine that loses its power may forget the last few admissions, never half of one.
    """

    is_new: bool = False
    """Whether `create` made the meters."""

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._database = Database(path, *_PRAGMAS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, path: Path) -> SqliteMeterStore:
        """Open the store at a path, make it if there is none, and migrate it; the constructor does neither.

        Amounts in tables of the first version cannot be carried over, so the last day on which anything was asked
        counts as spent. Later versions keep theirs.
        """
        store = cls(path)
        store._database.create(_FILE_PRAGMAS)
        with store._database as db:
            db.execute("begin immediate")
            (version,) = db.execute("pragma user_version").fetchone()
            if version < SCHEMA_VERSION:
                store.is_new = db.execute("select 1 from sqlite_master where name = 'meters'").fetchone() is None
                _migrate(db, 0 if store.is_new else version or 1)
                db.execute(f"pragma user_version = {SCHEMA_VERSION}")
            db.execute("commit")
        return store

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        self._database.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a meter would pass its limit, or a client its share of one."""
        with self._database as connection:
            # One cursor for all statements, because making one takes longer than reading a row.
            db = connection.cursor()
            db.execute("begin immediate")
            outcome = _apply_charge(db, charge, now)
            db.execute("rollback" if isinstance(outcome, Refused) else "commit")
        return outcome

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add an amount, which may be negative, to a meter that is running."""
        with self._database as db:
            db.execute(_SETTLE, (amount, meter, now))

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to detector sums and return the names of those that have reached their threshold by it.

        They are written in small batches, so that no question waits for those of all callers.
        """
        risen: list[str] = []
        for first in range(0, len(changes), _DETECTOR_BATCH):
            batch = changes[first : first + _DETECTOR_BATCH]
            rows = [(name, by, threshold, ends, alarm_ends, now) for (name, threshold, ends, alarm_ends), by in batch]
            names = {detector.name for detector, _ in batch}
            with self._database as db:
                db.execute("begin immediate")
                db.executemany(_UPSERT_DETECTOR, rows)
                risen += [name for (name,) in db.execute(_SELECT_NEW_ALARMS).fetchall() if name in names]
                db.execute("commit")
        return tuple(risen)

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """Return the state of each of these meters, without writing."""
        with self._database as db:
            rows = _read_meters(db.cursor(), meters)
        _, _, closed, _ = rows.get(0, _NO_ROW)
        if closed > now:
            return [MeterReading(meter.limit, closed) for meter in meters]
        found = [(meter, rows.get(index, _NO_ROW)) for index, meter in enumerate(meters, 1)]
        return [
            MeterReading(max(0, spent), ends) if ends > now else MeterReading(0, meter.ends)
            for meter, (_, spent, ends, _) in found
        ]

    def active_alarms(self, now: int) -> frozenset[str]:
        """Return the names of all detector sums that are in alarm."""
        with self._database as db:
            rows = db.execute("select name from meters where spent >= alarm and ends > ?", (now,)).fetchall()
        return frozenset([name for (name,) in rows])

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Set these detector sums to zero."""
        with self._database as db:
            db.execute("begin immediate")
            db.executemany("update meters set spent = 0, ends = ? where name = ?", [(now, name) for name in names])
            db.execute("commit")

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        """Return the moment a mark ends, or None if it is not running."""
        with self._database as db:
            row = db.execute("select ends from marks where key = ? and ends > ?", (key, now)).fetchone()
        return None if row is None else row[0]

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """Yield the meters that are kept for long whose names have this prefix, running or ended."""
        # On a connection of its own, since questions wait for the store's one. Every name is ASCII, so "~" comes
        # behind all that have the prefix.
        with closing(Database(self._database.path, *_PRAGMAS)) as reader, reader as db:
            rows = db.execute(_SELECT_LONG_KEPT, (prefix, f"{prefix}~")).fetchall()
        yield from [StoredMeter(name, spent, fingerprints or b"") for name, spent, fingerprints in rows]

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""
        with self._database as db:
            db.execute(_REFUSE_UNTIL, (moment,))

    def sweep(self, now: int) -> int:
        """Delete what ended two days ago, or 400 days ago where it is kept for long, and return the number of rows.

        Not sooner: another worker may still hold a question from before midnight, or have a slower clock, and would
        find its budgets whole again. For the same reason a clock counts only as far as questions were admitted by it.
        Rows are deleted in small batches on a connection of their own, so that questions go on meanwhile.
        """
        with closing(Database(self._database.path, *_PRAGMAS)) as sweeper:
            with sweeper as db:
                seen, _, _ = db.execute(_SELECT_METER, (CLOSED_METER,)).fetchone() or (0, 0, None)
            now = min(now, seen + HOUR)
            ended = f"ends <= {now - RETENTION_SECONDS}"
            long_ended = f"ends <= {now - LONG_RETENTION_SECONDS}"
            meters = f"{ended} and name <> '{CLOSED_METER}' and ({long_ended} or not {_IS_LONG_KEPT})"
            swept = _delete_in_batches(sweeper, "meters", "name", meters)
            return swept + _delete_in_batches(sweeper, "marks", "key", ended)


def _migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring the tables of a version to this one's; version 0 has none."""
    last_day_ends = db.execute(_SELECT_LAST_DAY_END).fetchone()[0] if version == 1 else None
    for statement in {0: _TABLES, 1: (*_DROP_OLD_TABLES, *_TABLES), 2: _THIRD_VERSION}[version]:
        db.execute(statement)
    if last_day_ends is not None:
        db.execute(_REFUSE_UNTIL, (last_day_ends,))


def _delete_in_batches(database: Database, table: str, key: str, where: str) -> int:
    swept = 0
    while True:
        with database as db:
            ended = db.execute(f"select {key} from {table} where {where} limit {_SWEEP_BATCH}").fetchall()
            db.execute("begin immediate")
            db.executemany(f"delete from {table} where {key} = ? and {where}", ended)
            db.execute("commit")
        swept += len(ended)
        if len(ended) < _SWEEP_BATCH:
            return swept


def _read_meters(db: sqlite3.Cursor, meters: Sequence[Meter]) -> dict[int, _MeterRow]:
    """Return the rows of these meters at one moment, by their indices from 1, and as 0 the meter that closes all."""
    selects = [f"select {index}, spent, ends, trail from meters where name = ?" for index in range(len(meters) + 1)]
    rows = db.execute(" union all ".join(selects), (CLOSED_METER, *[meter.name for meter in meters]))
    return {row[0]: row for row in rows.fetchall()}


def _apply_charge(db: sqlite3.Cursor, charge: Charge, now: int) -> Admitted | Refused:
    """Write a charge in the open transaction, which the caller commits or rolls back by the outcome.

    Raises StoreDown if the clock has gone back so far that budgets may have been deleted.
    """
    meters, fixed_amounts, marks, fingerprint_meter, _, long_kept = charge
    found = _read_meters(db, meters)
    _, clock, closed_until, _ = found.get(0, _NO_ROW)
    if now < clock - DAY:
        raise StoreDown(CLOCK_WENT_BACK)
    if now >= clock + HOUR:
        db.execute(_SAVE_CLOCK, (now,))
    if closed_until > now:
        return Refused(CLOSED_METER, closed_until - now)
    amounts, new_fingerprints = dict(fixed_amounts), b""
    admitted = _apply_marks(db, marks, now)
    for mark in marks:
        if mark.key in admitted.new_marks:
            new_fingerprints += mark.fingerprint
            for name in mark.feeds:
                amounts[name] = amounts.get(name, 0) + 1
    rows: list[str | int | bytes | None] = []
    refusals = []
    for index, (name, limit, ends) in enumerate(meters, 1):
        amount = amounts.get(name, 0)
        _, spent, runs_until, trail = found.get(index, _NO_ROW)
        if runs_until <= now:
            spent, runs_until, trail = 0, ends, None
        elif not amount:
            continue
        if amount and spent + amount > limit:
            refusals.append(Refused(name, runs_until - now))
        if name == fingerprint_meter:
            trail = (trail or b"") + new_fingerprints
        elif name in long_kept:
            trail = trail or b""
        rows += (name, spent + amount, runs_until, trail)
    if charge.shares:
        refusals += _refuse_shares(charge, amounts, found, now)
    if refusals:
        return max(refusals, key=attrgetter("retry_after_seconds"))
    if rows:
        # One statement for all rows takes less time than one for each.
        db.execute(f"{_INSERT_METERS} {', '.join(['(?, ?, ?, ?)'] * (len(rows) // 4))} {_ON_CONFLICT}", rows)
    return admitted


def _apply_marks(db: sqlite3.Cursor, marks: Sequence[Mark], now: int) -> Admitted:
    """Write the marks that are new, and return which they are, and the other editions of those that are not."""
    new: set[bytes] = set()
    editions: dict[bytes, int] = {}
    for key, ends, _, _, edition, is_pinned in marks:
        if db.execute(_UPSERT_MARK, (key, ends, edition, now, is_pinned)).rowcount:
            new.add(key)
        elif edition and (row := db.execute(_SELECT_MARK_EDITION, (key, edition)).fetchone()):
            (editions[key],) = row
    return Admitted(frozenset(new), editions)


def _refuse_shares(
    charge: Charge, amounts: Mapping[str, int], found: Mapping[int, _MeterRow], now: int
) -> list[Refused]:
    """Return the refusals of shares that a charge of these amounts would pass."""
    refusals = []
    index = {meter.name: number for number, meter in enumerate(charge.meters, 1)}
    for share in charge.shares:
        (_, spent, ends, _), (_, of_spent, of_ends, _) = [
            found.get(index[name], _NO_ROW) for name in (share.meter, share.of)
        ]
        of = charge.meters[index[share.of] - 1]
        spent, of_spent, of_ends = (
            spent if ends > now else 0,
            of_spent if of_ends > now else 0,
            of_ends if of_ends > now else of.ends,
        )
        amount = amounts.get(share.meter, 0)
        if amount and spent + amount > share.limit(of.limit, of_spent, spent):
            refusals.append(Refused(share.name, of_ends - now))
    return refusals
