"""An attack on a house, on a virtual clock, with an account of all that can be computed from the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.mining.attackers.sealed_game_bot import find_turn_verdict
from ordws.mining.attackers.steps import Attack, BenchReply, BenchRequest, Restart, Update, Wait, Words
from ordws.mining.baselines import BaselineLimiter
from ordws.mining.inference import LearnedWords
from ordws.mining.installation import BenchInstallation
from ordws.rules.published_lists import TWOS_72, TWOS_101
from ordws.rules.rulesets import RULE_SETS, published_word_lists

_MAX_QUESTIONS_WATCHED: Final = 5_000
"""Questions after which nobody looks for the first alarm any more."""


class BenchTarget:
    """A house, and the limits of a baseline that stand before it."""

    def __init__(self, installation: BenchInstallation, limiter: BaselineLimiter | None = None) -> None:
        self.installation, self._limiter = installation, limiter

    def ask(self, request: BenchRequest, now: int) -> BenchReply:
        if self._limiter is not None and (seconds := self._limiter.retry_after(request.caller.address, now)):
            return BenchReply(now, 429, retry_after=seconds)
        return self.installation.ask(request, now)


class AttackOutcome(NamedTuple):
    """What came of an attack."""

    learned: LearnedWords
    questions: int
    refused: int
    flagged_after_words: int | None
    """How many words were asked before the first sign came to an alarm; None where none did."""


class AttackDriver:
    """One attack under way."""

    def __init__(
        self,
        target: BenchTarget,
        learned: LearnedWords,
        update: Callable[[int], None],
        begin: int,
        ticks_per_second: int,
    ) -> None:
        self._target, self._learned, self._update = target, learned, update
        self._ticks_per_second, self._ticks = ticks_per_second, begin * ticks_per_second
        self._editions: dict[str, int] = {}
        self.questions = self.refused = self.words = self.games = 0
        self.flagged_after: int | None = None

    @property
    def now(self) -> int:
        return self._ticks // self._ticks_per_second

    def run(self, attack: Attack, end: int) -> AttackOutcome:
        """The attack until that moment, or until it has nothing left to ask."""
        try:
            step = next(attack)
            while self.now < end:
                step = attack.send(self._perform(step))
        except StopIteration:
            pass
        attack.close()
        return AttackOutcome(self._learned, self.questions, self.refused, self.flagged_after)

    def _perform(self, step: BenchRequest | Wait | Restart | Update) -> BenchReply:
        match step:
            case BenchRequest():
                return self._ask(step)
            case Wait(until):
                self._ticks = max(self._ticks, until * self._ticks_per_second)
            case Restart():
                self._target.installation.start()
            case Update():
                self._update(self.now)
                self._ticks += 2 * self._ticks_per_second
        return BenchReply(self.now)

    def _ask(self, request: BenchRequest) -> BenchReply:
        now = self.now
        answer = self._target.ask(request, now)
        self._ticks += 1
        self.questions += 1
        self.refused += answer.status == 429
        if answer.status == 201:
            self.games += 1
            self._editions[str(answer.body["game"])] = self._target.installation.edition
        told = find_verdict(request, answer)
        if told is not None:
            self._learned.record(*told, self._edition_of(request), now // DAY)
            self.words += sum([len(word) > 2 for word in told[0]])
        if (
            self.flagged_after is None
            and self.questions < _MAX_QUESTIONS_WATCHED
            and self._target.installation.active_alarms(now)
        ):
            self.flagged_after = self.words
        return answer._replace(now=self.now)

    def _edition_of(self, request: BenchRequest) -> int:
        parts = request.path.split("/")
        return self._editions.get(parts[3] if len(parts) > 3 else "", self._target.installation.edition)


def find_verdict(request: BenchRequest, answer: BenchReply) -> tuple[Words, bool] | None:
    """The words that an answer gives a verdict on, and which; None where it gives none.

    A word of two letters that a rule set does not list makes a no that says nothing of the other words.
    """
    told: tuple[Words, bool] | None = None
    if answer.status == 200 and request.path.endswith("/turns"):
        told = find_turn_verdict(answer.body["happened"])
    elif answer.verdict is not None:
        told = tuple(answer.body.get("words") or request.body["words"]), answer.verdict
    if told is None:
        return None
    rules = RULE_SETS.get(request.body.get("rules", ""))
    twos = TWOS_72 if rules is None else published_word_lists(rules).twos
    return told if all(word in twos for word in told[0] if len(word) == 2) else None


FREE_TWOS: Final = TWOS_101
"""Every word of two letters that some rule set lists."""
