"""The leak report: the share of the words that each key, and all together, may have learned (docs/guard.md 3.3).

A unit is a charged word outside the core list. Learning is counted in distinct words, by the fingerprints that charges
left: a word charged on two days, or under two editions, was learned once. Fingerprints of two identities cannot be
compared, so a sum over identities counts twice a word that two of them asked: it is an upper bound.

In bits: given all public lists, the 181,007 words outside the core list hold 134,000 bits, which is 0.74 a word. A
question gets one verdict for all its words together, so nobody learns more than that, and all words need 134,000
verdicts.

Core words are counted in words asked, since they leave no fingerprints: a client's core words of two days may be the
same. One in thirty is out, so that a verdict on one tells 0.21 bits to somebody who knows only that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, log2
from typing import Final, NamedTuple

from ordws.guard.detectors import DETECTOR_NAMES
from ordws.guard.gate import Gate, MeterStore
from ordws.guard.guest_games import GuestGames, GuestGamesLeft
from ordws.guard.policy import DAY
from ordws.guard.price import FINGERPRINT_BYTES, GUESTS, Meter, owner_key
from ordws.guard.unverified_cap import alarm_level, unverified_cap

NON_CORE_ENTROPY_BITS: Final = 134_000
NON_CORE_WORDS: Final = 181_007
BITS_PER_WORD: Final = NON_CORE_ENTROPY_BITS / NON_CORE_WORDS
CORE_WORDS: Final = 63_730
CORE_WORDS_OUT: Final = 2_128
"""The core words, and those that are not in the word set, of the edition of the open recipe of 2026-11."""

_SHARE_OUT: Final = CORE_WORDS_OUT / CORE_WORDS
BITS_PER_CORE_WORD: Final = -_SHARE_OUT * log2(_SHARE_OUT) - (1 - _SHARE_OUT) * log2(1 - _SHARE_OUT)
"""What a verdict on a core word tells to somebody who knows no more than how many of them are out."""

PACE_DAYS: Final = 7
MAX_FORECAST_DAYS: Final = 36_525
"""The longest forecast: a date more than a hundred years away is not reported."""


class ReportedClient(NamedTuple):
    """A client of the register, by its id and its name there."""

    client: str
    name: str
    is_operator: bool

    @property
    def kind(self) -> str:
        """Return `home`, `operator`, or `guests` for all guests together, whose games stand for players."""
        return GUESTS if self.client == GUESTS else "operator" if self.is_operator else "home"


class ChargeHistory(NamedTuple):
    """The charges of one identity by UTC day: units, and the fingerprints of the words."""

    key: str
    units: dict[int, int]
    fingerprints: dict[int, frozenset[bytes]]

    def words(self, before: int | None = None) -> frozenset[bytes]:
        """Return the fingerprints of all days, or of those before one day: each is a distinct word."""
        return frozenset().union(*[each for day, each in self.fingerprints.items() if before is None or day < before])


class Leak(NamedTuple):
    """An upper bound of what was learned."""

    words: int
    today: int
    """The units of today."""
    units: int
    bits: int
    """Of the words and of all core words."""
    share: float
    """The share of the words outside the core list that were to be learned."""
    a_day: float
    """New words a day, over the last seven days or over as many as there are."""
    half_on: int | None
    """The UTC day on which half of the words would be known at that pace; None if not within a hundred years."""
    core_today: int
    """The core words of today."""
    core: int
    """The core words of the days of the report: for a client those new to it within 24 hours."""


class Alarm(NamedTuple):
    """A detector in alarm, which reduces the budgets of an identity."""

    sign: str
    player: str | None
    """The key of an operator's player, with which the player's meters are named; None for the client itself."""
    until: int | None
    """The moment the alarm ends; None while a closed store does not give it."""


class KeyLeak(NamedTuple):
    """The leak of one client; for an operator, of all its players."""

    subject: ReportedClient
    players: int
    leak: Leak
    alarms: tuple[Alarm, ...]


class SharedBudgetDay(NamedTuple):
    """Units and core words of all unverified callers on one UTC day, and their caps."""

    day: int
    spent: int
    cap: int
    core_spent: int
    core_cap: int

    @property
    def alarm_at(self) -> int:
        return alarm_level(self.cap)

    @property
    def is_alarming(self) -> bool:
        return self.spent >= self.alarm_at


class LeakReport(NamedTuple):
    """The whole report for the keepers."""

    day: int
    borderline: int
    keys: tuple[KeyLeak, ...]
    all: Leak
    world: tuple[SharedBudgetDay, ...]
    """The days reported; the last one is today."""

    @property
    def is_alarming(self) -> bool:
        """True if a detector is in alarm, or unverified callers came near their cap today or yesterday."""
        return any(key.alarms for key in self.keys) or any(day.is_alarming for day in self.world[-2:])


def make_leak_report(
    gate: Gate, subjects: Sequence[ReportedClient], now: int, *, days: int, borderline: int
) -> LeakReport:
    """Report on these clients over the last `days` days, without writing.

    `borderline` is the number of words that were to be learned. Raises StoreDown.
    """
    today = now // DAY
    since = today - days + 1
    alarms: defaultdict[str, list[Alarm]] = defaultdict(list)
    names = sorted(gate.store.active_alarms(now))
    # A closed store returns the limit as the amount spent, so -1 tells that it does not know when an alarm ends.
    readings = gate.store.read([Meter(name, -1, now) for name in names], now)
    for name, (spent, ends) in zip(names, readings, strict=True):
        client, _, player = owner_key(name).partition(".")
        alarms[client].append(Alarm(name.rpartition("/")[2], player or None, None if spent < 0 else ends))
    keys, counts = [], []
    for subject in subjects:
        prefix = gate.pricing.client_key(subject.client)
        histories = list(read_charge_histories(gate.store, prefix))
        core = read_core_counts(gate.store, prefix)
        counts.append(_count(histories, core, today, since))
        players = sum(["." in history.key for history in histories])
        keys.append(KeyLeak(subject, players, _make_leak(counts[-1], today, borderline), tuple(alarms[prefix])))
    keys.sort(key=lambda key: (-len(key.alarms), -key.leak.words, key.subject.name))
    everyone = _Counts(
        words=sum([each.words for each in counts]),
        fresh=sum([each.fresh for each in counts]),
        today=sum([each.today for each in counts]),
        units=sum([each.units for each in counts]),
        first=min([each.first for each in counts], default=today),
        core_today=sum([each.core_today for each in counts]),
        core=sum([each.core for each in counts]),
        core_ever=sum([each.core_ever for each in counts]),
    )
    leak = _make_leak(everyone, today, borderline)
    return LeakReport(today, borderline, tuple(keys), leak, shared_budget_days(gate, now, days))


def with_guests(gate: Gate, clients: Sequence[ReportedClient]) -> list[ReportedClient]:
    """Return these clients and, if guests were ever charged for anything, all guests together."""
    has_guests = next(gate.store.stored_meters(f"{GUESTS}."), None) is not None
    return [*clients, *([ReportedClient(GUESTS, GUESTS, is_operator=True)] if has_guests else [])]


def read_charge_histories(store: MeterStore, prefix: str) -> Iterator[ChargeHistory]:
    """Yield the history of each identity of a client, given the prefix of the names of the client's meters."""
    histories: dict[str, ChargeHistory] = {}
    for name, spent, fingerprints in store.stored_meters(prefix):
        key, day, kind = name.split("/")
        if kind == "units":
            history = histories.setdefault(key, ChargeHistory(key, {}, {}))
            history.units[int(day)] = spent
            starts = range(0, len(fingerprints), FINGERPRINT_BYTES)
            history.fingerprints[int(day)] = frozenset([fingerprints[at : at + FINGERPRINT_BYTES] for at in starts])
    yield from histories.values()


