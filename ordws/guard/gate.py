"""The gate: by its methods each question is charged before anything is looked up. Guests' games hold in `guests.py`."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Mapping, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from ordws.errors import Broken, StoreDown
from ordws.guard.charge import (
    BASE,
    CORE,
    CORE_WORD,
    ID_BYTES,
    NOBODY,
    UNIT,
    UNITS,
    WORLD,
    Admitted,
    BudgetName,
    MeterOwner,
    Refused,
    day_key,
)
from ordws.guard.detectors import (
    ALARM_SECONDS,
    LOAD_A_GAME,
    DetectorName,
    RunWatch,
    caller_excess,
    is_of_many,
    load_of,
    operator_excess,
)
from ordws.guard.policy import DAY, Policy, alarm_level, unverified_cap
from ordws.guard.price import Pricing, QuestionTerms
from ordws.guard.question import Identity, Question
from ordws.guard.store import Lasting, MeterStore

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
