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

from ordws.client_kinds import CLIENT_KINDS
from ordws.guard.charge import CORE, FINGERPRINT_BYTES, GUESTS, ID_BYTES, NOBODY, VISITORS, MeterOwner
from ordws.guard.detectors import DETECTOR_NAMES
from ordws.guard.gate import Gate
from ordws.guard.guests import GuestGames, GuestGamesLeft
from ordws.guard.policy import DAY, alarm_level, unverified_cap
from ordws.guard.price import GUESTS_NAME, VISITORS_NAME
from ordws.guard.store import MeterStore

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
    kind: str
    """A kind of the register; `guests` for all of them, whose games stand for players; `visitors`."""

    @property
    def names_players(self) -> bool:
        known = CLIENT_KINDS.get(self.kind)
        return self.kind == GUESTS_NAME if known is None else known.names_players


class ChargeHistory(NamedTuple):
    """The charges of one identity by UTC day: units, and the fingerprints of the words."""

    subject: MeterOwner
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
    """The keyed hash of an operator's player, or of a game of guests; None for the client itself."""
    until: int
    """The moment the alarm ends."""


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
    """Report on these clients over the last `days` days; the history is brought up to date for it.

    `borderline` is the number of words that were to be learned. Raises StoreDown.
    """
    today = now // DAY
    since = today - days + 1
    alarms: defaultdict[bytes, list[Alarm]] = defaultdict(list)
    for subject, lasting in sorted(gate.store.active_alarms(now).items()):
        client, player = subject[:ID_BYTES], subject[ID_BYTES:]
        alarms[client].append(Alarm(lasting.alarm, None if player == NOBODY else player.hex(), lasting.alarm_until))
    keys, counts = [], []
    gate.store.collect(now)
    for reported in subjects:
        client = gate.pricing.client_id(reported.client)
        histories = list(read_charge_histories(gate.store, client))
        core = read_core_counts(gate.store, client)
        counts.append(_count(histories, core, today, since))
        players = sum([not history.subject.endswith(NOBODY) for history in histories])
        keys.append(KeyLeak(reported, players, _make_leak(counts[-1], today, borderline), tuple(alarms[client])))
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


def with_guests_and_visitors(gate: Gate, clients: Sequence[ReportedClient], now: int) -> list[ReportedClient]:
    """Return these clients and, if they were ever charged for anything, all guests and all visitors together."""
    reported, store = [*clients], gate.store
    if store.guest_games() or next(store.history(GUESTS), None) is not None:
        reported.append(ReportedClient(GUESTS_NAME, GUESTS_NAME, GUESTS_NAME))
    # The history may be an hour behind.
    if store.day_records(VISITORS, now // DAY) or next(store.history(VISITORS), None) is not None:
        reported.append(ReportedClient(VISITORS_NAME, VISITORS_NAME, VISITORS_NAME))
    return reported


def read_charge_histories(store: MeterStore, client: bytes) -> Iterator[ChargeHistory]:
    """Yield the history of each identity of a client: of a home client itself, or of each player of an operator."""
    histories: dict[MeterOwner, ChargeHistory] = {}
    for subject, day, units, _, fingerprints in store.history(client):
        # What an operator was charged as a whole has no fingerprints: its players have them.
        if fingerprints:
            history = histories.setdefault(subject, ChargeHistory(subject, {}, {}))
            history.units[day] = units
            starts = range(0, len(fingerprints), FINGERPRINT_BYTES)
            history.fingerprints[day] = frozenset([fingerprints[at : at + FINGERPRINT_BYTES] for at in starts])
    yield from histories.values()


def read_core_counts(store: MeterStore, client: bytes) -> dict[int, int]:
    """Return the core words of a client by UTC day, for an operator those new to it, whichever player asked.

    For a home client the words that it checked by `/v1/ospd` are among them; for guests those of all games.
    """
    counts: Counter[int] = Counter()
    for subject, day, _, core, _ in store.history(client):
        if client == GUESTS or subject.endswith(NOBODY):
            counts[day] += core
    return counts


def bits_of(words: int, core: int) -> int:
    """Return the bits that the verdicts on so many words tell, at most: outside the core list, and core words."""
    return round(words * BITS_PER_WORD + min(core, CORE_WORDS) * BITS_PER_CORE_WORD)


def shared_budget_days(gate: Gate, now: int, days: int) -> tuple[SharedBudgetDay, ...]:
    """Return the shared meters of the last days against their caps."""
    policy, today = gate.policy, now // DAY
    spent, core = gate.unverified_spent(now), gate.unverified_spent(now, CORE)
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
    alarms = Counter([lasting.alarm for lasting in gate.store.active_alarms(now).values()])
    (today,) = shared_budget_days(gate, now, 1)
    counts: dict[str, int] = {detector: alarms[detector] for detector in DETECTOR_NAMES}
    return GuardStatus(today, counts, GuestGames(gate).left(now))
