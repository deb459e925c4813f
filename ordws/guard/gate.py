"""The gate: each question is charged before anything is looked up, and detectors of mining raise alarms.

Guests' games hold in `guests.py`. An alarm never changes a verdict (docs/guard.md 3.5). The detector `run` finds words
asked in the order of the alphabet; it remembers words in the memory of a worker alone. `pace` finds a client or player
that asks more in a day than its games explain; it is a function of the records of the day.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from math import log
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.errors import Broken, StoreDown
from ordws.guard.charge import (
    BASE,
    CORE,
    CORE_WORD,
    GAMES,
    ID_BYTES,
    NOBODY,
    UNIT,
    UNITS,
    WORLD,
    Admitted,
    BudgetName,
    Identity,
    Lasting,
    MeterOwner,
    MeterRecord,
    MeterStore,
    Question,
    Refused,
    day_key,
)
from ordws.guard.policy import DAY, Policy, alarm_level, unverified_cap
from ordws.guard.price import Pricing, QuestionTerms

DetectorName: TypeAlias = Literal["run", "pace"]
DETECTOR_NAMES: Final[tuple[DetectorName, ...]] = get_args(DetectorName)

ALARM_SECONDS: Final = 28 * DAY
"""How long an alarm lasts, and the load up to which a keeper has ended one."""

_RUN_PLAYERS, _RUN_MINERS = 0.10, 0.70
"""The share of words that stand near the one before in the alphabet, for players and for miners."""
_NEIGHBOUR: Final = round(1000 * log(_RUN_MINERS / _RUN_PLAYERS))
_OTHER: Final = round(1000 * log((1 - _RUN_MINERS) / (1 - _RUN_PLAYERS)))
RUN_THRESHOLD: Final = round(-1000 * log(1e-5))
"""What honest chance reaches once in a hundred thousand: the sum is Page's CUSUM test, in thousandths."""
_MAX_CALLERS: Final = 16_384

# Words that differ only behind their twelfth letter are neighbours in any case.
_POSITION_LETTERS: Final = 12
# Neighbours differ by at most four in their third letter.
_MAX_DISTANCE: Final = 4 * 36 ** (_POSITION_LETTERS - 3)

CORE_WORDS_A_UNIT: Final = 4
UNITS_ALLOWANCE: Final = 40
"""The units that a home client may come to without games: twice what may be asked outside of them."""
UNITS_A_GAME: Final = 17
"""The units of an honest game: 8 on average, 17 at the 99th percentile."""
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
_COUNTING_PLAYERS: Final = 3
"""The number of players that it takes to bring an operator to an alarm, if the others ask nothing."""


class RunWatch:
    """The last word and the sum of each caller today, as far as this process has seen them.

    Threads that record words of one caller at the same moment may forget one of them: detectors need no exactness.
    """

    def __init__(self) -> None:
        self._last: dict[MeterOwner, tuple[int, int, int]] = {}
        """Of each caller the day, the position of the last word, and the sum; who asked last comes last."""

    def record(self, subject: MeterOwner, words: Sequence[str], day: int) -> bool:
        """Add the words of a question; return whether the sum came to the threshold, and begin at zero again."""
        last_day, before, total = self._last.pop(subject, (day, -1, 0))
        if last_day != day:
            before, total = -1, 0
        for word in words:
            # Two-letter words are published, so they say nothing about the caller.
            if len(word) > 2:
                position = alphabetical_position(word)
                # The same word again is not a step along the alphabet.
                if before not in (-1, position):
                    total = max(0, total + (_NEIGHBOUR if is_alphabetical_neighbour(before, position) else _OTHER))
                before = position
        is_alarm = total >= RUN_THRESHOLD
        self._last[subject] = (day, before, 0 if is_alarm else total)
        if len(self._last) > _MAX_CALLERS:
            with suppress(StopIteration, KeyError, RuntimeError):  # another thread was there first
                del self._last[next(iter(self._last))]
        return is_alarm


def alphabetical_position(word: str) -> int:
    """Return the approximate position of a word in the alphabet: its first letters, read as digits."""
    return int(f"{word:0<{_POSITION_LETTERS}.{_POSITION_LETTERS}}", 36)


