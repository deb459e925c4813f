"""The gate: a question is charged here, before anything is looked up."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from ordws.errors import Broken
from ordws.guard.detector_buffer import DetectorBuffer, DetectorSum
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import BudgetName, Charge, Identity, Meter, Pricing, Question, owner_key
from ordws.guard.unverified_cap import HISTORY_DAYS, alarm_level, unverified_cap

KEY_BYTES: Final = 32
_MAX_CACHED_PLAYERS: Final = 65_536
_PROBE: Final = "ready"


class Refused(NamedTuple):
    """A meter does not hold the question; it is of no use to ask again before it ends."""

    meter: str
    retry_after_seconds: int

    @property
    def budget(self) -> str:
        """The kind of meter, without whose it is."""
        return self.meter.rpartition("/")[2]


class Admitted(NamedTuple):
    """A charge was written. `new` are the keys of its marks that were not running."""

    new_marks: frozenset[bytes]


class MeterReading(NamedTuple):
    """A meter as it stands: what is spent of it, and when it ends."""

    spent: int
    ends: int


class StoredMeter(NamedTuple):
    """A meter that is kept, running or ended, with the trails of the marks that fed it."""

    name: str
    spent: int
    fingerprints: bytes


class Ticket(NamedTuple):
    """The right to an answer, which has to be settled by the verdict."""

    key: str
    """By which name the meters of the identity begin."""
    refundable: tuple[str, ...]
    """The meters from which a play is taken back that is not invalid."""
    is_doubt: bool = False


class Allowance(NamedTuple):
    """What an identity has left of one budget, and when it begins anew."""

    budget: BudgetName
    limit: int
    left: int
    ends: int


class MeterStore(Protocol):
    """Where meters stand. Each verb is atomic and exact across threads, processes and hosts, or raises StoreDown."""

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""

    def settle(self, meter: str, amount: int, now: int) -> None:
        """Add to a meter that is running, which may be taking back."""

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        """Add to signs; returns the names of those that have reached their alarm by it."""

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        """How each of these meters stands; nothing is written."""

    def active_alarms(self, now: int) -> frozenset[str]:
        """The names of all signs that are in alarm."""

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        """Begin these signs anew."""

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        """When a mark ends; None where it is not running."""

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        """The meters of the world, and those with trails, whose names begin so; also those that ended."""

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""

    def close(self) -> None:
        """Let go of the file or the server; whoever asks again opens it anew."""

    def sweep(self, now: int) -> int:
        """Forget what ended two days ago, and after 400 what is kept for long; returns how much that was."""


class Gate:
    """Admits questions under one policy."""

    def __init__(self, policy: Policy, store: MeterStore, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the meter key has {len(key)} bytes, {KEY_BYTES} were expected")
        policy.check()
        self.policy = policy
        self.pricing = Pricing(policy, key)
        self.store = store
        self._detectors = DetectorBuffer()
        self._lock = threading.Lock()
        self._first_seen: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._alarmed: frozenset[str] = frozenset()
        self._cached_cap: tuple[int, int] = (-1, 0)
        self._flood_told_on = self._checked_at = -1

    def admit(self, identity: Identity, question: Question, core: Container[str], now: int) -> Ticket | Refused:
        """Charge a question, the same for yes and no; a ticket when it may be answered, which then is settled."""
        identity, is_new = self._resolve(identity, now)
        charge = self.pricing.question_charge(
            identity, question, core, now, unverified_cap=self.unverified_cap(now), is_new=is_new
        )
        outcome = self.store.admit(charge, now)
        if isinstance(outcome, Refused):
            return outcome
        if is_new:
            self._cache_player(identity)
        me, is_doubt = owner_key(charge.fingerprint_meter), question.is_doubt
        asked = [mark.key for mark in charge.marks if mark.fingerprint]
        new = len(outcome.new_marks.intersection(asked))
        self._detectors.record_question(me, question.words, non_core=len(asked), new=new, is_doubt=is_doubt)
        return Ticket(me, () if question.game is None else _refundable_meters(question, charge, outcome), is_doubt)

    def settle(self, ticket: Ticket, verdict: bool, now: int) -> None:
        """Give back on a yes what was held of a game's invalid plays; the same writes for yes and no."""
        if ticket.refundable and not ticket.is_doubt:
            self._detectors.record_verdict(ticket.key, verdict)
        for meter in ticket.refundable:
            self.store.settle(meter, -1 if verdict else 0, now)

    def release(self, ticket: Ticket, now: int) -> None:
        """Give back what was held for a play that was not made, and whose verdict nobody was told."""
        for meter in ticket.refundable:
            self.store.settle(meter, -1, now)

    def update_detectors(self, now: int, *, flush_all: bool = False) -> tuple[str, ...]:
        """Tell the store what was seen of callers' habits; returns the kinds of signs that have come to an alarm."""
        due = self._detectors.take_due(now, flush_all=flush_all)
        risen = self.store.update_detectors(due, now) if due else ()
        if risen or flush_all:
            self._alarmed = frozenset([owner_key(sign) for sign in self.store.active_alarms(now)])
        flood = ("world",) if flush_all and self._is_flood_alarm_due(now) else ()
        return (*[name.rpartition("/")[2] for name in risen], *flood)

    def clear_alarms(self, client: str, now: int) -> tuple[str, ...]:
        """End all alarms of a client and of its players; returns of which kinds they were."""
        mine = self.pricing.client_key(client)
        signs = [sign for sign in self.store.active_alarms(now) if owner_key(sign).partition(".")[0] == mine]
        self.store.reset_detectors(signs, now)
        return tuple(sorted({sign.rpartition("/")[2] for sign in signs}))

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> Refused | None:
        """Charge those who sit down to a sealed game one game each; None when it may begin."""
        met = [self._resolve(who, now) for who in dict.fromkeys(seats)]
        outcome = self.store.admit(self.pricing.opening_charge(met, game, now), now)
        if isinstance(outcome, Refused):
            return outcome
        for who, is_new in met:
            if is_new:
                self._cache_player(who)
        return None

    def quota(self, identity: Identity, game: str | None, now: int, *, is_sealed: bool = False) -> list[Allowance]:
        """What an identity has left, in public-cost numbers."""
        identity, _ = self._resolve(identity, now)
        meters = self.pricing.budgets(identity, game, now, is_sealed=is_sealed)
        standings = self.store.read(list(meters.values()), now)
        return [
            Allowance(budget, meter.limit, max(0, meter.limit - spent), ends)
            for (budget, meter), (spent, ends) in zip(meters.items(), standings, strict=True)
        ]

    def unverified_cap(self, now: int) -> int:
        """How many units new to the world those who are not verified may spend together today; one look a day."""
        day = now // DAY
        if self._cached_cap[0] != day:
            self._cached_cap = (day, unverified_cap(self.policy, self.unverified_spent(now), day))
        return self._cached_cap[1]

    def unverified_spent(self, now: int) -> dict[int, int]:
        """What those who are not verified have spent together, by day."""
        spent = {}
        for kept in self.store.stored_meters("world/"):
            _, day, kind = kept.name.split("/")
            if kind == "world" and now // DAY - HISTORY_DAYS <= int(day) <= now // DAY:
                spent[int(day)] = kept.spent
        return spent

    def _is_flood_alarm_due(self, now: int) -> bool:
        """Whether those who are not verified have come near their cap today; told once a day."""
        day = now // DAY
        if self._flood_told_on == day:
            return False
        (world,) = self.store.read([Meter(f"world/{day}/world", 0, now)], now)
        if world.spent < alarm_level(self.unverified_cap(now)):
            return False
        self._flood_told_on = day
        return True

    def check_writable(self, now: int) -> None:
        """Raises StoreDown where the meters cannot be written, which is tried once a second, whoever asks."""
        if now == self._checked_at:
            return
        self.store.update_detectors(
            [(DetectorSum(_PROBE, now, now + DAY, now + DAY), 1)], now
        )  # which never comes to an alarm
        self._checked_at = now

    def sweep(self, now: int) -> int:
        return self.store.sweep(now)

    def _resolve(self, identity: Identity, now: int) -> tuple[Identity, bool]:
        """The identity with the moment it was first seen and what is known of its habits; whether it is a new one."""
        if self._alarmed and self.pricing.identity_key(identity) in self._alarmed:
            identity = identity._replace(is_alarming=True)
        if identity.player is None:
            return identity, False
        with self._lock:
            since = self._first_seen.get((identity.client, identity.player))
        if since is None:
            mark = self.pricing.player_mark(identity, now)
            ends = self.store.find_mark_end(mark.key, now)
            if ends is None:
                return identity._replace(since=now), True
            since = ends - (mark.ends - now)
            self._cache_player(identity._replace(since=since))
        return identity._replace(since=since), False

    def _cache_player(self, identity: Identity) -> None:
        with self._lock:
            self._first_seen[identity.client, identity.player or ""] = identity.since
            if len(self._first_seen) > _MAX_CACHED_PLAYERS:
                self._first_seen.popitem(last=False)


def _refundable_meters(question: Question, charge: Charge, admitted: Admitted) -> tuple[str, ...]:
    """What a yes gives back; nothing where the turn was asked before: it was given back then, or stays."""
    new = [name for mark in charge.marks if mark.key in admitted.new_marks for name in mark.feeds]
    return tuple([name for name in (new if question.is_sealed else charge.amounts) if name.endswith("invalid")])
