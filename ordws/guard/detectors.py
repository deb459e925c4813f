"""Signs of mining: each is a sum that grows with what miners do and falls with what players do, never below zero.

What a question adds is the logarithm of how much likelier it is of a miner than of a player, in thousandths; the sum is
then Page's CUSUM test, and an alarm the sum that honest chance reaches once in a hundred thousand. (GUARD 3.5)
"""

from __future__ import annotations

from math import log
from typing import Final, Literal, NamedTuple, TypeAlias

DetectorName: TypeAlias = Literal["share", "invalid", "run", "fresh"]
"""Too many words outside the core list; too many bad plays; words in alphabetical order; never a word twice."""


class Weights(NamedTuple):
    """What an observation adds to a sign: where it looks like mining, and where it does not."""

    mining: int
    playing: int


ALARM_THRESHOLD: Final = round(-1000 * log(1e-5))


def _weights(players: float, miners: float) -> Weights:
    """Weights for something that is seen in these shares of what players and miners do."""
    return Weights(round(1000 * log(miners / players)), round(1000 * log((1 - miners) / (1 - players))))


DETECTORS: Final[dict[DetectorName, Weights]] = {
    "share": _weights(0.30, 0.50),
    "invalid": _weights(0.20, 0.50),
    "run": _weights(0.10, 0.70),
    "fresh": _weights(0.998, 0.9998),
}

_POSITION_LETTERS: Final = 12
_MAX_DISTANCE: Final = 4 * 36 ** (_POSITION_LETTERS - 3)


def alphabetical_position(word: str) -> int:
    """About where a word stands in the alphabet: its first letters as digits."""
    return int(f"{word:0<{_POSITION_LETTERS}.{_POSITION_LETTERS}}", 36)


def is_alphabetical_neighbour(before: int, following: int) -> bool:
    """Whether a word follows another in the alphabet, or stands before it, with few between."""
    return abs(following - before) <= _MAX_DISTANCE
