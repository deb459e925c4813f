"""The leak meter: how much of the words each key, and the world, may have learned by asking. (GUARD 3.3)

A unit is a word outside the core list that was charged. What is learned is counted in distinct words, by the trails
that charges left; a word charged on two days, or under two editions, was learned once. Trails of two identities cannot
be compared, so that a sum over identities counts a word twice that two of them asked: it is a bound, and so is the
number of units that were new to the world. The smaller of the two is told.

In bits: for who has all public lists, the 181,007 words outside the core list hold 134,000 bits, which is 0.74 a word.
A question says yes or no for all its words together, so that nobody learns more, and needs 134,000 verdicts for all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

from ordws.guard.detectors import DETECTORS
from ordws.guard.gate import Gate, MeterStore
from ordws.guard.policy import DAY
from ordws.guard.price import FINGERPRINT_BYTES, Meter, owner_key
from ordws.guard.unverified_cap import alarm_level, unverified_cap

NON_CORE_ENTROPY_BITS: Final = 134_000
NON_CORE_WORDS: Final = 181_007
BITS_PER_WORD: Final = NON_CORE_ENTROPY_BITS / NON_CORE_WORDS
PACE_DAYS: Final = 7
MAX_FORECAST_DAYS: Final = 36_525
"""A forecast beyond a hundred years is none."""


class ReportedClient(NamedTuple):
    """A client of the register, by its id and by its name there."""

    client: str
    name: str
    is_operator: bool


class ChargeHistory(NamedTuple):
    """What one identity was charged, by UTC day: units, and the trails of the words."""

    key: str
    units: dict[int, int]
    fingerprints: dict[int, frozenset[bytes]]

    def words(self, before: int | None = None) -> frozenset[bytes]:
        """The trails of all days, or of those before one: a distinct word each."""
        return frozenset().union(*[each for day, each in self.fingerprints.items() if before is None or day < before])


class Leak(NamedTuple):
    """What was learned, at most."""

    words: int
    today: int
    """Units of the day, and of the days reported."""
    units: int
    bits: int
    share: float
    """Of the words that were to be learned."""
    a_day: float
    """New words a day, over the last seven days or as many as there are."""
    half_on: int | None
    """The UTC day on which half of the words would be known at that pace; None within a hundred years."""


class Alarm(NamedTuple):
    """A sign of mining that tightens the budgets of an identity."""

    sign: str
    player: str | None
    """Of an operator's, by which his meters are known."""
    until: int | None
    """None where a closed store does not say."""


class KeyLeak(NamedTuple):
    """One client; an operator with all its players."""

    subject: ReportedClient
    players: int
    leak: Leak
    alarms: tuple[Alarm, ...]


class SharedBudgetDay(NamedTuple):
    """Units new to the world on one UTC day: of all who are not verified, under a cap, and of all who are."""

    day: int
    spent: int
    cap: int
    reserve_spent: int
    reserve: int

    @property
    def alarm_at(self) -> int:
        return alarm_level(self.cap)

    @property
    def is_alarming(self) -> bool:
        return self.spent >= self.alarm_at


class LeakReport(NamedTuple):
    """Everything that keepers are shown."""

    day: int
    borderline: int
    keys: tuple[KeyLeak, ...]
    all: Leak
    world: tuple[SharedBudgetDay, ...]
    """The days reported, the last one today."""

    @property
    def is_alarming(self) -> bool:
        """Whether a sign is in alarm, or the world came near its cap today or yesterday."""
        return any(key.alarms for key in self.keys) or any(day.is_alarming for day in self.world[-2:])


def make_leak_report(
    gate: Gate, subjects: Sequence[ReportedClient], now: int, *, days: int, borderline: int
) -> LeakReport:
    """What the meters tell of these clients over so many days; nothing is written."""
    today = now // DAY
    since = today - days + 1
    alarms = _alarms_by_client(gate.store, now)
    keys = []
    counts = _Counts(0, 0, 0, 0, today)
    for subject in subjects:
        prefix = gate.pricing.client_key(subject.client)
        diaries = list(read_charge_histories(gate.store, prefix))
        counted = _count(diaries, today, since)
        counts = counts.plus(counted)
        players = sum(["." in diary.key for diary in diaries])
        keys.append(KeyLeak(subject, players, _make_leak(counted, today, borderline), tuple(alarms[prefix])))
    keys.sort(key=lambda key: (-len(key.alarms), -key.leak.words, key.subject.name))
    everyone = _make_leak(_cap_by_new_units(counts, gate, today), today, borderline)
    return LeakReport(today, borderline, tuple(keys), everyone, shared_budget_days(gate, now, days))