def is_alphabetical_neighbour(before: int, following: int) -> bool:
    """Return whether two words stand near each other in the alphabet, in either order."""
    return abs(following - before) <= _MAX_DISTANCE


def load_of(counts: Sequence[int]) -> int:
    """Return the load of a day: a core word tells a quarter of what a unit does, and costs none."""
    return counts[UNITS] + counts[CORE] // CORE_WORDS_A_UNIT


def caller_excess(counts: Sequence[int], *, is_player: bool, calmed: int = 0) -> bool:
    """Return whether the day of a home client, or of a player, is more than its games explain.

    `calmed` is the load up to which a keeper has ended an alarm.
    """
    units, games = counts[UNITS], counts[GAMES]
    if is_player:
        # At a club's table only words in doubt are asked, which cost more units a game than whole games do.
        return load_of(counts) > max(calmed, HOME_ALLOWANCE) + LOAD_A_PLAYERS_GAME * games
    return load_of(counts) > max(calmed, HOME_ALLOWANCE) + LOAD_A_GAME * games or (
        units > max(calmed, UNITS_ALLOWANCE) + UNITS_A_GAME * games
    )


def operator_excess(counts: Sequence[int], total: int, *, calmed: int = 0) -> bool:
    """Return whether the day of an operator with this total of units is more than its games explain."""
    return load_of(counts) > max(calmed, _operator_allowance(total)) + LOAD_A_GAME * counts[GAMES]


def is_of_many(
    players: Mapping[MeterOwner, MeterRecord], counts: Sequence[int], total: int, *, calmed: int = 0
) -> bool:
    """Return whether an operator's excess is that of many players, so that no two bring it to an alarm.

    What a player has beyond its games counts up to a third of the operator's allowance.
    """
    most = _operator_allowance(total) // _COUNTING_PLAYERS
    uncounted = sum(
        [
            max(0, load_of(record.counts) - LOAD_A_GAME * record.counts[GAMES] - most)
            for subject, record in players.items()
            if not subject.endswith(NOBODY)
        ]
    )
    load = load_of(counts) - uncounted
    return load > max(calmed, _operator_allowance(total)) + LOAD_A_GAME * counts[GAMES]


