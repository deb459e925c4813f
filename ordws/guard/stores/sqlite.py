"""Meters of one host, in one SQLite file that all its workers share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from ordws.database import PATIENCE_SECONDS, Database
from ordws.errors import StoreDown
from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, Refused, StoredMeter
from ordws.guard.policy import DAY
from ordws.guard.price import FINGERPRINT_BYTES, Charge, Meter
from ordws.guard.stores.constants import (
    CLOCK_WENT_BACK,
    CLOSED_METER,
    HOUR,
    LATCHED,
    LONG_RETENTION_SECONDS,
    RETENTION_SECONDS,
)

SCHEMA_VERSION: Final = 2
_PRAGMAS: Final = ("synchronous = normal", "wal_autocheckpoint = 4000", "cache_size = -8000")
_FILE_PRAGMAS: Final = "pragma page_size = 1024; pragma journal_mode = wal"
_TABLES: Final = (
    # The count of settlements makes a no change the file as a yes does: SQLite does not write what stays as it is.
    "create table meters (name text primary key, spent integer not null, ends integer not null, alarm integer,"
    " trail blob, settled integer not null default 0) strict, without rowid",
    "create index alarming on meters (name) where spent >= alarm",
    "create table marks (key blob primary key, ends integer not null) strict, without rowid",
)
_DROP_OLD_TABLES: Final = ("drop table meters", "drop table marks")
_SELECT_LAST_DAY_END: Final = "select max(ends) from meters where name like '%/units' or name = 'closed'"
_SWEEP_BATCH: Final = 2_000

_MeterRow: TypeAlias = tuple[int, int, int, bytes | None]
"""Of a meter its place among those that were asked for, what is spent of it, when it ends, and its trails."""

_NO_ROW: Final[_MeterRow] = (0, 0, 0, None)

_SELECT_METER: Final = "select spent, ends, trail from meters where name = ?"
# Whatever fails rolls all back, or SQLite would copy the pages of several rows aside first.
_INSERT_METERS: Final = "insert or rollback into meters (name, spent, ends, trail) values"
_ON_CONFLICT: Final = (
    "on conflict (name) do update set spent = excluded.spent, ends = excluded.ends, trail = excluded.trail"
)
_UPSERT_MARK: Final = (
    "insert into marks (key, ends) values (?1, ?2)"
    " on conflict (key) do update set ends = excluded.ends where marks.ends <= ?3"
)
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
_IS_LONG_KEPT: Final = "(trail is not null or name like 'world/%')"
_SELECT_LONG_KEPT: Final = f"select name, spent, trail from meters where name >= ? and name < ? and {_IS_LONG_KEPT}"


class SqliteMeterStore:
    """A write-ahead log with synchronous=NORMAL: what was admitted survives the death of any process.

    A machine that loses its power may forget the last few admissions, never more, and never half of one.
    """

    is_new: bool = False
    """Whether there were no meters before `create` made them."""

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._database = Database(path, *_PRAGMAS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, path: Path) -> SqliteMeterStore:
        """The store at path, made there if there is none, and brought up to date; only to open one does neither."""
        store = cls(path)
        store._database.create(_FILE_PRAGMAS)
        with store._database as db:
            db.execute("begin immediate")
            (version,) = db.execute("pragma user_version").fetchone()
            if version < SCHEMA_VERSION:
                store.is_new = _migrate(db)
            db.execute("commit")
        return store

    def close(self) -> None:
        self._database.close()

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""
        with self._database as connection:
            db = connection.cursor()  # one for all statements: to make them takes longer than to read a row
            db.execute("begin immediate")
            outcome = _apply_charge(db, charge, now)
            db.execute("rollback" if isinstance(outcome, Refused) else "commit")
        return outcome

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add to a meter that is running, which may be taking back."""
        with self._database as db:
            db.execute(_SETTLE, (amount, meter, now))

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to signs; returns the names of those that have reached their alarm by it.

        A few at a time, so that no question waits for those of all callers.
        """
        risen: list[str] = []
        for first in range(0, len(changes), _DETECTOR_BATCH):
            part = changes[first : first + _DETECTOR_BATCH]
            rows = [(name, by, alarm, ends, alarm_ends, now) for (name, alarm, ends, alarm_ends), by in part]
            names = {sign.name for sign, _ in part}
            with self._database as db:
                db.execute("begin immediate")
                db.executemany(_UPSERT_DETECTOR, rows)
                risen += [name for (name,) in db.execute(_SELECT_NEW_ALARMS).fetchall() if name in names]
                db.execute("commit")
        return tuple(risen)

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """How each of these meters stands; nothing is written."""
        with self._database as db:
            found = _read_meters(db.cursor(), meters)
        _, _, closed, _ = found.get(0, _NO_ROW)
        if closed > now:
            return [MeterReading(meter.limit, closed) for meter in meters]
        running = [(meter, found.get(place, _NO_ROW)) for place, meter in enumerate(meters, 1)]
        return [
            MeterReading(max(0, spent), ends) if ends > now else MeterReading(0, meter.ends)
            for meter, (_, spent, ends, _) in running
        ]

    def active_alarms(self, now: int) -> frozenset[str]:
        """The names of all signs that are in alarm."""
        with self._database as db:
            rows = db.execute("select name from meters where spent >= alarm and ends > ?", (now,)).fetchall()
        return frozenset([name for (name,) in rows])

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Begin these signs anew."""
        with self._database as db:
            db.execute("begin immediate")
            db.executemany("update meters set spent = 0, ends = ? where name = ?", [(now, sign) for sign in names])
            db.execute("commit")

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        """When a mark ends; None where it is not running."""
        with self._database as db:
            row = db.execute("select ends from marks where key = ? and ends > ?", (key, now)).fetchone()
        return None if row is None else row[0]

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """The meters of the world, and those with trails, whose names begin so; also those that ended."""
        with closing(Database(self._database.path, *_PRAGMAS)) as reader, reader as db:
            rows = db.execute(_SELECT_LONG_KEPT, (prefix, f"{prefix}~")).fetchall()
        yield from [StoredMeter(name, spent, trail or b"") for name, spent, trail in rows]

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""
        with self._database as db:
            db.execute(_REFUSE_UNTIL, (moment,))

    def sweep(self, now: int) -> int:
        """Forget what ended two days ago, and after 400 what is kept for long; returns how much that was.

        Not at once: another worker may still hold a question from before midnight, or have a slower clock, and would
        find its budgets whole again. For the same reason a clock counts only as far as questions were admitted by it.
        Questions go on meanwhile, on a connection of their own, a little at a time.
        """
        with closing(Database(self._database.path, *_PRAGMAS)) as sweeper:
            with sweeper as db:
                seen, _, _ = db.execute(_SELECT_METER, (CLOSED_METER,)).fetchone() or (0, 0, None)
            now = min(now, seen + HOUR)
            ended = f"ends <= {now - RETENTION_SECONDS}"
            meters = f"{ended} and name <> '{CLOSED_METER}' and (ends <= {now - LONG_RETENTION_SECONDS} or not {_IS_LONG_KEPT})"
            return _delete_in_batches(sweeper, "meters", "name", meters) + _delete_in_batches(
                sweeper, "marks", "key", ended
            )