def read_charge_histories(store: MeterStore, prefix: str) -> Iterator[ChargeHistory]:
    """What is kept of each identity of a client, by the name that the client's meters begin with."""
    diaries: dict[str, ChargeHistory] = {}
    for name, spent, trails in store.stored_meters(prefix):
        me, day, kind = name.split("/")
        if kind == "units":
            diary = diaries.setdefault(me, ChargeHistory(me, {}, {}))
            diary.units[int(day)] = spent
            diary.fingerprints[int(day)] = frozenset(
                [trails[at : at + FINGERPRINT_BYTES] for at in range(0, len(trails), FINGERPRINT_BYTES)]
            )
    yield from diaries.values()


def shared_budget_days(gate: Gate, now: int, days: int) -> tuple[SharedBudgetDay, ...]:
    """The last days of the world's meters against their caps."""
    policy, today, spent = gate.policy, now // DAY, gate.unverified_spent(now)
    reserve = {day: units for day, kind, units in _shared_budget_usage(gate.store) if kind == "reserve"}
    return tuple(
        [
            SharedBudgetDay(
                day, spent.get(day, 0), unverified_cap(policy, spent, day), reserve.get(day, 0), policy.reserve_a_day
            )
            for day in range(today - days + 1, today + 1)
        ]
    )


class _Counts(NamedTuple):
    words: int
    fresh: int
    today: int
    units: int
    first: int
    """The first day of all."""

    def plus(self, other: _Counts) -> _Counts:
        words, fresh, today, units, first = other
        return _Counts(
            self.words + words, self.fresh + fresh, self.today + today, self.units + units, min(self.first, first)
        )


def _count(histories: Sequence[ChargeHistory], today: int, since: int) -> _Counts:
    week = today - PACE_DAYS + 1
    words = sum([len(diary.words()) for diary in histories])
    fresh = words - sum([len(diary.words(before=week)) for diary in histories])
    units = sum([spent for diary in histories for day, spent in diary.units.items() if day >= since])
    first = min([day for diary in histories for day in diary.units], default=today)
    return _Counts(words, fresh, sum([diary.units.get(today, 0) for diary in histories]), units, first)


def _cap_by_new_units(counts: _Counts, gate: Gate, today: int) -> _Counts:
    """The counts of all, in which no word is new that was new to the world before."""
    new: defaultdict[int, int] = defaultdict(int)
    for day, _, spent in _shared_budget_usage(gate.store):
        new[day] += spent
    fresh = sum([spent for day, spent in new.items() if day > today - PACE_DAYS])
    return counts._replace(words=min(counts.words, sum(new.values())), fresh=min(counts.fresh, fresh))


def _make_leak(counts: _Counts, today: int, borderline: int) -> Leak:
    a_day = counts.fresh / min(PACE_DAYS, today - counts.first + 1)
    bits = round(counts.words * BITS_PER_WORD)
    share = min(1.0, counts.words / borderline)
    half_on = _half_known_on(borderline / 2 - counts.words, a_day, today)
    return Leak(counts.words, counts.today, counts.units, bits, share, a_day, half_on)


def _half_known_on(left: float, a_day: float, today: int) -> int | None:
    if left <= 0:
        return today
    if left > a_day * MAX_FORECAST_DAYS:
        return None
    return today + ceil(left / a_day)


def _alarms_by_client(store: MeterStore, now: int) -> defaultdict[str, list[Alarm]]:
    """Signs in alarm, by the name that the meters of their clients begin with."""
    names = sorted(store.active_alarms(now))
    found: defaultdict[str, list[Alarm]] = defaultdict(list)
    # A closed store gives every meter its own end, and the limit as what was spent.
    for name, (spent, ends) in zip(names, store.read([Meter(name, -1, now) for name in names], now), strict=True):
        client, _, player = owner_key(name).partition(".")
        found[client].append(Alarm(name.rpartition("/")[2], player or None, None if spent < 0 else ends))
    return found


def _shared_budget_usage(store: MeterStore) -> Iterator[tuple[int, str, int]]:
    for kept in store.stored_meters("world/"):
        _, day, kind = kept.name.split("/")
        yield int(day), kind, kept.spent


class GuardStatus(NamedTuple):
    """How the meters of all stand now: the world's day, and how many identities have each sign in alarm."""

    world: SharedBudgetDay
    alarming: dict[str, int]


def read_guard_status(gate: Gate, now: int) -> GuardStatus:
    """What is watched from minute to minute; raises StoreDown where the meters do not answer."""
    signs = Counter([name.rpartition("/")[2] for name in gate.store.active_alarms(now)])
    (world,) = shared_budget_days(gate, now, 1)
    return GuardStatus(world, {sign: signs[sign] for sign in DETECTORS})
