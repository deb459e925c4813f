"""What a process has seen of its callers' habits and not yet told the store."""

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
"""How long a sign sums up. Who asks now and then of doubtful words alone, as a judge does at a table, is no miner."""

ALARM_SECONDS: Final = 28 * DAY
_URGENT_THRESHOLD: Final = ALARM_THRESHOLD // 8
_MAX_LAST_POSITIONS: Final = 16_384
_SHARE, _INVALID, _RUN, _FRESH = (tuple(DETECTORS[sign]) for sign in ("share", "invalid", "run", "fresh"))


class DetectorSum(NamedTuple):
    """A counter that never falls below zero and refuses nothing; once at its alarm it stays there until that ends."""

    name: str
    threshold: int
    ends: int
    alarm_ends: int


class DetectorBuffer:
    """Sums of what was seen, so that the signs in the store need no write of their own for each question.

    They are handed over at once where they weigh much, and each second in any case. A process that is killed forgets
    what it held: detectors need no exactness, budgets do and have it elsewhere.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: defaultdict[str, dict[DetectorName, int]] = defaultdict(lambda: dict.fromkeys(DETECTORS, 0))
        self._urgent: set[tuple[str, DetectorName]] = set()
        self._last_position: OrderedDict[str, int] = OrderedDict()

    def record_question(
        self, key: str, words: Sequence[str], *, non_core: int, new: int, is_doubt: bool = False
    ) -> None:
        """Note one question of an identity: so many words outside the core list, of which so many were new to it.

        What is in doubt is mostly outside the core list, and so says nothing by its share.
        """
        places = [alphabetical_position(word) for word in words if len(word) > 2]
        with self._lock:
            sums = self._sums[key]
            if not is_doubt:
                sums["share"] += new * _SHARE[0] + (len(places) - non_core) * _SHARE[1]
            sums["fresh"] += new * _FRESH[0] + (non_core - new) * _FRESH[1]
            if places:
                sums["run"] += self._run_weight(key, places)
            for sign, weighs in sums.items():
                if weighs >= _URGENT_THRESHOLD and sign != "invalid":
                    self._urgent.add((key, sign))

    def record_verdict(self, key: str, verdict: bool) -> None:
        """Note the verdict on a play in a game.

        It is never told at once, however much it weighs: no question costs more or less for the verdict before it.
        """
        with self._lock:
            self._sums[key]["invalid"] += _INVALID[1] if verdict else _INVALID[0]

    def take_due(self, now: int, *, flush_all: bool) -> list[tuple[DetectorSum, int]]:
        """What is to be told the store now, and is no longer held here."""
        if not (flush_all or self._urgent):
            return []
        with self._lock:
            held = self._sums
            signs = [(me, sign) for me in held for sign in DETECTORS] if flush_all else self._urgent
            due = [(f"{detector_prefix(me)}{sign}", held[me][sign]) for me, sign in signs]
            for me, sign in self._urgent:
                held[me][sign] = 0
            if flush_all:
                held.clear()
            self._urgent = set()
        return [
            (DetectorSum(name, ALARM_THRESHOLD, now + DETECTOR_WINDOW_SECONDS, now + ALARM_SECONDS), by)
            for name, by in due
            if by
        ]

    def _run_weight(self, key: str, positions: Sequence[int]) -> int:
        """What it weighs how many words stand near the one before in the alphabet, and how many do not.

        Only this process knows which word came last.
        """
        before = self._last_position.get(key, positions[0])
        self._last_position[key] = positions[-1]
        self._last_position.move_to_end(key)
        if len(self._last_position) > _MAX_LAST_POSITIONS:
            self._last_position.popitem(last=False)
        weighs = 0
        for place in positions:
            if place != before:  # the same word again is no run
                weighs += _RUN[0] if is_alphabetical_neighbour(before, place) else _RUN[1]
            before = place
        return weighs
