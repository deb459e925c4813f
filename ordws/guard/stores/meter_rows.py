"""The rows of the LMDB store: the keys and the fixed-size values of meters, detector sums, marks and the store's state.

A key begins with a letter that says what it is. Rows are never longer or shorter for one verdict than for the other.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

METER: Final = b"m"
DETECTOR: Final = b"d"
ALARM: Final = b"a"
"""An index of the detector sums that may be in alarm: a key for each, without a value."""
HISTORY: Final = b"h"
"""See `meter_history`."""
MARK: Final = b"k"
STATE: Final = b"s"
LEVEL: Final = b"l"
"""In the journal alone: what a meter may reach before another level is on disk."""
SEAL: Final = b"e"
"""In the journal alone, see `rebuild.seal_entry`."""

# Moments of 4 bytes last until 2106, editions of 3 for long. Most of the map is meters and marks, so their rows are as
# short as they can be.
_METER: Final = Struct("<II?")
_DETECTOR: Final = Struct("<qqq")
_MARK: Final = Struct("<IHB")
_STATE: Final = Struct("<qqqQQ")
_LEVEL: Final = Struct("<qq?")
SEAL_VALUE: Final = Struct("<Q")


class MeterRow(NamedTuple):
    """A meter: the amount spent, its end, whether it is kept for long, and the fingerprints of marks that fed it."""

    spent: int = 0
    ends: int = 0
    is_long_kept: bool = False
    fingerprints: bytes = b""


_make_meter: Final = MeterRow._make
_METER_SIZE: Final = _METER.size


class DetectorRow(NamedTuple):
    """A detector sum, its end, and the threshold from which it is in alarm."""

    sum: int
    ends: int
    threshold: int

    def is_alarming(self, now: int) -> bool:
        return self.sum >= self.threshold and self.ends > now

    def pack(self) -> bytes:
        return _DETECTOR.pack(*self)


class StateRow(NamedTuple):
    """The state of the store."""

    clock: int = 0
    """The latest hour at which a question was admitted."""
    closed_until: int = 0
    sealed_at: int = 0
    journal: int = 0
    """The number of the journal file in use."""
    epoch: int = 0
    """A number that grows with each seal."""

    def pack(self) -> bytes:
        return _STATE.pack(*self)


class Level(NamedTuple):
    """The amount that a meter with this end may reach, and whether the meter is kept for long."""

    ends: int
    level: int
    is_long_kept: bool

    def pack(self) -> bytes:
        return _LEVEL.pack(*self)


def unpack_level(value: bytes) -> Level:
    return Level(*_LEVEL.unpack(value))


def pack_meter(row: MeterRow) -> bytes:
    spent, ends, is_long_kept, fingerprints = row
    return _METER.pack(spent, ends, is_long_kept) + fingerprints


def unpack_meter(value: bytes) -> MeterRow:
    # Built like this for half the time that a call with names takes; every question reads several.
    return _make_meter((*_METER.unpack_from(value), value[_METER_SIZE:]))


def unpack_detector(value: bytes) -> DetectorRow:
    return DetectorRow(*_DETECTOR.unpack(value))


def unpack_state(value: bytes) -> StateRow:
    return StateRow(*_STATE.unpack(value))


def pack_mark(ends: int, edition: int) -> bytes:
    return _MARK.pack(ends, edition & 0xFFFF, edition >> 16)


def unpack_mark(value: bytes) -> tuple[int, int]:
    """Return the end of a mark and the edition it was charged under."""
    # Marks of older installations have a fourth byte of the edition, which is 0.
    ends, low, high = _MARK.unpack_from(value)
    return ends, high << 16 | low
