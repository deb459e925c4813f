"""Meters of one host, in one SQLite file that all its workers share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from ordws.database import PATIENCE_SECONDS, Database
from ordws.guard.gate import Refused, Standing
from ordws.guard.price import Charge, Meter

CLOSED: Final = "closed"
"""A meter that no question feeds: while it runs, everything is refused."""

_SCHEMA: Final = """
    pragma journal_mode = wal;
    begin immediate;
    create table if not exists meters (name text primary key, spent integer not null, ends integer not null)
        strict, without rowid;
    create table if not exists marks (key blob primary key, ends integer not null) strict, without rowid;
    commit;
"""
_SETTINGS: Final = ("synchronous = normal",)
_SWEPT_AT_ONCE: Final = 2_000
_KEPT_SECONDS: Final = 86_400

Row: TypeAlias = tuple[str, int, int]


class SqliteStore:
    """A write-ahead log with synchronous=NORMAL: what was admitted survives the death of any process.

    A machine that loses its power may forget the last few admissions, never more, and never half of one.
    """

    def __init__(self, path: Path, *, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._database = Database(path, *_SETTINGS, patience_seconds=patience_seconds)

    @classmethod
    def create(cls, path: Path) -> SqliteStore:
        """The store at path, made there if there is none; a store that was only opened is never made."""
        store = cls(path)
        store._database.create(_SCHEMA)
        return store

    def close(self) -> None:
        self._database.close()

    def admit(self, charge: Charge, now: int) -> Refused | None:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""
        with self._database as db:
            db.execute("begin immediate")
            refused = _closed(db, now) or _over(charge, *_written(db, charge, now), now)
            db.execute("commit" if refused is None else "rollback")
        return refused

    def read(self, meters: Sequence[Meter], now: int) -> list[Standing]:
        """How each of these meters stands; nothing is written."""
        names = [CLOSED, *(meter.name for meter in meters)]
        with self._database as db:
            rows: list[Row] = db.execute(_stand(len(names)), (now, *names)).fetchall()
        running = {name: Standing(spent, ends) for name, spent, ends in rows}
        if CLOSED in running:
            return [Standing(meter.limit, running[CLOSED].ends) for meter in meters]
        return [running.get(meter.name, Standing(0, meter.ends)) for meter in meters]

    def close_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""
        with self._database as db:
            db.execute(
                "insert into meters (name, spent, ends) values (?, 0, ?)"
                " on conflict (name) do update set ends = max(ends, excluded.ends)", (CLOSED, moment)
            )  # fmt: skip

    def sweep(self, now: int) -> int:
        """Forget what ended a day ago; returns how much that was.

        Not at once: another worker may still hold a question from before midnight, or have a slower clock, and would
        find its budgets whole again. Questions go on meanwhile, on a connection of their own, a little at a time.
        """
        before = now - _KEPT_SECONDS
        with closing(Database(self._database.path, *_SETTINGS)) as sweeper:
            return _swept(sweeper, "meters", "name", before) + _swept(sweeper, "marks", "key", before)


def _swept(database: Database, table: str, key: str, now: int) -> int:
    swept = 0
    while True:
        with database as db:
            ended = db.execute(f"select {key} from {table} where ends <= ? limit {_SWEPT_AT_ONCE}", (now,)).fetchall()
            db.execute("begin immediate")
            db.executemany(f"delete from {table} where {key} = ? and ends <= {now}", ended)
            db.execute("commit")
        swept += len(ended)
        if len(ended) < _SWEPT_AT_ONCE:
            return swept


def _closed(db: sqlite3.Connection, now: int) -> Refused | None:
    row = db.execute("select ends from meters where name = ? and ends > ?", (CLOSED, now)).fetchone()
    return None if row is None else Refused(CLOSED, row[0] - now)


def _written(db: sqlite3.Connection, charge: Charge, now: int) -> tuple[dict[str, int], list[Row]]:
    """What the charge adds to each meter, and how the meters stand with it."""
    meters, adds, marks = charge
    added = {meter.name: adds.get(meter.name, 0) for meter in meters}
    if marks:
        values = [now, *chain.from_iterable([(key, ends) for key, ends, _ in marks])]
        new = db.execute(_mark(len(marks)), values).fetchall()
        for key, _, feeds in marks:
            if (key,) in new:
                for name in feeds:
                    added[name] += 1
    values = [now, *chain.from_iterable([(name, added[name], ends) for name, _, ends in meters])]
    return added, db.execute(_spend(len(meters)), values).fetchall()


def _over(charge: Charge, adds: dict[str, int], rows: Iterable[Row], now: int) -> Refused | None:
    """The refusal of the meter that ends last among those that the charge would overdraw."""
    limits = {meter.name: meter.limit for meter in charge.meters}
    over = [Refused(name, ends - now) for name, spent, ends in rows if adds[name] and spent > limits[name]]
    return max(over, key=lambda refused: refused.retry_after_seconds, default=None)


@cache
def _stand(count: int) -> str:
    """Reads meters that are running."""
    return f"select name, spent, ends from meters where ends > ? and name in ({','.join('?' * count)})"


@cache
def _mark(count: int) -> str:
    """Sets marks that are not running; returns the keys of these, which are the new ones."""
    return (
        f"insert into marks (key, ends) values {_rows(2, count)}"
        " on conflict (key) do update set ends = excluded.ends where marks.ends <= ?1 returning key"
    )


@cache
def _spend(count: int) -> str:
    """Adds to meters, from nothing where one has ended; returns how they stand."""
    return (
        f"insert into meters (name, spent, ends) values {_rows(3, count)} on conflict (name) do update set"
        " spent = excluded.spent + iif(meters.ends > ?1, meters.spent, 0),"
        " ends = iif(meters.ends > ?1, meters.ends, excluded.ends)"
        " returning name, spent, ends"
    )


def _rows(width: int, count: int) -> str:
    """`(?2,?3),(?4,?5)` for two columns and two rows; ?1 is the time."""
    return ",".join(f"({','.join(f'?{2 + row * width + column}' for column in range(width))})" for row in range(count))
