"""The history of the LMDB store: what is kept for long of an identity and a day that is over, in one row.

Each meter had a row of its own while it ran, most of which is its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.guard.stores import meter_rows as rows
from ordws.guard.stores.constants import LONG_RETENTION_SECONDS
from ordws.guard.stores.meter_transaction import Transaction

BUDGETS: Final = (
    "units",
    "core",
    "games",
    "operator",
    "operator-core",
    "operator-games",
    "world",
    "world-core",
    "guests",
    "guests-core",
    "held",
)
"""The last parts of the names of meters that are kept for long. Rows hold their numbers here, so new ones come last."""

_NUMBERS: Final = {budget.encode(): number for number, budget in enumerate(BUDGETS)}
_COUNTS: Final = Struct("<BB")
_METER: Final = Struct("<BI")
_NOBODY: Final = 255


class HistoryRow(NamedTuple):
    """The amounts spent of some meters, by the numbers of their budgets, and the fingerprints that one of them has."""

    spent: dict[int, int]
    fingerprints: bytes = b""
    budget: int = _NOBODY
    """The budget whose meter has the fingerprints."""

    def pack(self) -> bytes:
        parts = [_COUNTS.pack(len(self.spent), self.budget)]
        parts += [_METER.pack(*each) for each in sorted(self.spent.items())]
        return b"".join([*parts, self.fingerprints])


def unpack_history(value: bytes) -> HistoryRow:
    count, budget = _COUNTS.unpack_from(value)
    end = _COUNTS.size + count * _METER.size
    return HistoryRow(dict(_METER.iter_unpack(value[_COUNTS.size : end])), value[end:], budget)


def is_history_over(key: bytes, now: int) -> bool:
    """Return whether the day of a row is too long ago to be kept."""
    day = int(key.rpartition(b"/")[2])
    return (day + 1) * DAY <= now - LONG_RETENTION_SECONDS


def past_meters(key: bytes, value: bytes) -> Iterator[tuple[str, int, bytes]]:
    """Yield the names of the meters of a row, in order, what was spent of them, and their fingerprints."""
    owner_and_day, (amounts, fingerprints, with_fingerprints) = key[1:].decode(), unpack_history(value)
    for budget, spent in sorted(amounts.items(), key=lambda each: BUDGETS[each[0]]):
        yield f"{owner_and_day}/{BUDGETS[budget]}", spent, fingerprints if budget == with_fingerprints else b""


class HistoryWriter:
    """The rows of the history that one transaction changes."""

    def __init__(self, txn: Transaction) -> None:
        self._txn = txn
        self._changed: dict[bytes, HistoryRow] = {}

    def add(self, key: bytes, row: rows.MeterRow) -> bool:
        """Add a meter, given its key and row; return False where it has no place here.

        A meter that is here already, because a power cut brought its own row back, keeps the larger amount.
        """
        owner_and_day, _, name = key[1:].rpartition(b"/")
        number, history = _NUMBERS.get(name), rows.HISTORY + owner_and_day
        if number is None or not owner_and_day.rpartition(b"/")[2].isdigit():
            return False
        amounts, fingerprints, with_fingerprints = self._changed.get(history) or self._read(history)
        if row.fingerprints:
            if with_fingerprints not in (number, _NOBODY):
                return False
            fingerprints, with_fingerprints = max(fingerprints, row.fingerprints, key=len), number
        spent = max(row.spent, amounts.get(number, 0))
        self._changed[history] = HistoryRow({**amounts, number: spent}, fingerprints, with_fingerprints)
        return True

    def write(self) -> None:
        """Put all that was added into the transaction."""
        for key, row in self._changed.items():
            self._txn.put(key, row.pack())

    def _read(self, key: bytes) -> HistoryRow:
        value = self._txn.get(key)
        return unpack_history(value) if value else HistoryRow({})
