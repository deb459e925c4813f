"""Detectors of mining, which raise an alarm and never change a verdict (docs/guard.md 3.5).

`run` finds words asked in the order of the alphabet; it remembers words in the memory of a worker alone. `pace` finds a
client or player that asks more in a day than its games explain; it is a function of the records of the day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import log
from typing import Final, Literal, TypeAlias, get_args

from ordws.guard.charge import CORE, GAMES, NOBODY, UNITS, MeterOwner, MeterRecord
from ordws.guard.policy import DAY

DetectorName: TypeAlias = Literal["run", "pace"]
DETECTOR_NAMES: Final[tuple[DetectorName, ...]] = get_args(DetectorName)

ALARM_SECONDS: Final = 28 * DAY
"""How long an alarm lasts, and the load up to which a keeper has ended one."""

_RUN_PLAYERS, _RUN_MINERS = 0.10, 0.70
"""The share of words that stand near the one before in the alphabet, for players and for miners."""
_NEIGHBOUR: Final = round(1000 * log(_RUN_MINERS / _RUN_PLAYERS))
_OTHER: Final = round(1000 * log((1 - _RUN_MINERS) / (1 - _RUN_PLAYERS)))
RUN_THRESHOLD: Final = round(-1000 * log(1e-5))
"""What honest chance reaches once in a hundred thousand: the sum is Page's CUSUM test, in thousandths."""
_MAX_CALLERS: Final = 16_384

# Words that differ only behind their twelfth letter are neighbours in any case.
_POSITION_LETTERS: Final = 12
# Neighbours differ by at most four in their third letter.
_MAX_DISTANCE: Final = 4 * 36 ** (_POSITION_LETTERS - 3)

CORE_WORDS_A_UNIT: Final = 4
UNITS_ALLOWANCE: Final = 40
"""The units that a home client may come to without games: twice what may be asked outside of them."""
UNITS_A_GAME: Final = 17
"""The units of an honest game: 8 on average, 17 at the 99th percentile."""
HOME_ALLOWANCE: Final = 120
"""The load of a home client, or a player, that asks about twelve games outside of games: 20 units, 398 core words."""
OPERATOR_PERCENT: Final = 30
"""The load that an operator may come to without games, as a percentage of its total of units.

An evening of 60 players, of which only challenged plays are asked, has a load of some 520; an operator's default total
is 2,000.
"""
LEAST_OPERATOR_ALLOWANCE: Final = 405
"""The load of an operator with a small total, or in alarm: of three players who ask all their core words (540 each)."""
LOAD_A_GAME: Final = 20
"""The load of an honest game, of which 12 and more together have 17 to 19 each."""
LOAD_A_PLAYERS_GAME: Final = 10
"""The load that a game has beyond one asked about outside of games: 17 to 19, less 8 of its core words."""
_COUNTING_PLAYERS: Final = 3
"""The number of players that it takes to bring an operator to an alarm, if the others ask nothing."""


class RunWatch:
    """The last word and the sum of each caller today, as far as this process has seen them.

    Threads that record words of one caller at the same moment may forget one of them: detectors need no exactness.
    """

    def __init__(self) -> None:
        self._last: dict[MeterOwner, tuple[int, int, int]] = {}
        """Of each caller the day, the position of the last word, and the sum; who asked last comes last."""

    def record(self, subject: MeterOwner, words: Sequence[str], day: int) -> bool:
        """Add the words of a question; return whether the sum came to the threshold, and begin at zero again."""
        last_day, before, total = self._last.pop(subject, (day, -1, 0))
        if last_day != day:
            before, total = -1, 0
        for word in words:
            # Two-letter words are published, so they say nothing about the caller.
            if len(word) > 2:
                position = alphabetical_position(word)
                # The same word again is not a step along the alphabet.
                if before not in (-1, position):
                    total = max(0, total + (_NEIGHBOUR if is_alphabetical_neighbour(before, position) else _OTHER))
                before = position
        is_alarm = total >= RUN_THRESHOLD
        self._last[subject] = (day, before, 0 if is_alarm else total)
        if len(self._last) > _MAX_CALLERS:
            with suppress(StopIteration, KeyError, RuntimeError):  # another thread was there first
                del self._last[next(iter(self._last))]
        return is_alarm


def alphabetical_position(word: str) -> int:
    """Return the approximate position of a word in the alphabet: its first letters, read as digits."""
    return int(f"{word:0<{_POSITION_LETTERS}.{_POSITION_LETTERS}}", 36)


def is_alphabetical_neighbour(before: int, following: int) -> bool:
    """Return whether two words stand near each other in the alphabet, in either order."""
    return abs(following - before) <= _MAX_DISTANCE


def load_of(counts: Sequence[int]) -> int:
    """Return the load of a day: a core word tells a quarter of what a unit does, and costs none."""
    return counts[UNITS] + counts[CORE] // CORE_WORDS_A_UNIT


def caller_excess(counts: Sequence[int], *, is_player: bool, calmed: int = 0) -> bool:
    """Return whether the day of a home client, or of a player, is more than its games explain.

    `calmed` is the load up to which a keeper has ended an alarm.
    """
    units, games = counts[UNITS], counts[GAMES]
    if is_player:
        # At a club's table only words in doubt are asked, which cost more units a game than whole games do.
        return load_of(counts) > max(calmed, HOME_ALLOWANCE) + LOAD_A_PLAYERS_GAME * games
    return load_of(counts) > max(calmed, HOME_ALLOWANCE) + LOAD_A_GAME * games or (
        units > max(calmed, UNITS_ALLOWANCE) + UNITS_A_GAME * games
    )


def operator_excess(counts: Sequence[int], total: int, *, calmed: int = 0) -> bool:
    """Return whether the day of an operator with this total of units is more than its games explain."""
    return load_of(counts) > max(calmed, _operator_allowance(total)) + LOAD_A_GAME * counts[GAMES]


def is_of_many(
    players: Mapping[MeterOwner, MeterRecord], counts: Sequence[int], total: int, *, calmed: int = 0
) -> bool:
    """Return whether an operator's excess is that of many players, so that no two bring it to an alarm.

    What a player has beyond its games counts up to a third of the operator's allowance.
    """
    most = _operator_allowance(total) // _COUNTING_PLAYERS
    uncounted = sum(
        [
            max(0, load_of(record.counts) - LOAD_A_GAME * record.counts[GAMES] - most)
            for subject, record in players.items()
            if not subject.endswith(NOBODY)
        ]
    )
    load = load_of(counts) - uncounted
    return load > max(calmed, _operator_allowance(total)) + LOAD_A_GAME * counts[GAMES]


def _operator_allowance(total: int) -> int:
    return max(total * OPERATOR_PERCENT // 100, LEAST_OPERATOR_ALLOWANCE)
