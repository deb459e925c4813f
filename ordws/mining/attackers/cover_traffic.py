"""Cover traffic: questions that keep a miner's detectors below their thresholds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final

from ordws.guard.detectors import ALARM_THRESHOLD, DETECTORS, DetectorName
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.scheduler import CoverTraffic
from ordws.mining.attackers.steps import BenchCaller, BenchRequest, Words, judge_request
from ordws.mining.synthetic_lexicon import SyntheticLexicon

MOST_WORDS: Final = 8
MARGIN: Final = ALARM_THRESHOLD // 4
"""The distance that is kept from a threshold, since processes write observations late."""


class MixedCover(CoverTraffic):
    """Core words beside the others, so that these are only a share of all."""

    def __init__(self, lexicon: SyntheticLexicon, share: float, rng: Random) -> None:
        self._core = sorted(lexicon.core)
        self._rng = rng
        self._core_per_word = (1 - share) / share
        self._owed: defaultdict[BenchCaller, float] = defaultdict(float)

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        while self._owed[caller] >= MOST_WORDS:
            self._owed[caller] -= MOST_WORDS
            yield judge_request(caller, self._rng.sample(self._core, MOST_WORDS), None)

    def record_verdict(self, caller: BenchCaller, question: Words, game: str | None, verdict: bool) -> None:
        self._owed[caller] += self._core_per_word * len(question)


class StealthCover(CoverTraffic):
    """Cover traffic that computes the detectors, whose weights are public, and stays below each threshold.

    Core words that it has not asked yet lower `share`, and core words that are in lower `invalid` when they are asked
    in a game. How much it asks in a day, which `pace` watches, it does not hide.
    """

    def __init__(self, lexicon: SyntheticLexicon, rng: Random, margin: int = MARGIN) -> None:
        self._max_sum = ALARM_THRESHOLD - margin
        self._core = rng.sample(sorted(lexicon.core), len(lexicon.core))
        self._next: defaultdict[BenchCaller, int] = defaultdict(int)
        self._sums: defaultdict[tuple[BenchCaller, DetectorName], int] = defaultdict(int)

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        while self.is_near_alarm(caller, "share", len(question)):
            # In turn, since a word that was asked before counts for no detector.
            first = self._next[caller]
            self._next[caller] = (first + MOST_WORDS) % len(self._core)
            yield judge_request(caller, self._core[first : first + MOST_WORDS], None)
        while game is not None and self.is_near_alarm(caller, "invalid", 1):
            usable = [word for word in self._core[:MOST_WORDS] if knowledge.inference.known.get(word, True)]
            yield judge_request(caller, usable[:1] or self._core[:1], game)

    def record_cover_verdict(self, request: BenchRequest, verdict: bool) -> None:
        if "game" in request.body:
            self._add(request.caller, "invalid", mining=not verdict, playing=verdict)
        else:
            self._add(request.caller, "share", playing=len(request.body["words"]))

    def record_verdict(self, caller: BenchCaller, question: Words, game: str | None, verdict: bool) -> None:
        self._add(caller, "share", mining=len(question))
        if game is not None:
            self._add(caller, "invalid", mining=not verdict, playing=verdict)

    def is_near_alarm(self, caller: BenchCaller, detector: DetectorName, more: int) -> bool:
        """Return whether this many more observations of mining would bring a detector near its threshold."""
        return self._sums[caller, detector] + more * DETECTORS[detector].mining > self._max_sum

    def _add(self, caller: BenchCaller, detector: DetectorName, *, mining: int = 0, playing: int = 0) -> None:
        weights = DETECTORS[detector]
        weight = mining * weights.mining + playing * weights.playing
        self._sums[caller, detector] = max(0, self._sums[caller, detector] + weight)
