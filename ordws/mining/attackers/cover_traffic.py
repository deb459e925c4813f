"""Cover traffic: questions that keep a miner's detectors below their thresholds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from ordws.guard.detectors import ALARM_THRESHOLD, DETECTORS, DetectorName
from ordws.guard.pace import HOME_ALLOWANCE, LOAD_A_GAME, load_of, operator_allowance
from ordws.guard.policy import Policy
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
        self._core_set = lexicon.core
        self._rng = rng
        self._core_per_word = (1 - share) / share
        self._owed: defaultdict[BenchCaller, float] = defaultdict(float)

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        while self._owed[caller] >= MOST_WORDS:
            self._owed[caller] -= MOST_WORDS
            yield judge_request(caller, self._rng.sample(self._core, MOST_WORDS), None)

    def record_verdict(self, caller: BenchCaller, words: Sequence[str], game: str | None, verdict: bool) -> None:
        self._owed[caller] += self._core_per_word * sum([word not in self._core_set for word in words])


class StealthCover(CoverTraffic):
    """Cover traffic that computes the detectors, whose weights are public, and stays below each threshold.

    New core words outside a game lower `share`. The players of an operator ask the same ones, which lowers `repeats`.
    Core words that are in lower `invalid` when they are asked in a game. A client asks no more in a day than `pace`
    allows it for the games that it has opened.
    """

    def __init__(self, lexicon: SyntheticLexicon, rng: Random, margin: int = MARGIN) -> None:
        self._max_sum = ALARM_THRESHOLD - margin
        self._core_set = lexicon.core
        self._core = sorted(lexicon.core)
        rng.shuffle(self._core)
        self._next_core: defaultdict[BenchCaller, int] = defaultdict(int)
        self._sums: defaultdict[tuple[object, DetectorName], int] = defaultdict(int)
        self._day = 0
        self._asked: defaultdict[object, set[str]] = defaultdict(set)
        """The words that a caller, or any caller of a client, has asked today."""
        self._units: defaultdict[str, int] = defaultdict(int)
        self._games: defaultdict[str, set[tuple[BenchCaller, str]]] = defaultdict(set)

    def may_ask(self, caller: BenchCaller, question: Words, game: str | None, policy: Policy, day: int) -> bool:
        self.start_day(day)
        client = caller.key
        allowance = operator_allowance(policy.operator_units_a_day) if caller.is_of_operator else HOME_ALLOWANCE
        games = len(self._games[client] | ({(caller, game)} if game else set()))
        core = len(self._asked[client] & self._core_set)
        # A question may bring core words as cover, of which each weighs a quarter.
        load = load_of(self._units[client] + len(question), core + MOST_WORDS)
        return load <= allowance + LOAD_A_GAME * games

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        if caller.is_of_operator and self.is_near_alarm(caller.key, "repeats", len(question)):
            yield judge_request(caller, self._next_core_words(caller), None)
        while self.is_near_alarm(caller, "share", len(question)):
            yield judge_request(caller, self._next_core_words(caller), None)
        while game is not None and self.is_near_alarm(caller, "invalid", 1):
            known = knowledge.inference.known
            usable = (word for word in self._core[: self._next_core[caller] or 1] if known.get(word, True))
            yield judge_request(caller, [next(usable, self._core[0])], game)

    def record_verdict(self, caller: BenchCaller, words: Sequence[str], game: str | None, verdict: bool) -> None:
        new = [word for word in words if len(word) > 2 and word not in self._asked[caller]]
        core = sum([word in self._core_set for word in new])
        self._units[caller.key] += len(new) - core
        self._add(caller, "share", mining=len(new) - core, playing=core)
        if caller.is_of_operator:
            repeated = sum([word in self._asked[caller.key] for word in new])
            self._add(caller.key, "repeats", mining=len(new) - repeated, playing=repeated)
        for each in (caller, caller.key):
            self._asked[each].update(new)
        if game is not None:
            self.record_game(caller, game)
            self._add(caller, "invalid", mining=not verdict, playing=verdict)

    def start_day(self, day: int) -> None:
        """Begin to count anew what `pace` compares, if it is another day."""
        if day != self._day:
            self._day = day
            for each in (self._asked, self._units, self._games):
                each.clear()

    def record_game(self, caller: BenchCaller, game: str) -> None:
        """Record that a caller has opened a game, which `pace` allows for."""
        self._games[caller.key].add((caller, game))

    def is_near_alarm(self, owner: object, detector: DetectorName, more: int) -> bool:
        """Return whether this many more observations of mining would bring a detector near its threshold.

        The owner is a caller, or for a detector of an operator as a whole its key.
        """
        return self._sums[owner, detector] + more * DETECTORS[detector].mining > self._max_sum

    def _next_core_words(self, caller: BenchCaller) -> list[str]:
        """Return core words that are new to a caller, the same for all callers."""
        begin = self._next_core[caller] % len(self._core)
        self._next_core[caller] += MOST_WORDS
        return self._core[begin : begin + MOST_WORDS]

    def _add(self, owner: object, detector: DetectorName, *, mining: int = 0, playing: int = 0) -> None:
        weights = DETECTORS[detector]
        weight = mining * weights.mining + playing * weights.playing
        self._sums[owner, detector] = max(0, self._sums[owner, detector] + weight)


class DoverCover(StealthCover):
    """The same beside questions of a word under Dover: its bases, which stand behind it, count for `pace` alone."""

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        return super().cover_requests(caller, question[:1], game, knowledge)

    def record_verdict(self, caller: BenchCaller, words: Sequence[str], game: str | None, verdict: bool) -> None:
        is_cover = words[0] in self._core_set and words[-1] in self._core_set
        super().record_verdict(caller, words if is_cover else words[:1], game, verdict)
        if not is_cover:
            self._units[caller.key] += len(words) - 1
