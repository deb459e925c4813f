"""How curators are compared: what all of them vote on first, and which cards are shown to check one of them. Pure."""

from __future__ import annotations

from collections.abc import Collection
from heapq import nsmallest
from typing import Final, NamedTuple

from ordws.curation.ballot import Vote
from ordws.curation.lease import Purpose, keyed
from ordws.curation.rounds import Matter

MOST: Final = 300
SHARE: Final = 20
"""The sample is 300 families, or a twentieth of a small queue. (EXPERIENCE A3)"""
REPEATS: Final = 0.05
KNOWN: Final = 0.05
SOON: Final = 0.4
KEPT_BACK: Final = 3
"""One family of so many."""
APART: Final = 50
"""So many cards lie between a vote and the same family shown again. (EXPERIENCE A3)"""
_LONG: Final = 20
_QUICK: Final = 1.5


def choose(bases: Collection[str], key: bytes) -> tuple[str, ...]:
    """The families of these that every curator votes on first, in the order in which they come."""
    return tuple(nsmallest(min(MOST, len(bases) // SHARE), bases, key=lambda base: keyed(key, "calibration", base)))


def chance(key: bytes, curator: str, position: int, *what: str) -> float:
    """What is drawn for a curator's card of that position, from 0 to 1: always the same, and nobody can foretell it."""
    return int.from_bytes(keyed(key, "position", curator, str(position), *what)[:6]) / (1 << 48)


def purpose_at(key: bytes, curator: str, position: int, *, is_dull: bool = False) -> Purpose:
    """What a curator's card of that position is for; after dull answers soon, and not foreseeably, a known item."""
    drawn = chance(key, curator, position)
    if drawn < REPEATS:
        return "repeat"
    return "known" if drawn < REPEATS + (SOON if is_dull else KNOWN) else "vote"


def is_kept_back(key: bytes, base: str) -> bool:
    """Whether a family, once it is decided, is kept to check curators with, and told nobody as an example."""
    return int.from_bytes(keyed(key, "kept back", base)[:2]) % KEPT_BACK == 0


def apart(answered: int, families: int) -> int:
    """How many cards lie between a vote and its repeat; in a small queue half of what the curator has answered."""
    return APART if families >= 2 * APART else max(1, answered // 2)


def is_undisputed(matter: Matter) -> bool:
    """Whether blind votes decided a family, in its first round, and every one of them was the same."""
    if matter.standing is None or matter.round.number > 1 or not matter.round.is_decided or matter.ruled_by:
        return False
    return len({(ballot.vote, ballot.forms) for ballot in matter.ballots}) == 1 and len(matter.ballots) > 1


class Streak(NamedTuple):
    """Equal answers one after another, each given faster than a card can be read."""

    vote: Vote | None = None
    length: int = 0

    def after(self, vote: Vote, seconds: float) -> Streak:
        if seconds >= _QUICK:
            return NO_STREAK
        return Streak(vote, self.length + 1 if vote == self.vote else 1)

    @property
    def is_dull(self) -> bool:
        """Whether it is time for an item whose answer is known. (EXPERIENCE A4)"""
        return self.length > _LONG


NO_STREAK: Final = Streak()
