"""The detector `pace`: a client asks more in a day than its past and its games explain (docs/guard.md 3.5).

The load of a day is its units and a quarter of its core words, of all players together. It is compared with an
allowance: that of the client's kind or twice its usual day, whichever is more, and the load of each game opened today.
Simulated clubs reach half of it (`ordws/mining/honest_clubs.py`).
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from ordws.guard.detector_buffer import ALARM_SECONDS, DETECTOR_WINDOW_SECONDS, DetectorSum
from ordws.guard.detectors import ALARM_THRESHOLD
from ordws.guard.policy import DAY
from ordws.guard.price import ClientMeters, Meter, detector_prefix, owner_key

if TYPE_CHECKING:
    from ordws.guard.gate import MeterStore, StoredMeter

HOME_ALLOWANCE: Final = 120
"""The load of a home client that asks about twelve games outside of games: at most 20 units, and 398 core words."""

OPERATOR_PERCENT: Final = 30
"""The load that an operator may come to without games, as a percentage of its total of units.

An evening of 60 players, of which only challenged plays are asked, has a load of some 520; an operator's default total
is 2,000.
"""

LOAD_A_GAME: Final = 20
"""The load of an honest game, of which 12 and more together have 17 to 19 each."""

CORE_WORDS_A_UNIT: Final = 4
PAST_DAYS: Final = 28
_CALMED: Final = "pace/calmed"
# SQLite takes at most 500 parts of one reading, of which each client needs four.
_BATCH: Final = 100


class _Watched(NamedTuple):
    meters: ClientMeters
    allowance: int
    """The load that a client of its kind may come to without games."""


class PaceWatch:
    """The clients that a process has charged for new words since it last compared their days with their allowances."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[str, _Watched] = {}
        self._usual: dict[str, tuple[int, int]] = {}

    def record(self, meters: ClientMeters, *, is_operator: bool) -> None:
        """Watch a client that was charged for new words."""
        allowance = meters.units.limit * OPERATOR_PERCENT // 100 if is_operator else HOME_ALLOWANCE
        with self._lock:
            self._watched[owner_key(meters.units.name)] = _Watched(meters, allowance)

    def take_due(self, store: MeterStore, now: int) -> list[tuple[DetectorSum, int]]:
        """Return the detector sums of the watched clients whose day passes their allowance, and forget the clients."""
        with self._lock:
            watched, self._watched = [*self._watched.items()], {}
        due = []
        for first in range(0, len(watched), _BATCH):
            batch = watched[first : first + _BATCH]
            meters = [meter for client, each in batch for meter in (*each.meters, calmed_meter(client, now))]
            spent = [reading.spent for reading in store.read(meters, now)]
            for number, (client, each) in enumerate(batch):
                units, core, games, calmed = spent[4 * number : 4 * number + 4]
                # The past is read only where it matters.
                left = max(each.allowance, calmed) + LOAD_A_GAME * games - load_of(units, core)
                if left < 0 and 2 * self._usual_load(store, client, now) + LOAD_A_GAME * games < load_of(units, core):
                    due.append(client)
        ends = now + DETECTOR_WINDOW_SECONDS, now + ALARM_SECONDS
        return [
            (DetectorSum(f"{detector_prefix(client)}pace", ALARM_THRESHOLD, *ends), ALARM_THRESHOLD) for client in due
        ]

    def _usual_load(self, store: MeterStore, client: str, now: int) -> int:
        """Return the median load of a client's active days before today; the store is read once a day."""
        today = now // DAY
        day, usual = self._usual.get(client, (0, 0))
        if day != today:
            loads = past_loads(store.stored_meters(f"{client}/"), range(today - PAST_DAYS, today))
            usual = int(median(loads)) if loads else 0
            self._usual[client] = (today, usual)
        return usual


def load_of(units: int, core: int) -> int:
    """Return the load of a day: a core word tells a quarter of what a unit does, and costs none."""
    return units + core // CORE_WORDS_A_UNIT


def calmed_meter(client: str, now: int) -> Meter:
    """Return the meter of the load up to which a keeper has ended a client's alarm, for the days that follow."""
    return Meter(f"{client}/{_CALMED}", 1 << 40, now + PAST_DAYS * DAY)


def past_loads(stored: Iterable[StoredMeter], days: Sequence[int]) -> list[int]:
    """Return the loads of a client's active days among these, in no order, given the client's own stored meters."""
    counts: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for meter in stored:
        _, day, budget = meter.name.split("/")
        if day.isdecimal() and int(day) in days:
            counts[int(day)][budget] = meter.spent
    loads = [
        load_of(each.get("operator", each.get("units", 0)), each.get("operator-core", each.get("core", 0)))
        for each in counts.values()
    ]
    return [load for load in loads if load]
