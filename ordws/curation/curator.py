"""What one curator has answered so far, holds now, and has put aside. No more than the ledger has, but for the hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.calibration import NO_STREAK, Streak
from ordws.curation.cursor import FamilyCursor
from ordws.curation.lease import Lease, Purpose

Lane: TypeAlias = Literal["urgent", "first", "audited", "all"]
"""What somebody waits for; what every curator votes on first; what audits of classes wait for; every family."""

LANES: Final[tuple[Lane, ...]] = get_args(Lane)


class AnsweredCard(NamedTuple):
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
    answers: dict[str, AnsweredCard] = field(default_factory=dict)
    """His answers in order, less those he took back."""
    undone_answers: dict[str, AnsweredCard] = field(default_factory=dict)
    checked_families: set[str] = field(default_factory=set)
    """The families that he has been checked on."""
    leases: list[Lease] = field(default_factory=list)
    """The card before him, the next, and any that he took back and has not come to again."""
    skipped: dict[tuple[str, int], Purpose] = field(default_factory=dict)
    """What he skipped, by family and round, in order."""
    streak: Streak = NO_STREAK
    last_answered_at: int = 0
    """When he answered last, in seconds since 1970."""
    dealt_count: int = 0
    """How many cards he has been given."""
    cursors: dict[Lane, FamilyCursor] = field(default_factory=lambda: {lane: FamilyCursor() for lane in LANES})

    def add_answer(self, answer: AnsweredCard) -> None:
        self.answers[answer.id] = answer
        if answer.purpose != "vote":
            self.checked_families.add(answer.base)

    def undo_answer(self, id: str) -> None:
        if (given := self.answers.pop(id, None)) is not None:
            self.undone_answers[id] = given
            self.checked_families.discard(given.base)

    def has_lease(self, base: str) -> bool:
        return any(lease.base == base for lease in self.leases)

    def release(self, base: str) -> None:
        self.leases = [lease for lease in self.leases if lease.base != base]

    def answer_count_on(self, day: str) -> int:
        """How many of his newest answers are of a day."""
        count = 0
        for given in reversed(self.answers.values()):
            if given.day != day:
                break
            count += 1
        return count
