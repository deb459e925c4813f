"""First sights, alarms and the history of 400 days: the file of one host for all that lasts longer than a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ordws.database import Store
from ordws.guard.charge import ID_BYTES, MeterOwner
from ordws.guard.policy import DAY
from ordws.guard.store import DayHistory, Lasting
from ordws.retention import HISTORY

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
