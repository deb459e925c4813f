"""The gate: a question is charged here, before anything is looked up."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final, NamedTuple, Protocol

from ordws.errors import Broken
from ordws.guard.policy import Policy
from ordws.guard.price import Budget, Charge, Meter, Question, budgets, price, tagger

KEY_BYTES: Final = 32


class Refused(NamedTuple):
    """A meter does not hold the question; it is of no use to ask again before it ends."""

    meter: str
    retry_after_seconds: int

    @property
    def budget(self) -> str:
        """The kind of meter, without whose it is."""
        return self.meter.rpartition("/")[2]


class Standing(NamedTuple):
    """A meter as it stands: what is spent of it, and when it ends."""

    spent: int
    ends: int


class Allowance(NamedTuple):
    """What an identity has left of one budget, and when it begins anew."""

    budget: Budget
    limit: int
    left: int
    ends: int


class Store(Protocol):
    """Where meters stand. Each verb is atomic and exact across threads and processes, or raises StoreDown."""

    def admit(self, charge: Charge, now: int) -> Refused | None:
        """Write all of a charge, or nothing of it where a meter would pass its limit."""

    def read(self, meters: Sequence[Meter], now: int) -> list[Standing]:
        """How each of these meters stands; nothing is written."""

    def close_until(self, moment: int) -> None:
        """Refuse everything before that moment: a restore counts today's budgets as spent."""

    def sweep(self, now: int) -> int:
        """Forget what ended a day ago; returns how much that was."""


class Gate:
    """Admits questions under one policy; `who` is an identity, a text without control characters."""

    def __init__(self, policy: Policy, store: Store, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise Broken(f"the meter key has {len(key)} bytes, {KEY_BYTES} were expected")
        self._policy = policy
        self._store = store
        self._tag = tagger(key)

    def admit(self, who: str, question: Question, core: Container[str], now: int) -> Refused | None:
        """Charge a question, the same for yes and no; None when it may be answered."""
        return self._store.admit(price(self._policy, core, self._tag, who, question, now), now)

    def quota(self, who: str, game: str | None, now: int) -> list[Allowance]:
        """What an identity has left, in public-cost numbers."""
        meters = budgets(self._policy, self._tag, who, game, now)
        standings = self._store.read(list(meters.values()), now)
        return [
            Allowance(budget, meter.limit, max(0, meter.limit - spent), ends)
            for (budget, meter), (spent, ends) in zip(meters.items(), standings, strict=True)
        ]

    def check(self, now: int) -> None:
        """Raises StoreDown where the store does not answer."""
        self._store.read((), now)

    def sweep(self, now: int) -> int:
        return self._store.sweep(now)
