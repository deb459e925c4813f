"""The gate: every question is charged here before anything is looked up."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, Protocol

from ordws.errors import Broken
from ordws.guard.detector_buffer import DetectorBuffer, DetectorSum
from ordws.guard.pace import PaceWatch, calmed_meter, load_of
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import GUESTS, BudgetName, Charge, Identity, Meter, PricedQuestion, Question, owner_key
from ordws.guard.pricing import Pricing
from ordws.guard.repeats import RepeatsWatch
from ordws.guard.unverified_cap import HISTORY_DAYS, alarm_level, unverified_cap

KEY_BYTES: Final = 32
_MAX_CACHED_PLAYERS: Final = 65_536
_MAX_CACHED_GAMES: Final = 1_024
_PROBE: Final = "ready"
_NO_EDITIONS: Final[Mapping[bytes, int]] = MappingProxyType({})
_NO_WORDS: Final[Mapping[str, int]] = MappingProxyType({})


class Refused(NamedTuple):
    """A refusal: a meter has no room for the question, and asking again before that meter ends is of no use."""

    meter: str
    retry_after_seconds: int

    @property
    def budget(self) -> str:
        """The name of the budget, without the identity that it belongs to."""
        return self.meter.rpartition("/")[2]


class Admitted(NamedTuple):
    """A charge that was written."""

    new_marks: frozenset[bytes]
    """The keys of those of its marks that were not running before."""
    editions: Mapping[bytes, int] = _NO_EDITIONS
    """The editions of its other marks that were charged under another edition than this charge's, by their keys."""


class MeterReading(NamedTuple):
    """The state of a meter: the amount spent, and the moment it ends."""

    spent: int
    ends: int


class StoredMeter(NamedTuple):
    """A meter in the store, running or ended, with the fingerprints of the marks that fed it."""

    name: str
    spent: int
    fingerprints: bytes


class Ticket(NamedTuple):
    """The right to an answer, which has to be settled with the verdict."""

    key: str
    """The key of the identity, with which the names of its meters begin."""
    refundable: tuple[str, ...]
    """The meters that get a play back if it is not invalid."""
    is_doubt: bool = False
    editions: Mapping[str, int] = _NO_WORDS
    """The editions of the words that were charged under another one, and have to be looked up in that."""


class Allowance(NamedTuple):
    """The rest of one budget of an identity, and the moment the budget begins anew."""

    budget: BudgetName
    limit: int
    left: int
    ends: int


class MeterStore(Protocol):
    """A store of meters. Each method is atomic and exact across threads, processes and hosts, or raises StoreDown."""

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a meter would pass its limit, or a client its share of one."""

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add an amount, which may be negative, to a meter that is running."""

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to detector sums and return the names of those that have reached their threshold by it."""

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """Return the state of each of these meters, without writing."""

    def active_alarms(self, now: int) -> frozenset[str]:
        """Return the names of all detector sums that are in alarm."""

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Set these detector sums to zero."""

    def find_mark_end(self, key: bytes, now: int, client: str = "") -> int | None:
        """Return the moment a mark of this client ends, or None if it is not running."""

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """Yield the meters that are kept for long whose names have this prefix, running or ended."""

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""

    def flush(self, now: int | None) -> None:
        """Put on disk what this process wrote; what is lost with the machine's power is no older than the last call.

        None stands for the end of the service: what all processes wrote is on disk then, and every amount is exact.
        """

    def close(self) -> None:
        """Close the files or the connection; the next call opens them again."""

    def sweep(self, now: int) -> int:
        """Delete what ended 26 hours ago, or 400 days ago where it is kept for long, and return how much that was."""


