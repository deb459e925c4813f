"""The detector `pace`: a client or a player asks more in a day than its past and its games explain (docs/guard.md 3.5).

The load of a day is its units and a quarter of its core words, for a client those of all its players together. It is
compared with an allowance: that of its kind or twice its usual day, whichever is more, and the load of each game opened
today. Simulated clubs reach half of it (`ordws/mining/honest_clubs.py`). What one player has beyond its games counts
for its operator up to a third of the operator's allowance, so that no two players bring the operator to an alarm.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from ordws.guard.detector_buffer import ALARM_SECONDS, DETECTOR_WINDOW_SECONDS, DetectorSum
from ordws.guard.detectors import ALARM_THRESHOLD
from ordws.guard.policy import DAY
from ordws.guard.price import ClientMeters, Meter, detector_prefix, owner_key

if TYPE_CHECKING:
    from ordws.guard.gate import MeterStore, StoredMeter

HOME_ALLOWANCE: Final = 120
"""The load of a home client, or a player, that asks about twelve games outside of games: 20 units, 398 core words."""

OPERATOR_PERCENT: Final = 30
"""The load that an operator may come to without games, as a percentage of its total of units.

An evening of 60 players, of which only challenged plays are asked, has a load of some 520; an operator's default total
is 2,000.
"""

LEAST_OPERATOR_ALLOWANCE: Final = 405
"""The load of an operator with a small total, or in alarm: of three players who ask all their core words (540 each)."""

LOAD_A_GAME: Final = 20
"""The load of an honest game, of which 12 and more together have 17 to 19 each."""

LOAD_A_PLAYERS_GAME: Final = 10
"""The load that a game has beyond one asked about outside of games: 17 to 19, less 8 of its core words."""

CORE_WORDS_A_UNIT: Final = 4
PAST_DAYS: Final = 28
_CALMED: Final = "pace/calmed"
_COUNTING_PLAYERS: Final = 3
"""The number of players that it takes to bring an operator to an alarm, if the others ask nothing."""
# A reading is one call of the store.
_BATCH: Final = 400


class _Watched(NamedTuple):
    meters: ClientMeters
    allowance: int
    """The load that one of its kind may come to without games."""
    load_a_game: int
    is_operator: bool = False


class _Compared(NamedTuple):
    """A comparison of an operator's load with its allowance, without what does not count of its players'."""

    day: int
    load: int
    is_beyond: bool


class PaceWatch:
    """The callers that a process has charged for new words since it last compared their days with their allowances."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[str, _Watched] = {}
        self._usual: dict[str, tuple[int, int]] = {}
        self._compared: dict[str, _Compared] = {}

    def record(self, own: ClientMeters, operator: ClientMeters | None) -> None:
        """Watch a home client, or a player and its operator, that was charged for new words."""
        watched = [_Watched(own, HOME_ALLOWANCE, LOAD_A_GAME if operator is None else LOAD_A_PLAYERS_GAME)]
        if operator is not None:
            allowance = operator_allowance(operator.units.limit)
            watched.append(_Watched(operator, allowance, LOAD_A_GAME, is_operator=True))
        with self._lock:
            self._watched |= {owner_key(each.meters.units.name): each for each in watched}

    def take_due(self, store: MeterStore, now: int) -> list[tuple[DetectorSum, int]]:
        """Return the detector sums of those watched whose day passes their allowance, and forget them."""
        with self._lock:
            watched, self._watched = self._watched, {}
        meters = [meter for key, each in watched.items() for meter in (*each.meters, calmed_meter(key, now))]
        spent = iter(read_spent(store, meters, now))
        due = []
        for key, each in watched.items():
            units, core, games, calmed = islice(spent, 4)
            load, explained = load_of(units, core), each.load_a_game * games
            # The past, and what the players asked, are read only where they matter.
            if load > explained + max(each.allowance, calmed):
                allowance = explained + max(each.allowance, calmed, 2 * self._usual_load(store, key, now))
                if load > allowance and not (
                    each.is_operator and not self._is_beyond(store, key, load, allowance, each.allowance, now)
                ):
                    due.append(key)
        ends = now + DETECTOR_WINDOW_SECONDS, now + ALARM_SECONDS
        return [(DetectorSum(f"{detector_prefix(key)}pace", ALARM_THRESHOLD, *ends), ALARM_THRESHOLD) for key in due]

    def _is_beyond(
        self, store: MeterStore, operator: str, load: int, allowance: int, kind_allowance: int, now: int
    ) -> bool:
        """Return whether an operator's load passes its allowance without what does not count of its players'.

        All players are read for it, so it is done again only when the load has grown by a game's.
        """
        day, before = now // DAY, self._compared.get(operator)
        if before is None or before.day != day or load >= before.load + LOAD_A_GAME:
            counted = load - _uncounted_load(store, operator, kind_allowance // _COUNTING_PLAYERS, now)
            before = self._compared[operator] = _Compared(day, load, counted > allowance)
        return before.is_beyond

    def _usual_load(self, store: MeterStore, key: str, now: int) -> int:
        """Return the median load of the active days before today, for a player of its units; it is read once a day."""
        today = now // DAY
        day, usual = self._usual.get(key, (0, 0))
        if day != today:
            loads = past_loads(store.stored_meters(f"{key}/"), range(today - PAST_DAYS, today))
            usual = int(median(loads)) if loads else 0
            self._usual[key] = (today, usual)
        return usual


def operator_allowance(total: int) -> int:
    """Return the load that an operator with this total of units may come to without games."""
    return max(total * OPERATOR_PERCENT // 100, LEAST_OPERATOR_ALLOWANCE)


def _uncounted_load(store: MeterStore, operator: str, most: int, now: int) -> int:
    """Return what the players of an operator have asked today beyond their games and this much each.

    A player who asked core words alone is not found; all that it may ask have a load of 135, which is never too much.
    """
    today = now // DAY
    players = {
        owner_key(stored.name)
        for stored in store.stored_meters(f"{operator}.")
        if stored.name.endswith(f"/{today}/units")
    }
    names = [f"{player}/{today}/{budget}" for player in players for budget in ("units", "core", "games")]
    spent = read_spent(store, [Meter(name, 0, now) for name in names], now)
    return sum(
        [
            max(0, load_of(units, core) - LOAD_A_GAME * games - most)
            for units, core, games in zip(spent[::3], spent[1::3], spent[2::3], strict=True)
        ]
    )


def read_spent(store: MeterStore, meters: Sequence[Meter], now: int) -> list[int]:
    """Return what is spent of any number of meters."""
    return [
        reading.spent
        for first in range(0, len(meters), _BATCH)
        for reading in store.read(meters[first : first + _BATCH], now)
    ]


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
