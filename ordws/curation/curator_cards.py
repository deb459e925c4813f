"""The cards of one curator: those leased, answered and skipped, and the draws by which some check the curator. Pure.

The id of a lease is authenticated and holds all of it, so that it survives a crash. It reads
`1795262400.17.1.REVOTE.9f2c...`: the time at which the card was dealt, its position among the curator's cards, the
round, the family, and a MAC over these, the curator's name and the card's purpose. Without the key the purpose cannot
be read off the id: a check looks like any other card.

All draws come from a key, so that they are the same after a restart and nobody without the key can predict them. All
but the leases and the skipped cards can be derived from the ledger.
"""

from __future__ import annotations

import hmac
import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import takewhile
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from ordws.curation.decision import Vote
from ordws.curation.voting_rounds import FamilyState

Purpose: TypeAlias = Literal["vote", "repeat", "known"]
"""The purpose of a card: a vote; a repeat of a card that the curator has voted on; a known item that others decided."""

_PURPOSES: Final[tuple[Purpose, ...]] = get_args(Purpose)
_MAC_BYTES: Final = 16
_ID: Final = re.compile(
    rf"([0-9]{{1,12}})\.([0-9]{{1,9}})\.([0-9]{{1,9}})\.([A-Z]{{2,21}})\.[0-9a-f]{{{2 * _MAC_BYTES}}}"
)


class Lease(NamedTuple):
    """A card that a curator holds."""

    id: str
    base: str
    round: int
    purpose: Purpose
    dealt_at: int
    """In seconds since 1970."""
    expires_at: int = 0
    """The time from which others may have the card, in seconds since 1970."""


def keyed_hash(key: bytes, *texts: str) -> bytes:
    """Return a keyed hash of texts, 32 bytes, which nobody without the key can predict."""
    # The separator keeps two lists of texts with the same letters apart; no name or word holds a zero byte.
    return hmac.digest(key, "\0".join(texts).encode(), "sha256")


def write_lease_id(key: bytes, curator: str, lease: Lease, position: int) -> str:
    """Return the id of a lease that is the curator's card of this position."""
    payload = f"{lease.dealt_at}.{position}.{lease.round}.{lease.base}"
    return f"{payload}.{_mac(key, payload, curator, lease.purpose)}"


def read_lease_id(key: bytes, curator: str, id: str) -> Lease | None:
    """Return the lease of an id; None if the id was not made for this curator with this key."""
    match = _ID.fullmatch(id)
    if match is None:
        return None
    payload, _, mac = id.rpartition(".")
    # The purpose stands nowhere in the id: it is the one whose MAC fits.
    fitting = [each for each in _PURPOSES if hmac.compare_digest(_mac(key, payload, curator, each), mac)]
    return Lease(id, match[4], int(match[3]), fitting[0], int(match[1])) if fitting else None


def _mac(key: bytes, payload: str, curator: str, purpose: Purpose) -> str:
    return keyed_hash(key, "lease", payload, curator, purpose)[:_MAC_BYTES].hex()


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