class Gate:
    """The gate of one policy, one meter store and one meter key."""

    def __init__(self, policy: Policy, store: MeterStore, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the meter key has {len(key)} bytes, {KEY_BYTES} were expected")
        policy.check()
        self.policy = policy
        self.pricing = Pricing(policy, key)
        self.store = store
        self._detectors = DetectorBuffer()
        self._pace = PaceWatch()
        self._repeats = RepeatsWatch()
        self._lock = threading.Lock()
        self._first_seen: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._held_until: OrderedDict[str, int] = OrderedDict()
        self._alarmed: frozenset[str] = frozenset()
        self._cached_cap: tuple[int, int] = (-1, 0)
        self._flood_told_on = self._checked_at = -1

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Ticket | Refused:
        """Charge a question, the same for yes and no.

        The ticket allows an answer and has to be settled with its verdict. Raises StoreDown.
        """
        if identity.is_guest and not self._is_held(identity, now):
            return Refused(self.pricing.guests.shared(now // DAY)[0].name, DAY - now % DAY)
        identity, is_new = self._resolve(identity, now)
        cap = 0 if identity.is_verified or identity.is_guest else self.unverified_cap(now)
        priced = self.pricing.price(identity, question, core, now, unverified_cap=cap, is_new=is_new)
        key, charge, words, _, _ = priced
        outcome = self.store.admit(charge, now)
        if isinstance(outcome, Refused):
            return outcome
        if is_new:
            self._cache_player(identity)
        self._observe(question, priced, outcome)
        new_marks, is_doubt = outcome.new_marks, question.is_doubt
        editions = _NO_WORDS
        if outcome.editions:
            editions = {word.word: outcome.editions[word.mark] for word in words if word.mark in outcome.editions}
        if question.game is None:
            return Ticket(key, (), is_doubt, editions)
        charged: Iterable[str] = charge.amounts
        if question.is_sealed:
            # A turn that was asked before has no new mark: its play was refunded then, or stays charged.
            charged = [name for mark in charge.marks if mark.key in new_marks for name in mark.feeds]
        return Ticket(key, tuple([name for name in charged if name.endswith("invalid")]), is_doubt, editions)

    def _observe(self, question: Question, priced: PricedQuestion, outcome: Admitted) -> None:
        """Tell the detectors of a question that was admitted."""
        new_marks = outcome.new_marks
        # Bases, which honest players cannot choose, are no sign of mining; `pace` counts them as units.
        new = [word for word in priced.words if word.mark in new_marks and not word.is_base]
        core = sum([word.is_core for word in new])
        self._detectors.record_question(
            priced.key, question.words, units=len(new) - core, core=core, is_doubt=question.is_doubt
        )
        if not new:
            return
        own, client = priced.own_meters, priced.client_meters
        shared = [word.client_mark for word in new if word.client_mark is not None]
        if shared:
            fresh = len(new_marks.intersection(shared))
            self._repeats.record(owner_key(client.units.name), own, new=fresh, repeated=len(shared) - fresh)
        if not question.is_check:
            self._pace.record(own, None if client == own else client)

    def settle(self, ticket: Ticket, verdict: bool, now: int) -> None:
        """Refund the held invalid play of a game on a yes; a no makes the same writes."""
        if ticket.refundable and not ticket.is_doubt:
            self._detectors.record_verdict(ticket.key, verdict)
        # A no adds 0, so that the store does the same work for both verdicts and their times are equal.
        for meter in ticket.refundable:
            self.store.settle(meter, -1 if verdict else 0, now)

    def release(self, ticket: Ticket, now: int) -> None:
        """Refund the charge for a play that was not made and whose verdict nobody was told."""
        for meter in ticket.refundable:
            self.store.settle(meter, -1, now)

    def update_detectors(self, now: int, *, flush_all: bool = False) -> tuple[str, ...]:
        """Write the observations of callers' habits to the store.

        Returns the names of the detectors that have come to an alarm, and "world" where unverified callers have come
        near their shared cap.
        """
        if flush_all:
            for operator, new, repeated in self._repeats.take_counted(self.store, now):
                self._detectors.record_repeats(operator, new=new, repeated=repeated)
        due = self._detectors.take_due(now, flush_all=flush_all)
        if flush_all:
            due += self._pace.take_due(self.store, now)
        risen = self.store.update_detectors(due, now) if due else ()
        if risen or flush_all:
            self._alarmed = frozenset([owner_key(name) for name in self.store.active_alarms(now)])
        alarms = [name.rpartition("/")[2] for name in risen]
        day = now // DAY
        if flush_all and self._flood_told_on != day:
            (shared,) = self.store.read([Meter(f"world/{day}/world", 0, now)], now)
            if shared.spent >= alarm_level(self.unverified_cap(now)):
                self._flood_told_on = day
                alarms.append("world")
        return tuple(alarms)

    def clear_alarms(self, client: str, now: int) -> tuple[str, ...]:
        """End all alarms of a client and of its players, and return the names of their detectors.

        The load that a client or player whose `pace` was in alarm came to by then is its allowance for the days that
        follow, or the alarm would rise again.
        """
        key = self.pricing.client_key(client)
        names = [name for name in self.store.active_alarms(now) if owner_key(name).partition(".")[0] == key]
        today, detectors = now // DAY, {name.rpartition("/")[2] for name in names}
        for caller in [owner_key(name) for name in names if name.endswith("/pace")]:
            calmed = calmed_meter(caller, now)
            # An operator has the second of each two, and any other caller the first.
            budgets = ("units", "operator", "core", "operator-core")
            meters = [calmed, *[Meter(f"{caller}/{today}/{budget}", 0, (today + 1) * DAY) for budget in budgets]]
            before, units, operator, core, operator_core = [each.spent for each in self.store.read(meters, now)]
            more = max(0, load_of(units + operator, core + operator_core) - before)
            self.store.admit(Charge((calmed,), {calmed.name: more}, ()), now)
        self.store.reset_detectors(names, now)
        return tuple(sorted(detectors))

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> Refused | None:
        """Charge the players of a sealed game, who are of one client, one game each; return None if it may begin."""
        resolved = [self._resolve(identity, now) for identity in dict.fromkeys(seats)]
        outcome = self.store.admit(self.pricing.opening_charge(resolved, game, now), now)
        if isinstance(outcome, Refused):
            return outcome
        for identity, is_new in resolved:
            if is_new:
                self._cache_player(identity)
        return None

    def quota(
        self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False, has_own_list: bool = False
    ) -> list[Allowance]:
        """Return the rest of every budget of an identity, which follows from public lists alone.

        The budgets `reference` and `operator-reference` are shown where the installation has its own players' list.
        """
        identity, _ = self._resolve(identity, now)
        budgets = self.pricing.budgets(identity, game, now, is_sealed=is_sealed)
        meters = {budget: meter for budget, meter in budgets.items() if has_own_list or "reference" not in budget}
        readings = self.store.read(list(meters.values()), now)
        return [
            Allowance(budget, meter.limit, max(0, meter.limit - spent), ends)
            for (budget, meter), (spent, ends) in zip(meters.items(), readings, strict=True)
        ]

    def unverified_cap(self, now: int) -> int:
        """Return the number of units that unverified callers may spend together today.

        The store is read once a day.
        """
        day = now // DAY
        if self._cached_cap[0] != day:
            self._cached_cap = (day, unverified_cap(self.policy, self.unverified_spent(now), day))
        return self._cached_cap[1]

    def unverified_spent(self, now: int, budget: Literal["world", "world-core"] = "world") -> dict[int, int]:
        """Return the units, or the core words, that unverified callers have spent together, by UTC day."""
        spent = {}
        for stored in self.store.stored_meters("world/"):
            _, day, kind = stored.name.split("/")
            # A wrong clock may have written days that are still to come.
            if kind == budget and now // DAY - HISTORY_DAYS <= int(day) <= now // DAY:
                spent[int(day)] = stored.spent
        return spent

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if the meters cannot be written, which is tried at most once a second."""
        if now == self._checked_at:
            return
        # The threshold is out of reach, so that the probe never raises an alarm.
        self.store.update_detectors([(DetectorSum(_PROBE, now, now + DAY, now + DAY), 1)], now)
        self._checked_at = now

    def flush(self, now: int) -> None:
        self.store.flush(now)

    def sweep(self, now: int) -> int:
        return self.store.sweep(now)

    def _resolve(self, identity: Identity, now: int) -> tuple[Identity, bool]:
        """Return the identity with the moment it was first seen and its alarm, and whether it is a new player."""
        if self._alarmed:
            identity = identity._replace(
                is_alarming=self.pricing.identity_key(identity) in self._alarmed,
                is_operator_alarming=self.pricing.client_key(identity.client) in self._alarmed,
            )
        if identity.player is None:
            return identity, False
        with self._lock:
            since = self._first_seen.get((identity.client, identity.player))
        if since is None:
            mark = self.pricing.player_mark(identity, now)
            ends = self.store.find_mark_end(mark.key, now, self.pricing.client_key(identity.client))
            if ends is None:
                return identity._replace(first_seen=now), True
            # The mark ends a fixed time after the player was first seen, so its end gives that moment.
            since = ends - (mark.ends - now)
            self._cache_player(identity._replace(first_seen=since))
        return identity._replace(first_seen=since), False

    def _is_held(self, guests: Identity, now: int) -> bool:
        """Return whether a guests' game holds what it may spend, and has not expired."""
        with self._lock:
            ends = self._held_until.get(guests.client)
        if ends is None:
            pricing = self.pricing.guests
            ends = self.store.find_mark_end(pricing.mark(pricing.key(guests.client), 0).key, now, GUESTS)
            if ends is None:
                return False
            with self._lock:
                self._held_until[guests.client] = ends
                if len(self._held_until) > _MAX_CACHED_GAMES:
                    self._held_until.popitem(last=False)
        return now < ends

    def _cache_player(self, identity: Identity) -> None:
        with self._lock:
            self._first_seen[identity.client, identity.player or ""] = identity.first_seen or 0
            if len(self._first_seen) > _MAX_CACHED_PLAYERS:
                self._first_seen.popitem(last=False)
