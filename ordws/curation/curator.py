"""A curator as the queue knows them: what they answered, hold and skipped, and where they are in each list. Pure.

All but the leases and the skipped cards can be derived from the ledger.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.calibration import NO_STREAK, Streak
from ordws.curation.lease import Lease, Purpose

Lane: TypeAlias = Literal["urgent", "first", "audited", "all"]
"""A list of families, in the order in which curators go through the lists: families that somebody waits for, the
calibration sample that every curator votes on first, families that audits of classes wait for, and all families."""

LANES: Final[tuple[Lane, ...]] = get_args(Lane)

Availability: TypeAlias = Literal["free", "later", "never"]
"""A curator can have a family now, perhaps at another time, or not unless something happens to it."""


class FamilyCursor:
    """The position of a curator in a lane, which may grow at its end; no family is looked at twice without a cause.

    Positions before it that are worth another look are kept apart. They are few: the families that others hold at this
    moment, and those that `revisit` has named.
    """

    def __init__(self) -> None:
        self._position = 0
        self._revisitable: list[int] = []

    def next_free(self, bases: Sequence[str], availability: Callable[[str], Availability]) -> str | None:
        """Return the first family that is free; it is returned again until it is no longer available."""
        at = 0
        while at < len(self._revisitable):
            base = bases[self._revisitable[at]]
            match availability(base):
                case "free":
                    return base
                case "later":
                    at += 1
                case "never":
                    del self._revisitable[at]
        while self._position < len(bases):
            base, position = bases[self._position], self._position
            self._position += 1
            available = availability(base)
            if available != "never":
                self._revisitable.append(position)
            if available == "free":
                return base
        return None

    def revisit(self, position: int) -> None:
        """Look again at the family at a position, because something has happened to it."""
        at = bisect_left(self._revisitable, position)
        if position < self._position and self._revisitable[at : at + 1] != [position]:
            self._revisitable.insert(at, position)


class AnsweredCard(NamedTuple):
    """An answer to a card of any purpose."""

    id: str
    base: str
    purpose: Purpose
    day: str
    """Such as 2026-11-21."""


@dataclass
class Curator:
    """The state of one curator in the queue."""

    name: str
    is_chair: bool = False
    answers: dict[str, AnsweredCard] = field(default_factory=dict)
    """The answers by id, in order, without those taken back."""
    undone_answers: dict[str, AnsweredCard] = field(default_factory=dict)
    restored: set[str] = field(default_factory=set)
    """The families whose vote was taken back today. They are dealt as if they were open, decided or not, or a vote and
    its undo would tell how the others have voted."""
    checked_families: set[str] = field(default_factory=set)
    """The families that the curator was checked on: none comes as a check twice."""
    leases: list[Lease] = field(default_factory=list)
    """The current card, the next, and any whose answer was taken back and that has not come up again."""
    skipped: dict[tuple[str, int], Purpose] = field(default_factory=dict)
    """The purposes of skipped cards by family and round, in order."""
    streak: Streak = NO_STREAK
    last_answered_at: int = 0
    """The time of the last answer, in seconds since 1970."""
    dealt_count: int = 0
    """The number of cards dealt so far."""
    cursors: dict[Lane, FamilyCursor] = field(default_factory=lambda: {lane: FamilyCursor() for lane in LANES})

    def add_answer(self, answer: AnsweredCard) -> None:
        self.answers[answer.id] = answer
        if answer.purpose != "vote":
            self.checked_families.add(answer.base)

    def undo_answer(self, id: str) -> None:
        if (answer := self.answers.pop(id, None)) is not None:
            self.undone_answers[id] = answer
            self.checked_families.discard(answer.base)

    def has_lease(self, base: str) -> bool:
        return any(lease.base == base for lease in self.leases)

    def release(self, base: str) -> None:
        self.leases = [lease for lease in self.leases if lease.base != base]

    def answer_count_on(self, day: str) -> int:
        """Return how many of the newest answers are of a day, such as 2026-11-21; 0 if the newest is of another."""
        return sum(1 for _ in takewhile(lambda answer: answer.day == day, reversed(self.answers.values())))
