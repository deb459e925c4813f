"""Detectors of mining: sums that grow with what miners do and fall with what players do, never below zero.

Each observation adds the logarithm of its likelihood ratio, miner against player, in thousandths. The sum is Page's
CUSUM test, and its threshold is the value that honest chance reaches once in a hundred thousand (docs/guard.md 3.5).
"""

from __future__ import annotations

from math import log
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

DetectorName: TypeAlias = Literal["share", "invalid", "run", "repeats", "pace"]
"""The name of a detector.

Of an identity: a too large `share` of words outside the core list, too many `invalid` plays, a `run` of words in
alphabetical order. Of an operator as a whole: too few `repeats` of words among its players. Of a client, and of a
player: a `pace` that its past and its games do not explain (`ordws/guard/pace.py`).
"""

DETECTOR_NAMES: Final[tuple[DetectorName, ...]] = get_args(DetectorName)


class Weights(NamedTuple):
    """The amounts that an observation adds to a detector, depending on whether it looks like mining or like playing."""

    mining: int
    playing: int


ALARM_THRESHOLD: Final = round(-1000 * log(1e-5))


def _weights(players: float, miners: float) -> Weights:
    """Return the weights of an observation that makes up these shares of what players and of what miners do."""
    return Weights(round(1000 * log(miners / players)), round(1000 * log((1 - miners) / (1 - players))))


DETECTORS: Final[dict[DetectorName, Weights]] = {
    "share": _weights(0.30, 0.50),
    "invalid": _weights(0.20, 0.50),
    "run": _weights(0.10, 0.70),
    "repeats": _weights(0.96, 0.985),
}

_TOUCHED_DAYS: Final = 4
"""The UTC days that a sum of three days may touch."""

REPEATS_COUNTED_A_DAY: Final = ALARM_THRESHOLD // ((2 * _TOUCHED_DAYS + 1) * DETECTORS["repeats"].mining)
"""The words that are new to an operator of which `repeats` counts this many for each player and day, the first ones.

So no two players bring their operator to an alarm, however many days they ask: it takes nine times as many words.
"""

# Words that differ only behind their twelfth letter are neighbours in any case.
_POSITION_LETTERS: Final = 12
# Neighbours differ by at most four in their third letter.
_MAX_DISTANCE: Final = 4 * 36 ** (_POSITION_LETTERS - 3)


def alphabetical_position(word: str) -> int:
    """Return the approximate position of a word in the alphabet: its first letters, read as digits."""
    return int(f"{word:0<{_POSITION_LETTERS}.{_POSITION_LETTERS}}", 36)


def is_alphabetical_neighbour(before: int, following: int) -> bool:
    """Return whether two words stand near each other in the alphabet, in either order."""
    return abs(following - before) <= _MAX_DISTANCE