def read_core_counts(store: MeterStore, client_key: str) -> dict[int, int]:
    """Return the core words of a client by UTC day, for an operator those new to it, whichever player asked.

    For a home client the words that it checked by `/v1/ospd` are among them.
    """
    counts = {}
    for name, spent, _ in store.stored_meters(f"{client_key}/"):
        _, day, kind = name.split("/")
        if kind in ("core", "operator-core"):
            counts[int(day)] = spent
    return counts


def bits_of(words: int, core: int) -> int:
    """Return the bits that the verdicts on so many words tell, at most: outside the core list, and core words."""
    return round(words * BITS_PER_WORD + min(core, CORE_WORDS) * BITS_PER_CORE_WORD)


def shared_budget_days(gate: Gate, now: int, days: int) -> tuple[SharedBudgetDay, ...]:
    """Return the shared meters of the last days against their caps."""
    policy, today = gate.policy, now // DAY
    spent, core = gate.unverified_spent(now), gate.unverified_spent(now, "world-core")
    caps = {day: unverified_cap(policy, spent, day) for day in range(today - days + 1, today + 1)}
    return tuple(
        [
            SharedBudgetDay(day, spent.get(day, 0), cap, core.get(day, 0), policy.world_core_cap(cap))
            for day, cap in caps.items()
        ]
    )


class _Counts(NamedTuple):
    """The figures that leaks are computed from; of several clients they add up."""

    words: int
    fresh: int
    today: int
    units: int
    first: int
    """The first day on which anything was charged."""
    core_today: int
    core: int
    core_ever: int


def _count(histories: Sequence[ChargeHistory], core: Mapping[int, int], today: int, since: int) -> _Counts:
    week = today - PACE_DAYS + 1
    words = sum([len(history.words()) for history in histories])
    fresh = words - sum([len(history.words(before=week)) for history in histories])
    units = sum([spent for history in histories for day, spent in history.units.items() if day >= since])
    first = min([day for history in histories for day in history.units], default=today)
    return _Counts(
        words,
        fresh,
        sum([history.units.get(today, 0) for history in histories]),
        units,
        first,
        core_today=core.get(today, 0),
        core=sum([spent for day, spent in core.items() if day >= since]),
        core_ever=sum(core.values()),
    )


def _make_leak(counts: _Counts, today: int, borderline: int) -> Leak:
    a_day = counts.fresh / min(PACE_DAYS, today - counts.first + 1)
    bits = bits_of(counts.words, counts.core_ever)
    share = min(1.0, counts.words / borderline)
    half_on: int | None = today
    left = borderline / 2 - counts.words
    if left > a_day * MAX_FORECAST_DAYS:
        half_on = None
    elif left > 0:
        half_on = today + ceil(left / a_day)
    return Leak(counts.words, counts.today, counts.units, bits, share, a_day, half_on, counts.core_today, counts.core)


class GuardStatus(NamedTuple):
    """The state of the guard now: the shared budgets of today, identities in alarm by detector, and guests' games."""

    world: SharedBudgetDay
    alarming: dict[str, int]
    guests: GuestGamesLeft


def read_guard_status(gate: Gate, now: int) -> GuardStatus:
    """Return what is monitored from minute to minute; raises StoreDown where the meters do not answer."""
    alarms = Counter([name.rpartition("/")[2] for name in gate.store.active_alarms(now)])
    (today,) = shared_budget_days(gate, now, 1)
    counts: dict[str, int] = {detector: alarms[detector] for detector in DETECTOR_NAMES}
    return GuardStatus(today, counts, GuestGames(gate).left(now))
