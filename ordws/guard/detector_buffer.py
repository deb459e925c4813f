"""The observations of callers' habits that a process has made and not yet written to the store."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.guard.detectors import (
    ALARM_THRESHOLD,
    DETECTORS,
    DetectorName,
    alphabetical_position,
    is_alphabetical_neighbour,
)
from ordws.guard.policy import DAY
from ordws.guard.price import detector_prefix

DETECTOR_WINDOW_SECONDS: Final = 3 * DAY
"""The time that a detector sums up. A caller who only now and then asks about doubtful words, as a judge at a club's
table does, is no miner.
"""

ALARM_SECONDS: Final = 28 * DAY
# An eighth of an alarm is written at once, so that a process that is killed loses less than that of each sum.
_URGENT_THRESHOLD: Final = ALARM_THRESHOLD // 8
_MAX_LAST_POSITIONS: Final = 16_384
_SHARE, _INVALID, _RUN, _REPEATS = (tuple(DETECTORS[name]) for name in ("share", "invalid", "run", "repeats"))


class DetectorSum(NamedTuple):
    """The sum of one detector for one identity.

    It never falls below zero and refuses nothing. Once it has reached its threshold it stays there until `alarm_ends`.
    """

    name: str
    threshold: int
    ends: int
    alarm_ends: int


class DetectorBuffer:
    """Sums of observations, so that the detectors in the store are not written for each question.

    A sum that weighs much is handed over at once, and all sums are handed over once a second. A process that is killed
    loses the observations that it held: detectors need no exactness, and the budgets, which do, are written elsewhere.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: defaultdict[str, dict[DetectorName, int]] = defaultdict(lambda: dict.fromkeys(DETECTORS, 0))
        self._urgent: set[tuple[str, DetectorName]] = set()
        self._last_position: OrderedDict[str, int] = OrderedDict()

    def record_question(self, key: str, words: Sequence[str], *, units: int, core: int, is_doubt: bool = False) -> None:
        """Record one question of an identity.

        `units` is the number of its words outside the core list that are new to the identity, and `core` that of its
        new core words: repeats are free, and would lower the share for nothing. A doubt (see `Question.is_doubt`)
        concerns mostly words outside the core list, so its share of them means nothing.
        """
        # Two-letter words are published, so they say nothing about the identity.
        positions = [alphabetical_position(word) for word in words if len(word) > 2]
        with self._lock:
            sums = self._sums[key]
            if not is_doubt:
                sums["share"] += units * _SHARE[0] + core * _SHARE[1]
            if positions:
                sums["run"] += self._run_weight(key, positions)
            for detector, weight in sums.items():
                if weight >= _URGENT_THRESHOLD and detector != "invalid":
                    self._urgent.add((key, detector))

    def record_repeats(self, operator: str, *, new: int, repeated: int) -> None:
        """Record words that are new to players: those that are new to the operator, and those that others asked."""
        with self._lock:
            self._sums[operator]["repeats"] += new * _REPEATS[0] + repeated * _REPEATS[1]

    def record_verdict(self, key: str, verdict: bool) -> None:
        """Record the verdict on a play in a game.

        It is never urgent, however much it weighs: no question may cost more or less for the verdict before it.
        """
        with self._lock:
            self._sums[key]["invalid"] += _INVALID[1] if verdict else _INVALID[0]

    def take_due(self, now: int, *, flush_all: bool) -> list[tuple[DetectorSum, int]]:
        """Return the sums that are to be written to the store now, and forget them here."""
        if not (flush_all or self._urgent):
            return []
        with self._lock:
            sums = self._sums
            taken = [(key, detector) for key in sums for detector in DETECTORS] if flush_all else self._urgent
            due = [(f"{detector_prefix(key)}{detector}", sums[key][detector]) for key, detector in taken]
            for key, detector in self._urgent:
                sums[key][detector] = 0
            if flush_all:
                sums.clear()
            self._urgent = set()
        return [
            (DetectorSum(name, ALARM_THRESHOLD, now + DETECTOR_WINDOW_SECONDS, now + ALARM_SECONDS), weight)
            for name, weight in due
            if weight
        ]

    def _run_weight(self, key: str, positions: Sequence[int]) -> int:
        """Return the weight of words by whether each is an alphabetical neighbour of the word before it.

        The word before the first one is the last one that this process saw from the identity.
        """
        before = self._last_position.get(key, positions[0])
        self._last_position[key] = positions[-1]
        self._last_position.move_to_end(key)
        if len(self._last_position) > _MAX_LAST_POSITIONS:
            self._last_position.popitem(last=False)
        weight = 0
        for position in positions:
            # The same word again is not a step along the alphabet.
            if position != before:
                weight += _RUN[0] if is_alphabetical_neighbour(before, position) else _RUN[1]
            before = position
        return weight
