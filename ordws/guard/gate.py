"""The gate: a question is charged here, before anything is looked up."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple, Protocol

from ordws.errors import Broken
from ordws.guard.policy import DAY, Policy
from ordws.guard.price import Budget, Charge, Identity, Meter, Pricing, Question, owner_of
from ordws.guard.watch import Sign, Watch
from ordws.guard.worldcap import HISTORY_DAYS, alarm_level, world_cap

KEY_BYTES: Final = 32
_REMEMBERED: Final = 65_536
_CHECKED: Final = "ready"


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

    new: frozenset[bytes]


class Standing(NamedTuple):
    """A meter as it stands: what is spent of it, and when it ends."""

    spent: int
    ends: int


class Kept(NamedTuple):
    """A meter that is kept, running or ended, with the trails of the marks that fed it."""

    name: str
    spent: int
    trails: bytes


class Ticket(NamedTuple):
    """The right to an answer, which has to be settled by the verdict."""

    name: str
    """By which name the meters of the identity begin."""
    held: tuple[str, ...]
    """The meters from which a play is taken back that is not invalid."""
    is_doubt: bool = False


class Allowance(NamedTuple):
    """What an identity has left of one budget, and when it begins anew."""

    budget: Budget
    limit: int
    left: int
    ends: int


class Store(Protocol):
    """Where meters stand. Each verb is atomic and exact across threads, processes and hosts, or raises StoreDown."""

    def admit(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""

    def settle(self, meter: str, by: int, now: int) -> None:
        """Add to a meter that is running, which may be taking back."""

    def watch(self, seen: Sequence[tuple[Sign, int]], now: int) -> tuple[str, ...]:
        """Add to signs; returns the names of those that have reached their alarm by it."""

    def read(self, meters: Sequence[Meter], now: int) -> list[Standing]:
        """How each of these meters stands; nothing is written."""

    def alarming(self, now: int) -> frozenset[str]:
        """The names of all signs that are in alarm."""

    def calm(self, signs: Sequence[str], now: int) -> None:
        """Begin these signs anew."""

    def marked(self, key: bytes, now: int) -> int | None:
        """When a mark ends; None where it is not running."""

    def kept(self, prefix: str) -> Iterator[Kept]:
        """The meters of the world, and those with trails, whose names begin so; also those that ended."""

    def close_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""

    def close(self) -> None:
        """Let go of the file or the server; whoever asks again opens it anew."""

    def sweep(self, now: int) -> int:
        """Forget what ended two days ago, and after 400 what is kept for long; returns how much that was."""


class Gate:
    """Admits questions under one policy."""

    def __init__(self, policy: Policy, store: Store, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the meter key has {len(key)} bytes, {KEY_BYTES} were expected")
        policy.check()
        self.policy = policy
        self.pricing = Pricing(policy, key)
        self.store = store
        self._watch = Watch()
        self._lock = threading.Lock()
        self._players: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._alarming: frozenset[str] = frozenset()
        self._cap: tuple[int, int] = (-1, 0)
        self._flooded = self._checked_at = -1

    def admit(self, who: Identity, question: Question, core: Container[str], now: int) -> Ticket | Refused:
        """Charge a question, the same for yes and no; a ticket when it may be answered, which then is settled."""
        who, is_new = self._met(who, now)
        charge = self.pricing.question(who, question, core, now, world_cap=self.world_cap(now), is_new=is_new)
        outcome = self.store.admit(charge, now)
        if isinstance(outcome, Refused):
            return outcome
        if is_new:
            self._remember(who)
        me, is_doubt = owner_of(charge.trails), question.is_doubt
        asked = [mark.key for mark in charge.marks if mark.trail]
        new = len(outcome.new.intersection(asked))
        self._watch.asked(me, question.words, dear=len(asked), new=new, is_doubt=is_doubt)
        return Ticket(me, () if question.game is None else _held(question, charge, outcome), is_doubt)

    def settle(self, ticket: Ticket, verdict: bool, now: int) -> None:
        """Give back on a yes what was held of a game's invalid plays; the same writes for yes and no."""
        if ticket.held and not ticket.is_doubt:
            self._watch.answered(ticket.name, verdict)
        for meter in ticket.held:
            self.store.settle(meter, -1 if verdict else 0, now)

    def release(self, ticket: Ticket, now: int) -> None:
        """Give back what was held for a play that was not made, and whose verdict nobody was told."""
        for meter in ticket.held:
            self.store.settle(meter, -1, now)

    def watch(self, now: int, *, all_of_it: bool = False) -> tuple[str, ...]:
        """Tell the store what was seen of callers' habits; returns the kinds of signs that have come to an alarm."""
        due = self._watch.due(now, all_of_it=all_of_it)
        risen = self.store.watch(due, now) if due else ()
        if risen or all_of_it:
            self._alarming = frozenset([owner_of(sign) for sign in self.store.alarming(now)])
        flood = ("world",) if all_of_it and self._is_flooded(now) else ()
        return (*[name.rpartition("/")[2] for name in risen], *flood)

    def calm(self, client: str, now: int) -> tuple[str, ...]:
        """End all alarms of a client and of its players; returns of which kinds they were."""
        mine = self.pricing.client(client)
        signs = [sign for sign in self.store.alarming(now) if owner_of(sign).partition(".")[0] == mine]
        self.store.calm(signs, now)
        return tuple(sorted({sign.rpartition("/")[2] for sign in signs}))

    def open_game(self, seats: Sequence[Identity], game: str, now: int) -> Refused | None:
        """Charge those who sit down to a sealed game one game each; None when it may begin."""
        met = [self._met(who, now) for who in dict.fromkeys(seats)]
        outcome = self.store.admit(self.pricing.opening(met, game, now), now)
        if isinstance(outcome, Refused):
            return outcome
        for who, is_new in met:
            if is_new:
                self._remember(who)
        return None

    def quota(self, who: Identity, game: str | None, now: int, *, is_sealed: bool = False) -> list[Allowance]:
        """What an identity has left, in public-cost numbers."""
        who, _ = self._met(who, now)
        meters = self.pricing.budgets(who, game, now, is_sealed=is_sealed)
        standings = self.store.read(list(meters.values()), now)
        return [
            Allowance(budget, meter.limit, max(0, meter.limit - spent), ends)
            for (budget, meter), (spent, ends) in zip(meters.items(), standings, strict=True)
        ]

    def world_cap(self, now: int) -> int:
        """How many units new to the world those who are not verified may spend together today; one look a day."""
        day = now // DAY
        if self._cap[0] != day:
            self._cap = (day, world_cap(self.policy, self.world_spent(now), day))
        return self._cap[1]

    def world_spent(self, now: int) -> dict[int, int]:
        """What those who are not verified have spent together, by day."""
        spent = {}
        for kept in self.store.kept("world/"):
            _, day, kind = kept.name.split("/")
            if kind == "world" and now // DAY - HISTORY_DAYS <= int(day) <= now // DAY:
                spent[int(day)] = kept.spent
        return spent

    def _is_flooded(self, now: int) -> bool:
        """Whether those who are not verified have come near their cap today; told once a day."""
        day = now // DAY
        if self._flooded == day:
            return False
        (world,) = self.store.read([Meter(f"world/{day}/world", 0, now)], now)
        if world.spent < alarm_level(self.world_cap(now)):
            return False
        self._flooded = day
        return True

    def check(self, now: int) -> None:
        """Raises StoreDown where the meters cannot be written, which is tried once a second, whoever asks."""
        if now == self._checked_at:
            return
        self.store.watch([(Sign(_CHECKED, now, now + DAY, now + DAY), 1)], now)  # which never comes to an alarm
        self._checked_at = now

    def sweep(self, now: int) -> int:
        return self.store.sweep(now)

    def _met(self, who: Identity, now: int) -> tuple[Identity, bool]:
        """The identity with the moment it was first seen and what is known of its habits; whether it is a new one."""
        if self._alarming and self.pricing.name(who) in self._alarming:
            who = who._replace(is_alarming=True)
        if who.player is None:
            return who, False
        with self._lock:
            since = self._players.get((who.client, who.player))
        if since is None:
            mark = self.pricing.player_mark(who, now)
            ends = self.store.marked(mark.key, now)
            if ends is None:
                return who._replace(since=now), True
            since = ends - (mark.ends - now)
            self._remember(who._replace(since=since))
        return who._replace(since=since), False

    def _remember(self, who: Identity) -> None:
        with self._lock:
            self._players[who.client, who.player or ""] = who.since
            if len(self._players) > _REMEMBERED:
                self._players.popitem(last=False)


def _held(question: Question, charge: Charge, admitted: Admitted) -> tuple[str, ...]:
    """What a yes gives back; nothing where the turn was asked before: it was given back then, or stays."""
    new = [name for mark in charge.marks if mark.key in admitted.new for name in mark.feeds]
    return tuple([name for name in (new if question.is_sealed else charge.adds) if name.endswith("invalid")])