def _operator_allowance(total: int) -> int:
    return max(total * OPERATOR_PERCENT // 100, LEAST_OPERATOR_ALLOWANCE)


KEY_BYTES: Final = 32
_MAX_CACHED_PLAYERS: Final = 65_536


class Allowance(NamedTuple):
    """The rest of one budget of an identity, and the moment the budget begins anew."""

    budget: BudgetName
    limit: int
    left: int
    ends: int


class Gate:
    """The gate of one policy, one meter store and one meter key."""

    def __init__(self, policy: Policy, store: MeterStore, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the meter key has {len(key)} bytes, {KEY_BYTES} were expected")
        policy.check()
        self.policy = policy
        self.pricing = Pricing(policy, key)
        self.store = store
        self._run = RunWatch()
        self._lock = threading.Lock()
        self._first_seen: OrderedDict[MeterOwner, int] = OrderedDict()
        self._alarms: Mapping[MeterOwner, Lasting] | None = None
        self._risen: list[str] = []
        self._compared: dict[MeterOwner, tuple[int, int]] = {}
        """The day and load at which the players of an operator were last looked at, which reads all of them."""
        self._cached_cap: tuple[int, int] = (-1, 0)
        self._flood_told_on = self._checked_at = -1

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Admitted | Refused:
        """Charge a question, the same for yes and no. Raises StoreDown."""
        identity, is_new = self._resolve(identity, now)
        cap = 0 if identity.is_verified or identity.is_guest else self.unverified_cap(now)
        charge, terms = self.pricing.price(
            identity, question, core, now, cap=cap, is_new=is_new, halvings=self.store.halvings(now)
        )
        outcome = self.store.apply(charge, now)
        if isinstance(outcome, Refused):
            return outcome
        if is_new:
            self._see(terms.subject, now)
        self._detect(terms, question, outcome, now)
        return outcome

    def _detect(self, terms: QuestionTerms, question: Question, outcome: Admitted, now: int) -> None:
        """Raise the alarms that follow from a question that was admitted: from its words and from records alone."""
        if self._run.record(terms.subject, question.words, terms.day):
            self._raise_alarm(terms.subject, "run", now)
        new, records, own, whole = outcome.new, outcome.records, terms.own, terms.whole
        if own is None or question.is_check or not new or not new[UNIT] + new[BASE] + new[CORE_WORD]:
            return
        is_player = whole is not None
        if (
            caller_excess(records[own], is_player=is_player)
            and terms.subject not in self._known_alarms(now)
            and caller_excess(records[own], is_player=is_player, calmed=self._calmed(terms.subject, now))
        ):
            self._raise_alarm(terms.subject, "pace", now)
        if whole is not None and operator_excess(records[whole], terms.total):
            self._compare_operator(terms, records[whole], now)

    def _compare_operator(self, terms: QuestionTerms, counts: Sequence[int], now: int) -> None:
        """Raise an operator's alarm where many players have come to its load together."""
        client, load = terms.client, load_of(counts)
        day, before = self._compared.get(client, (-1, 0))
        if client in self._known_alarms(now) or (day == terms.day and load < before + LOAD_A_GAME):
            return
        self._compared[client] = (terms.day, load)
        calmed = self._calmed(client, now)
        if is_of_many(self.store.day_records(client[: len(NOBODY)], terms.day), counts, terms.total, calmed=calmed):
            self._raise_alarm(client, "pace", now)

    def _calmed(self, subject: MeterOwner, now: int) -> int:
        """Return the load up to which a keeper has ended an alarm of a subject."""
        lasting = self.store.find_lasting(subject)
        return lasting.calmed if lasting.calmed_until > now else 0

    def _raise_alarm(self, subject: MeterOwner, detector: DetectorName, now: int) -> None:
        alarms = self._known_alarms(now)
        if subject in alarms:
            return
        self.store.update_lasting(subject, alarm=detector, alarm_until=now + ALARM_SECONDS)
        self._alarms = {**alarms, subject: Lasting(alarm=detector, alarm_until=now + ALARM_SECONDS)}
        self._risen.append(detector)

    def tick(self, now: int) -> tuple[str, ...]:
        """Do what is due once a second, and return the alarms to be logged.

        They are the names of detectors, and "world" where unverified callers have come near their shared cap.
        """
        try:
            self._alarms = self.store.active_alarms(now)
        except StoreDown:
            # Nobody knows whose budgets are reduced, so nothing is answered until they are read again.
            self._alarms = None
            raise
        risen, self._risen = self._risen, []
        day = now // DAY
        if self._flood_told_on != day:
            # Also erases yesterday's key of addresses in the first second of a day.
            self.store.address_key(now)
            if self._spent_today(day) >= alarm_level(self.unverified_cap(now)):
                self._flood_told_on = day
                risen.append("world")
        return tuple(risen)

    def clear_alarms(self, client: str, now: int) -> tuple[str, ...]:
        """End all alarms of a client and of its players, and return the names of their detectors.

        The load that a client or player came to by then is its allowance for the days that follow, or an alarm of
        `pace` would rise again.
        """
        id, today, cleared = self.pricing.client_id(client), now // DAY, set()
        for subject, lasting in self.store.active_alarms(now).items():
            if subject.startswith(id):
                (record,) = self.store.read([day_key(subject, today)])
                calmed = 0 if record is None else load_of(record.counts)
                self.store.update_lasting(subject, alarm_until=0, calmed=calmed, calmed_until=now + ALARM_SECONDS)
                cleared.add(lasting.alarm)
        return tuple(sorted(cleared))

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> Refused | None:
        """Charge the players of a sealed game, who are of one client, one game each; return None if it may begin."""
        resolved = [self._resolve(identity, now) for identity in dict.fromkeys(seats)]
        outcome = self.store.apply(
            self.pricing.opening_charge(resolved, game, now, halvings=self.store.halvings(now)), now
        )
        if isinstance(outcome, Refused):
            return outcome
        for identity, is_new in resolved:
            if is_new:
                self._see(self.pricing.subject(identity), now)
        return None

    def admit_visitor(
        self, words: Sequence[str], core: Container[str], edition: int, address: str, now: int
    ) -> Refused | None:
        """Charge all visitors, and those at an address, for folded words; return None if they may be looked up."""
        charge = self.pricing.visitor_charge(
            words, core, edition, self.address_id(address, now), now, halvings=self.store.halvings(now)
        )
        outcome = self.store.apply(charge, now)
        return outcome if isinstance(outcome, Refused) else None

    def quota(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, has_own_list: bool = False
    ) -> list[Allowance]:
        """Return the rest of every budget of an identity, which follows from public lists alone.

        The budgets `reference` and `operator-reference` are shown where the installation has its own players' list.
        """
        identity, _ = self._resolve(identity, now)
        question = Question((), 0, game, "" if is_sealed else None)
        terms = self.pricing.terms(identity, question, now, 0, self.store.halvings(now))
        shown = [each for each in self.pricing.allowances(terms) if has_own_list or "reference" not in each[0]]
        records = self.store.read([ref.key for _, ref, _ in shown])
        is_closed = self.store.closed_until() > now
        allowances = []
        for (budget, ref, amount), record in zip(shown, records, strict=True):
            is_running = record is not None and record.runs(now)
            spent = record.counts[amount.field] if record is not None and is_running else 0
            left = 0 if is_closed else max(0, amount.limit - spent)
            ends = record.ends if record is not None and is_running else ref.ends
            allowances.append(Allowance(budget, amount.limit, left, ends))
        return allowances

    def unverified_cap(self, now: int) -> int:
        """Return the number of units that unverified callers may spend together today; it is read once a day."""
        day = now // DAY
        if self._cached_cap[0] != day:
            self._cached_cap = (day, unverified_cap(self.policy, self.unverified_spent(now), day))
        return self._cached_cap[1]

    def unverified_spent(self, now: int, field: int = UNITS) -> dict[int, int]:
        """Return the units, or the core words, that unverified callers have spent together, by UTC day."""
        today = now // DAY
        spent = {
            each.day: each.core if field == CORE else each.units
            for each in self.store.history(WORLD)
            # A wrong clock may have written days that are still to come.
            if each.day <= today
        }
        # The history may be an hour behind.
        days = (today - 1, today)
        for day, record in zip(days, self.store.read([day_key(WORLD + NOBODY, day) for day in days]), strict=True):
            if record is not None:
                spent[day] = record.counts[field]
        return spent

    def address_id(self, address: str, now: int) -> bytes:
        """Return a hash of an address under the random key of the day, which is erased at midnight."""
        return blake2b(address.encode(), key=self.store.address_key(now), digest_size=ID_BYTES).digest()

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if the meters cannot be written, which is tried at most once a second."""
        if now != self._checked_at:
            self.store.check_writable(now)
            self._checked_at = now

    def sweep(self, now: int) -> int:
        return self.store.sweep(now)

    def _spent_today(self, day: int) -> int:
        (record,) = self.store.read([day_key(WORLD + NOBODY, day)])
        return 0 if record is None else record.counts[UNITS]

    def _known_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        if self._alarms is None:
            self._alarms = self.store.active_alarms(now)
        return self._alarms

    def _resolve(self, identity: Identity, now: int) -> tuple[Identity, bool]:
        """Return the identity with the moment it was first seen and its alarm, and whether it is a new player."""
        if alarms := self._known_alarms(now):
            subject = self.pricing.subject(identity)
            identity = identity._replace(
                is_alarming=_is_active(alarms.get(subject), now),
                is_operator_alarming=_is_active(alarms.get(subject[: len(NOBODY)] + NOBODY), now),
            )
        if identity.player is None:
            return identity, False
        subject = self.pricing.subject(identity)
        since = self._first_seen.get(subject)
        if since is None:
            since = self.store.find_lasting(subject).first_seen
            if since is None:
                return identity._replace(first_seen=now), True
            self._cache_player(subject, since)
        return identity._replace(first_seen=since), False

    def _see(self, subject: MeterOwner, now: int) -> None:
        """Note that a player was seen for the first time."""
        self.store.update_lasting(subject, first_seen=now)
        self._cache_player(subject, now)

    def _cache_player(self, subject: MeterOwner, first_seen: int) -> None:
        with self._lock:
            self._first_seen[subject] = first_seen
            if len(self._first_seen) > _MAX_CACHED_PLAYERS:
                self._first_seen.popitem(last=False)


def _is_active(alarm: Lasting | None, now: int) -> bool:
    return alarm is not None and alarm.alarm_until > now
