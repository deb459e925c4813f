"""The calibration of the curators: the sample that all vote on first, and the cards that check one of them. Pure.

All draws come from a key, so that they are the same after a restart and nobody without the key can predict them.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nsmallest
from typing import Final, NamedTuple

from ordws.curation.ballot import Vote
from ordws.curation.lease import Purpose, keyed_hash
from ordws.curation.voting_rounds import FamilyState

MAX_SAMPLE: Final = 300
SAMPLE_DIVISOR: Final = 20
"""The sample is 300 families, or a twentieth of a smaller queue, so that a small queue is not spent on calibration."""
POOL_FACTOR: Final = 2
"""The sample is drawn from the first families of the queue, twice as many, so that nobody knows it beforehand."""
REPEAT_RATE: Final = 0.05
KNOWN_RATE: Final = 0.05
KNOWN_RATE_AFTER_STREAK: Final = 0.4
HOLDOUT_DIVISOR: Final = 3
"""One family in three is kept for checks, and never shown as an example."""
MIN_REPEAT_GAP: Final = 50
"""The cards between a vote and its repeat, so that curators do not answer a repeat from memory."""
_LONG_STREAK: Final = 20
_QUICK_SECONDS: Final = 1.5


def choose_sample(bases: Sequence[str], key: bytes) -> tuple[str, ...]:
    """Draw the families that every curator votes on first, in the order in which they are dealt.

    `bases` are all families in the order of the queue, from whose beginning the sample is drawn: it takes the panel its
    first hour, which should settle the words that everybody uses.
    """
    size = min(MAX_SAMPLE, len(bases) // SAMPLE_DIVISOR)
    pool = bases[: POOL_FACTOR * size]
    return tuple(nsmallest(size, pool, key=lambda base: keyed_hash(key, "calibration", base)))


def draw_uniform(key: bytes, curator: str, position: int, *labels: str) -> float:
    """Draw a number from 0 to 1 for a curator's card of this position: always the same one, known to the key alone."""
    return int.from_bytes(keyed_hash(key, "position", curator, str(position), *labels)[:6]) / (1 << 48)


def draw_purpose(key: bytes, curator: str, position: int, *, is_monotonous: bool = False) -> Purpose:
    """Draw the purpose of a curator's card of this position; monotonous answers make a known item far more likely."""
    drawn = draw_uniform(key, curator, position)
    if drawn < REPEAT_RATE:
        return "repeat"
    # Raised to two in five and not to certainty, so that nobody can tell the card for a check.
    return "known" if drawn < REPEAT_RATE + (KNOWN_RATE_AFTER_STREAK if is_monotonous else KNOWN_RATE) else "vote"


def is_holdout(key: bytes, base: str) -> bool:
    """Return whether a family, once it is decided, is kept for checks and never shown as an example."""
    return int.from_bytes(keyed_hash(key, "kept back", base)[:2]) % HOLDOUT_DIVISOR == 0


def repeat_gap(answered: int, families: int) -> int:
    """Return the cards between a vote and its repeat: in a small queue, half of what the curator has answered."""
    return MIN_REPEAT_GAP if families >= 2 * MIN_REPEAT_GAP else max(1, answered // 2)


def is_unanimous(family: FamilyState) -> bool:
    """Return whether blind votes decided a family in its first round, and all of them were the same."""
    # A later round may follow a discussion, in which the votes are no longer independent.
    if family.standing is None or family.round.number > 1 or not family.round.is_decided or family.decided_by_class:
        return False
    return len({(ballot.vote, ballot.forms) for ballot in family.ballots}) == 1 and len(family.ballots) > 1


class Streak(NamedTuple):
    """A run of equal answers, each given faster than a card can be read."""

    vote: Vote | None = None
    length: int = 0

    def after(self, vote: Vote, seconds: float) -> Streak:
        """Return the streak after another answer; a slow one ends it."""
        if seconds >= _QUICK_SECONDS:
            return NO_STREAK
        return Streak(vote, self.length + 1 if vote == self.vote else 1)

    @property
    def is_monotonous(self) -> bool:
        """True if the answers suggest fatigue, so that a card whose answer is known is due."""
        return self.length > _LONG_STREAK


NO_STREAK: Final = Streak()
