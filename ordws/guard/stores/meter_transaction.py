"""The part that each call of the LMDB store has in a transaction, which several may share, and the levels it needs.

`meter_map.py` says what levels are for, and runs the transactions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

import lmdb

from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores import rebuild
from ordws.guard.stores.journal import Journal, Put

T = TypeVar("T")
_LEAST_STEP: Final = 16


class Transaction:
    """The part of one call in a transaction: it reads the map, and all that it puts is written at its end."""

    __slots__ = ("_known", "_txn", "delete", "get", "is_lacking", "levels", "opened", "puts", "seals", "state")

    def __init__(self, txn: lmdb.Transaction[bytes], state: rows.StateRow, known: KnownLevels) -> None:
        self.get, self.delete = txn.get, txn.delete
        self._txn = txn
        self.state = state
        self._known = known
        self.puts: list[Put] = []
        self.levels: dict[bytes, rows.Level] = {}
        """The levels that are to be written."""
        self.opened: dict[bytes, rows.Level] = {}
        """Those that hold as soon as they are written, because their meters begin with a mark."""
        self.is_lacking = False
        """True where one of the levels has to be on disk first, so that nothing else is written."""
        self.seals = 0
        """The number of epochs that end with the transaction."""

    def put(self, key: bytes, value: bytes) -> None:
        self.puts.append((key, value))

    def write(self) -> None:
        """Write all that was put into the map."""
        self._txn.cursor().putmulti(self.puts)

    def put_meter(self, key: bytes, row: rows.MeterRow, limit: int, raised: int, is_opened: bool = False) -> None:
        """Put a meter that this transaction raises by an amount, which is 0 or less where it does not."""
        spent, ends, _, _ = row
        if raised > 0:
            known, step = self._known, max(limit >> 2, _LEAST_STEP)
            level = known.on_disk.get(key) or known.before.get(key)
            # A later meter of the same name needs a level of its own.
            if level is None or spent > level.level or ends > level.ends:
                if is_opened:
                    self.opened[key] = _level_above(row, limit, step)
                else:
                    self.is_lacking = True
                    self.levels[key] = _level_above(row, limit, step)
            elif key not in known.on_disk or (level.level - spent < step >> 1 and level.level < limit):
                ahead = known.ahead.get(key)
                if ahead is None or (ahead.level - spent < step >> 1 and ahead.level < limit):
                    self.levels[key] = _level_above(row, limit, step)
        self.puts.append((key, rows.pack_meter(row)))

    def expect(self, key: bytes, limit: int, ends: int) -> None:
        """Write a level for a meter that is likely to be raised next, where a level has to be waited for anyway."""
        if not (key in self.levels or key in self._known.on_disk or key in self._known.before):
            value = self.get(key)
            row = rows.unpack_meter(value) if value else rows.MeterRow()
            if row.ends < ends:
                row = rows.MeterRow(0, ends, row.is_long_kept)
            self.levels[key] = _level_above(row, limit, max(limit >> 2, _LEAST_STEP))


def _level_above(row: rows.MeterRow, limit: int, step: int) -> rows.Level:
    return rows.Level(row.ends, max(row.spent, min(limit, row.spent + step)), row.is_long_kept)


class KnownLevels:
    """The levels that this process has written: those on disk, of this epoch and of the one before, and the others."""

    __slots__ = ("ahead", "before", "on_disk")

    def __init__(self, before: dict[bytes, rows.Level] | None = None) -> None:
        self.before = before or {}
        self.on_disk: dict[bytes, rows.Level] = {}
        self.ahead: dict[bytes, rows.Level] = {}

    def after_seal(self) -> KnownLevels:
        """Return what holds in the next epoch; a seal comes after all that was written."""
        return KnownLevels(self.on_disk | self.ahead)

    def __bool__(self) -> bool:
        return bool(self.on_disk or self.before)


class Lacking(NamedTuple):
    """The outcome of a transaction that has to be repeated once this journal is on disk."""

    journal: Journal


class Batch(NamedTuple):
    """The calls that share a transaction of the map."""

    journal: Journal
    entries: list[Put]
    """All that goes into the journal."""
    levels: KnownLevels
    """The levels among it."""

    def run(self, transaction: Transaction, work: Callable[[Transaction], T]) -> T | Lacking:
        """Run a function, and put what it puts into the map."""
        outcome = work(transaction)
        puts, levels = transaction.puts, transaction.levels
        if transaction.is_lacking:
            self.entries.extend(_level_entries(levels))
            self.levels.ahead.update(levels)
            return Lacking(self.journal)
        if puts:
            transaction.write()
            levels.update(transaction.opened)
            self.entries.extend(_level_entries(levels))
            self.entries.extend(puts)
            self.entries.extend([rebuild.seal_entry(0)] * transaction.seals)
            self.levels.on_disk.update(transaction.opened)
        self.levels.ahead.update(levels)
        return outcome


def read_state(txn: lmdb.Transaction[bytes]) -> rows.StateRow:
    return rows.unpack_state(txn.get(rows.STATE) or b"")


def _level_entries(levels: dict[bytes, rows.Level]) -> list[Put]:
    return [(rows.LEVEL + key, level.pack()) for key, level in levels.items()]
