"""The leaks through answers: a report of what may be known, and a test of which identity explains a leaked list.

The report tells the share of the words that each key, and all together, may have learned (docs/guard.md 3.3).

A unit is a charged word outside the core list. Learning is counted in distinct words, by the fingerprints that charges
left: a word charged on two days, or under two editions, was learned once. Fingerprints of two identities cannot be
compared, so a sum over identities counts twice a word that two of them asked: it is an upper bound.

In bits: given all public lists, the 181,007 words outside the core list hold 134,000 bits, which is 0.74 a word. A
question gets one verdict for all its words together, so nobody learns more than that, and all words need 134,000
verdicts.

Core words are counted in words asked, since they leave no fingerprints: a client's core words of two days may be the
same. One in thirty is out, so that a verdict on one tells 0.21 bits to somebody who knows only that.

The test tells the chance of accusing an innocent identity.

The leaked words are compared with others that were not leaked, taken from a public list. For each word of either kind
it is known which identities were charged for it, and so how many asked it. Let c_k and d_k be the numbers of leaked and
of other words asked by exactly k identities, t_k the number of both that identity i was charged for, and x the number
of leaked ones among these. Suppose that the list came about without regard to who had asked what. Then of the words
asked by k, any c_k could have been those that leaked, so that i is expected to have

    m = sum over k of t_k c_k / (c_k + d_k)    of its    T = sum of t_k

Whether i asks much or little, common words or rare ones, is the same in both kinds and plays no part; nor does a word
that nobody asked, or everybody. Drawing without replacement, in each class of k on its own, gives x or more with at
most the chance (Hoeffding 1963, theorems 1 and 4)

    exp(-T D(x/T, m/T)),    D(a, b) = a ln(a/b) + (1-a) ln((1-a)/(1-b)),    x > m

A list of acceptable words has more than its share of what people ask in earnest, people have tastes, and words come in
families. So the usual deviation is measured on all identities: r is the median of x/m, and f the median of (x - r m)^2
/ (r m (1 - r m/T)) over 0.455, the median of a chi-squared variable, and at least 1, or 3 where the sample is small.
Then m is raised to r m where that is more, and the exponent is divided by f. The chance is multiplied by the number of
identities, since the likeliest of all is looked at (Bonferroni). Below ACCUSED_BELOW an identity explains the list.

Leakers who pooled what they learned are each found by their own part, as long as most identities are honest. The test
cannot tell apart an identity that had a reason of its own to ask what the list was made for (a list of dishes, and a
cook; a list of rare words, and somebody who mines them for themselves), and it cannot judge an identity that is alone
in the meters, since there is nobody to compare it with. A charge tells that a word was asked, not what the answer was;
so nobody is expected to have leaked all that they asked.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, log, log1p, log2
from statistics import median
from typing import Final, NamedTuple

from ordws.client_kinds import CLIENT_KINDS
from ordws.guard.charge import CORE, FINGERPRINT_BYTES, GUESTS, ID_BYTES, NOBODY, VISITORS, MeterOwner, MeterStore
from ordws.guard.gate import DETECTOR_NAMES, Gate
from ordws.guard.guests import GuestGames, GuestGamesLeft
from ordws.guard.policy import DAY, alarm_level, unverified_cap
from ordws.guard.price import GUESTS_NAME, VISITORS_NAME, Pricing

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


ACCUSED_BELOW: Final = 1e-3
"""An identity is accused if the chance of a wrong accusation, over all identities, is below this."""

_CHI_SQUARED_MEDIAN: Final = 0.455
_MIN_EXPECTED_MATCHES: Final = 5
"""The usual deviation is measured on identities for which at least so many matches are expected."""
_MIN_SAMPLE: Final = 15
"""With fewer such identities, `_DEFAULT_DISPERSION` takes the place of the measured one."""
_DEFAULT_DISPERSION: Final = 3.0


class Evidence(NamedTuple):
    """The charges of one identity: the number of its words, and which of the compared words are among them."""

    subject: MeterOwner
    charged: int
    matched: frozenset[int]
    """Indices into the compared words, of which the leaked ones come first."""


class Suspect(NamedTuple):
    """A measure of how well one identity explains the list."""

    subject: MeterOwner
    charged: int
    matched: int
    """The number of words of the list that the identity was charged for."""
    expected: float
    alone: int
    """The number of matches that no other identity was charged for."""
    log_chance: float
    """The natural logarithm of the chance that any identity at all has so many matches, or more, by accident."""

    @property
    def is_accused(self) -> bool:
        return self.log_chance < log(ACCUSED_BELOW)


class _Comparison(NamedTuple):
    evidence: Evidence
    asked: int
    leaked: int
    alone: int
    expected: float


def match_words(pricing: Pricing, history: ChargeHistory, words: Sequence[str]) -> Evidence:
    """Return which words one identity was charged for, by its fingerprints; the leaked words come first."""
    charged = history.words()
    matched = [index for index, word in enumerate(words) if pricing.fingerprint(history.subject, word) in charged]
    return Evidence(history.subject, len(charged), frozenset(matched))


def rank_suspects(evidence: Sequence[Evidence], *, leaked: int) -> list[Suspect]:
    """Rank all identities that were charged for anything, those first that best explain the first `leaked` words."""
    compared = _compare([each for each in evidence if each.charged], leaked)
    ratios = [each.leaked / each.expected for each in compared if each.expected >= _MIN_EXPECTED_MATCHES]
    ratio = median(ratios or [1.0])
    deviations = [
        (each.leaked - m) ** 2 / (m * (1 - m / each.asked))
        for each in compared
        if _MIN_EXPECTED_MATCHES <= (m := ratio * each.expected) < each.asked
    ]
    dispersion = _DEFAULT_DISPERSION
    if len(deviations) >= _MIN_SAMPLE:
        dispersion = max(1.0, median(deviations) / _CHI_SQUARED_MEDIAN)
    suspects = []
    for (subject, charged, _), asked, matched, alone, expected in compared:
        m = min(asked, expected * max(1.0, ratio))
        log_tail_bound = 0.0
        if m < matched:
            # Hoeffding's bound; m is below asked here, so that b is below 1.
            a, b = matched / asked, m / asked
            missed = (1 - a) * (log1p(-a) - log1p(-b)) if a < 1 else 0.0
            log_tail_bound = -asked * (a * log(a / b) + missed)
        log_chance = log_tail_bound / dispersion + log(len(compared))
        suspects.append(Suspect(subject, charged, matched, m, alone, min(0.0, log_chance)))
    return sorted(suspects, key=lambda each: (each.log_chance, -each.matched, each.subject))


def _compare(evidence: Sequence[Evidence], leaked: int) -> list[_Comparison]:
    """Compare the matches of each identity with those expected among words that as many identities asked."""
    askers = Counter([index for each in evidence for index in each.matched])
    words_by_askers = Counter(askers.values())
    leaked_by_askers = Counter([k for index, k in askers.items() if index < leaked])
    compared = []
    for each in evidence:
        asked_by_askers = Counter([askers[index] for index in each.matched])
        matches = [index for index in each.matched if index < leaked]
        alone = sum([askers[index] == 1 for index in matches])
        # Sorted, because a sum of floats depends on its order and a report must not.
        expected = sum(
            [count * leaked_by_askers[k] / words_by_askers[k] for k, count in sorted(asked_by_askers.items())]
        )
        compared.append(_Comparison(each, len(each.matched), len(matches), alone, expected))
    return compared
