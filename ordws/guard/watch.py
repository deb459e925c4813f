"""What a process has seen of its callers' habits and not yet told the store."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordws.guard.detectors import ALARM, SIGNS, SignName, is_near, rank
from ordws.guard.policy import DAY
from ordws.guard.price import signs_of

SIGN_SECONDS: Final = 3 * DAY
"""How long a sign sums up. Who asks now and then of doubtful words alone, as a judge does at a table, is no miner."""

ALARM_SECONDS: Final = 28 * DAY
_HELD: Final = ALARM // 8
_REMEMBERED: Final = 16_384
_SHARE, _INVALID, _RUN, _FRESH = (tuple(SIGNS[sign]) for sign in ("share", "invalid", "run", "fresh"))


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
        self._sums: defaultdict[str, dict[SignName, int]] = defaultdict(lambda: dict.fromkeys(SIGNS, 0))
        self._heavy: set[tuple[str, SignName]] = set()
        self._last: OrderedDict[str, int] = OrderedDict()

    def asked(self, me: str, words: Sequence[str], *, dear: int, new: int, is_doubt: bool = False) -> None:
        """Note one question of an identity: so many words outside the core list, of which so many were new to it.

        What is in doubt is mostly outside the core list, and so says nothing by its share.
        """
        places = [rank(word) for word in words if len(word) > 2]
        with self._lock:
            sums = self._sums[me]
            if not is_doubt:
                sums["share"] += new * _SHARE[0] + (len(places) - dear) * _SHARE[1]
            sums["fresh"] += new * _FRESH[0] + (dear - new) * _FRESH[1]
            if places:
                sums["run"] += self._runs(me, places)
            for sign, weighs in sums.items():
                if weighs >= _HELD and sign != "invalid":
                    self._heavy.add((me, sign))

    def answered(self, me: str, verdict: bool) -> None:
        """Note the verdict on a play in a game.

        It is never told at once, however much it weighs: no question costs more or less for the verdict before it.
        """
        with self._lock:
            self._sums[me]["invalid"] += _INVALID[1] if verdict else _INVALID[0]

    def due(self, now: int, *, all_of_it: bool) -> list[tuple[Sign, int]]:
        """What is to be told the store now, and is no longer held here."""
        if not (all_of_it or self._heavy):
            return []
        with self._lock:
            held = self._sums
            signs = [(me, sign) for me in held for sign in SIGNS] if all_of_it else self._heavy
            due = [(f"{signs_of(me)}{sign}", held[me][sign]) for me, sign in signs]
            for me, sign in self._heavy:
                held[me][sign] = 0
            if all_of_it:
                held.clear()
            self._heavy = set()
        return [(Sign(name, ALARM, now + SIGN_SECONDS, now + ALARM_SECONDS), by) for name, by in due if by]

    def _runs(self, me: str, places: Sequence[int]) -> int:
        """What it weighs how many words stand near the one before in the alphabet, and how many do not.

        Only this process knows which word came last.
        """
        before = self._last.get(me, places[0])
        self._last[me] = places[-1]
        self._last.move_to_end(me)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        weighs = 0
        for place in places:
            if place != before:  # the same word again is no run
                weighs += _RUN[0] if is_near(before, place) else _RUN[1]
            before = place
        return weighs
