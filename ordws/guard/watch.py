"""What a process has seen of its callers' habits and not yet told the store."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ordws.guard.detectors import ALARM, SIGNS, SignName, is_near, rank
from ordws.guard.policy import DAY
from ordws.guard.price import signs_of

SIGN_SECONDS: Final = 3 * DAY
"""How long a sign sums up. Who asks now and then of doubtful words alone, as a judge does at a table, is no miner."""

ALARM_SECONDS: Final = 28 * DAY
_HELD: Final = ALARM // 8
_REMEMBERED: Final = 16_384


class Sign(NamedTuple):
    """A counter that never falls below zero and refuses nothing; once at its alarm it stays there until that ends."""

    name: str
    alarm: int
    ends: int
    alarm_ends: int


class Watch:
    """Sums of what was seen, so that the signs in the store need no write of their own for each question.

    They are handed over at once where they weigh much, and each second in any case. A process that is killed forgets
    what it held: detectors need no exactness, budgets do and have it elsewhere.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: defaultdict[str, int] = defaultdict(int)
        self._heavy: set[str] = set()
        self._last: OrderedDict[str, int] = OrderedDict()

    def asked(self, me: str, words: Sequence[str], *, dear: int, new: int, is_doubt: bool = False) -> None:
        """Note one question of an identity: so many words outside the core list, of which so many were new to it.

        What is in doubt is mostly outside the core list, and so says nothing by its share.
        """
        places = [rank(word) for word in words if len(word) > 2]
        with self._lock:
            if not is_doubt:
                self._add(me, "share", new, len(places) - dear)
            self._add(me, "fresh", new, dear - new)
            self._add(me, "run", *self._runs(me, places))

    def answered(self, me: str, verdict: bool) -> None:
        """Note the verdict on a play in a game.

        It is never told at once, however much it weighs: no question costs more or less for the verdict before it.
        """
        weights = SIGNS["invalid"]
        with self._lock:
            self._sums[f"{signs_of(me)}invalid"] += weights.playing if verdict else weights.mining

    def due(self, now: int, *, all_of_it: bool) -> list[tuple[Sign, int]]:
        """What is to be told the store now, and is no longer held here."""
        if not (all_of_it or self._heavy):
            return []
        with self._lock:
            names = list(self._sums) if all_of_it else self._heavy
            due = [(name, self._sums.pop(name)) for name in names]
            self._heavy = set()
        return [(Sign(name, ALARM, now + SIGN_SECONDS, now + ALARM_SECONDS), by) for name, by in due if by]

    def _add(self, me: str, sign: SignName, mining: int, playing: int) -> None:
        if not (mining or playing):
            return
        weights, name = SIGNS[sign], f"{signs_of(me)}{sign}"
        self._sums[name] = weighs = self._sums[name] + mining * weights.mining + playing * weights.playing
        if weighs >= _HELD:
            self._heavy.add(name)

    def _runs(self, me: str, places: list[int]) -> tuple[int, int]:
        """How many words stand near the one before in the alphabet, and how many do not.

        Only this process knows which word came last.
        """
        if not places:
            return 0, 0
        before = self._last.get(me)
        self._last[me] = places[-1]
        self._last.move_to_end(me)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        if before is not None:
            places = [before, *places]
        pairs = [pair for pair in pairwise(places) if pair[0] != pair[1]]  # the same word again is no run
        near = sum([is_near(*pair) for pair in pairs])
        return near, len(pairs) - near
