"""What one curator has answered so far, holds now, and has put aside. No more than the ledger has, but for the hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.calibration import NO_STREAK, Streak
from ordws.curation.lease import Lease, Purpose
from ordws.curation.walk import Walk

Lane: TypeAlias = Literal["urgent", "first", "audited", "all"]
"""What somebody waits for; what every curator votes on first; what audits of classes wait for; every family."""

LANES: Final[tuple[Lane, ...]] = get_args(Lane)


class Given(NamedTuple):
    """An answer to a card, whatever the card was for."""

    id: str
    base: str
    purpose: Purpose
    day: str
    """As 2026-11-21."""


@dataclass
class Curator:
    """One curator, as the queue knows him."""

    name: str
    is_chair: bool = False
    given: dict[str, Given] = field(default_factory=dict)
    """His answers in order, less those he took back."""
    undone: dict[str, Given] = field(default_factory=dict)
    checked: set[str] = field(default_factory=set)
    """The families that he has been checked on."""
    hand: list[Lease] = field(default_factory=list)
    """The card before him, the next, and any that he took back and has not come to again."""
    aside: dict[tuple[str, int], Purpose] = field(default_factory=dict)
    """What he skipped, by family and round, in order."""
    streak: Streak = NO_STREAK
    answered: int = 0
    """When he answered last, in seconds since 1970."""
    dealt: int = 0
    """How many cards he has been given."""
    walks: dict[Lane, Walk] = field(default_factory=lambda: {lane: Walk() for lane in LANES})

    def take(self, given: Given) -> None:
        self.given[given.id] = given
        if given.purpose != "vote":
            self.checked.add(given.base)

    def take_back(self, id: str) -> None:
        if (given := self.given.pop(id, None)) is not None:
            self.undone[id] = given
            self.checked.discard(given.base)

    def holds(self, base: str) -> bool:
        return any(lease.base == base for lease in self.hand)

    def lay_down(self, base: str) -> None:
        self.hand = [lease for lease in self.hand if lease.base != base]

    def on(self, day: str) -> int:
        """How many of his newest answers are of a day."""
        count = 0
        for given in reversed(self.given.values()):
            if given.day != day:
                break
            count += 1
        return count
