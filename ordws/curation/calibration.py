"""How curators are compared: what all of them vote on first, and which cards are shown to check one of them. Pure."""

from __future__ import annotations

from collections.abc import Collection
from heapq import nsmallest
from typing import Final, NamedTuple

from ordws.curation.ballot import Vote
from ordws.curation.lease import Purpose, keyed_hash
from ordws.curation.voting_rounds import FamilyState

MAX_SAMPLE: Final = 300
SAMPLE_DIVISOR: Final = 20
"""The sample is 300 families, or a twentieth of a small queue. (EXPERIENCE A3)"""
REPEAT_RATE: Final = 0.05
KNOWN_RATE: Final = 0.05
KNOWN_RATE_AFTER_STREAK: Final = 0.4
HOLDOUT_DIVISOR: Final = 3
"""One family of so many."""
MIN_REPEAT_GAP: Final = 50
"""So many cards lie between a vote and the same family shown again. (EXPERIENCE A3)"""
_LONG_STREAK: Final = 20
_QUICK_SECONDS: Final = 1.5


def choose_sample(bases: Collection[str], key: bytes) -> tuple[str, ...]:
    """The families of these that every curator votes on first, in the order in which they come."""
    return tuple(
        nsmallest(
            min(MAX_SAMPLE, len(bases) // SAMPLE_DIVISOR), bases, key=lambda base: keyed_hash(key, "calibration", base)
        )
    )


def draw_uniform(key: bytes, curator: str, position: int, *labels: str) -> float:
    """What is drawn for a curator's card of that position, from 0 to 1: always the same, and nobody can foretell it."""
    return int.from_bytes(keyed_hash(key, "position", curator, str(position), *labels)[:6]) / (1 << 48)


def draw_purpose(key: bytes, curator: str, position: int, *, is_monotonous: bool = False) -> Purpose:
    """What a curator's card of that position is for; after dull answers soon, and not foreseeably, a known item."""
    drawn = draw_uniform(key, curator, position)
    if drawn < REPEAT_RATE:
        return "repeat"
    return "known" if drawn < REPEAT_RATE + (KNOWN_RATE_AFTER_STREAK if is_monotonous else KNOWN_RATE) else "vote"


def is_holdout(key: bytes, base: str) -> bool:
    """Whether a family, once it is decided, is kept to check curators with, and told nobody as an example."""
    return int.from_bytes(keyed_hash(key, "kept back", base)[:2]) % HOLDOUT_DIVISOR == 0


def repeat_gap(answered: int, families: int) -> int:
    """How many cards lie between a vote and its repeat; in a small queue half of what the curator has answered."""
    return MIN_REPEAT_GAP if families >= 2 * MIN_REPEAT_GAP else max(1, answered // 2)


def is_unanimous(family: FamilyState) -> bool:
    """Whether blind votes decided a family, in its first round, and every one of them was the same."""
    if family.standing is None or family.round.number > 1 or not family.round.is_decided or family.decided_by_class:
        return False
    return len({(ballot.vote, ballot.forms) for ballot in family.ballots}) == 1 and len(family.ballots) > 1


class Streak(NamedTuple):
    """Equal answers one after another, each given faster than a card can be read."""

    vote: Vote | None = None
    length: int = 0

    def after(self, vote: Vote, seconds: float) -> Streak:
        if seconds >= _QUICK_SECONDS:
            return NO_STREAK
        return Streak(vote, self.length + 1 if vote == self.vote else 1)

    @property
    def is_monotonous(self) -> bool:
        """Whether it is time for an item whose answer is known. (EXPERIENCE A4)"""
        return self.length > _LONG_STREAK


NO_STREAK: Final = Streak()
