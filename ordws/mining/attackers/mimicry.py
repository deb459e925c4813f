"""Looking like a player: what a miner asks beside its questions so that no sign of mining comes to an alarm."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final

from ordws.guard.detectors import ALARM, SIGNS, SignName
from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.spending import Cover
from ordws.mining.attackers.steps import Ask, Caller, Words, judge
from ordws.mining.world import World

MOST_WORDS: Final = 8
MARGIN: Final = ALARM // 4
"""How far below an alarm one stays, since a process tells the store late."""


class Mixed(Cover):
    """Core words beside the others, so that these are no more than a share of all."""

    def __init__(self, world: World, share: float, rng: Random) -> None:
        self._core = sorted(world.core)
        self._rng = rng
        self._a_word = (1 - share) / share
        self._owed: defaultdict[Caller, float] = defaultdict(float)

    def before(self, caller: Caller, question: Words, room: str | None, mind: Mind) -> Iterator[Ask]:
        while self._owed[caller] >= MOST_WORDS:
            self._owed[caller] -= MOST_WORDS
            yield judge(caller, self._rng.sample(self._core, MOST_WORDS), None)

    def told(self, caller: Caller, question: Words, room: str | None, verdict: bool) -> None:
        self._owed[caller] += self._a_word * len(question)


class Watched(Cover):
    """Keeps account of the signs as the guard does, whose weights are public, and stays below each alarm.

    Core words outside a game lower the share of others, a word asked before lowers what is asked but once, and core
    words that are in lower, in a game, the share of bad plays.
    """

    def __init__(self, world: World, rng: Random, margin: int = MARGIN) -> None:
        self._most = ALARM - margin
        self._cheap = world.core
        self._core = sorted(world.core)
        self._rng = rng
        self._sums: defaultdict[tuple[Caller, SignName], int] = defaultdict(int)
        self._asked: defaultdict[Caller, list[str]] = defaultdict(list)

    def before(self, caller: Caller, question: Words, room: str | None, mind: Mind) -> Iterator[Ask]:
        while self.is_near(caller, "share", len(question)):
            yield judge(caller, self._rng.sample(self._core, MOST_WORDS), None)
        if self._asked[caller] and self.is_near(caller, "fresh", len(question)):
            yield judge(caller, self._asked[caller][-1:], None)
        while room is not None and self.is_near(caller, "invalid", 1):
            yield judge(caller, [self._good(mind)], room)

    def noted(self, beside: Ask, verdict: bool) -> None:
        core = sum([word in self._cheap for word in beside.body["words"]])
        self._add(beside.caller, "share", playing=core)
        self._add(beside.caller, "fresh", playing=len(beside.body["words"]) - core)
        if "game" in beside.body:
            self._add(beside.caller, "invalid", mining=not verdict, playing=verdict)

    def told(self, caller: Caller, question: Words, room: str | None, verdict: bool) -> None:
        self._asked[caller] = list(question) or self._asked[caller]
        self._add(caller, "share", mining=len(question))
        self._add(caller, "fresh", mining=len(question))
        if room is not None:
            self._add(caller, "invalid", mining=not verdict, playing=verdict)

    def _good(self, mind: Mind) -> str:
        """A core word that is known to be in; another where none is known."""
        tried = self._rng.sample(self._core, min(len(self._core), 64))
        return next((word for word in tried if mind.ledger.known.get(word)), tried[0])

    def is_near(self, caller: Caller, sign: SignName, more: int) -> bool:
        """Whether so much more of what miners do would bring a sign near its alarm."""
        return self._sums[caller, sign] + more * SIGNS[sign].mining > self._most

    def _add(self, caller: Caller, sign: SignName, *, mining: int = 0, playing: int = 0) -> None:
        weights = SIGNS[sign]
        by = mining * weights.mining + playing * weights.playing
        self._sums[caller, sign] = max(0, self._sums[caller, sign] + by)