def _migrate(db: sqlite3.Connection) -> bool:
    """Makes the tables of today; returns whether there were none.

    What older ones say cannot be carried over, so the last day on which somebody asked counts as spent.
    """
    is_new = db.execute("select 1 from sqlite_master where name = 'meters'").fetchone() is None
    last_day_ends = None if is_new else db.execute(_SELECT_LAST_DAY_END).fetchone()[0]
    for statement in _TABLES if is_new else (*_DROP_OLD_TABLES, *_TABLES):
        db.execute(statement)
    if last_day_ends is not None:
        db.execute(_REFUSE_UNTIL, (last_day_ends,))
    db.execute(f"pragma user_version = {SCHEMA_VERSION}")
    return is_new


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
    """What stands of these meters, by their places from 1, and as 0 of the one that closes all: at one moment."""
    rows = db.execute(_select_statement(len(meters) + 1), (CLOSED_METER, *[meter.name for meter in meters]))
    return {row[0]: row for row in rows.fetchall()}


@cache
def _select_statement(count: int) -> str:
    arms = [f"select {place}, spent, ends, trail from meters where name = ?" for place in range(count)]
    return " union all ".join(arms)


@cache
def _upsert_statement(count: int) -> str:
    return f"{_INSERT_METERS} {', '.join(['(?, ?, ?, ?)'] * count)} {_ON_CONFLICT}"


def _find_closure(db: sqlite3.Cursor, closed: _MeterRow, now: int) -> Refused | None:
    """The refusal of a closed store; raises StoreDown where the clock has gone back over what may be forgotten."""
    _, seen, ends, _ = closed
    if now < seen - DAY:
        raise StoreDown(CLOCK_WENT_BACK)
    if now >= seen + HOUR:
        db.execute(_SAVE_CLOCK, (now,))
    return Refused(CLOSED_METER, ends - now) if ends > now else None


def _apply_charge(db: sqlite3.Cursor, charge: Charge, now: int) -> Admitted | Refused:
    """What a charge comes to, written for the time being."""
    meters, adds, marks, trails, shared = charge
    found = _read_meters(db, meters)
    if closed := _find_closure(db, found.get(0, _NO_ROW), now):
        return closed
    added, new, trail = dict(adds), set(), b""
    for key, ends, feeds, left in marks:
        if db.execute(_UPSERT_MARK, (key, ends, now)).rowcount:
            new.add(key)
            trail += left
            for name in feeds:
                added[name] = added.get(name, 0) + 1
    rows: list[str | int | bytes | None] = []
    over = []
    for place, (name, limit, ends) in enumerate(meters, 1):
        more = added.get(name, 0)
        _, spent, runs_until, before = found.get(place, _NO_ROW)
        if runs_until <= now:
            spent, runs_until, before = 0, ends, None
        elif not more and name != shared:
            continue
        if (asks := len(trail) // FINGERPRINT_BYTES if name == shared else more) and spent + asks > limit:
            over.append(Refused(name, runs_until - now))
        rows += (name, spent + more, runs_until, (before or b"") + trail if name == trails else before)
    if over:
        return max(over, key=lambda refused: (refused.meter != shared, refused.retry_after_seconds))
    if rows:
        db.execute(_upsert_statement(len(rows) // 4), rows)
    return Admitted(frozenset(new))
