"""The driver of an attack: it performs the attack's steps on a virtual clock and records what the answers settle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.rules.published_lists import TWOS_72, TWOS_101
from ordws.rules.ruleset import RULE_SETS, HomeRules, published_word_lists
from tests.mining.attackers.attacks import CallerKind
from tests.mining.attackers.sealed_game_bot import find_verdicts
from tests.mining.attackers.steps import (
    Attack,
    AttackStep,
    BenchCaller,
    BenchReply,
    BenchRequest,
    Restart,
    Update,
    Wait,
    Words,
)
from tests.mining.baselines import BaselineLimiter
from tests.mining.inference import LearnedWords
from tests.mining.installation import BenchInstallation

# Looking for alarms reads the store after every question.
_MAX_QUESTIONS_WATCHED: Final = 5_000
"""The number of questions after which the first alarm is not looked for any more."""


class BenchTarget:
    """An installation, behind the limits of a baseline if there are any."""

    def __init__(self, installation: BenchInstallation, limiter: BaselineLimiter | None = None) -> None:
        self.installation, self._limiter = installation, limiter

    def ask(self, request: BenchRequest, now: int) -> BenchReply:
        if self._limiter is not None and (seconds := self._limiter.retry_after(request.caller.address, now)):
            return BenchReply(now, 429, retry_after=seconds)
        return self.installation.ask(request, now)


def add_attackers(installation: BenchInstallation, kind: CallerKind, count: int, now: int) -> list[BenchCaller]:
    """Register the callers of an attack, all of whose keys are old."""
    if kind == "guests":
        return [installation.add_guest(f"guest {number}", now) for number in range(count)]
    if kind == "visitors":
        return [BenchCaller("", f"visitor {number}") for number in range(count)]
    if kind in ("verified", "unverified"):
        names = [f"attacker {number}" for number in range(count)]
        return [installation.add_client(name, now, verified=kind == "verified") for name in names]
    is_verified = kind != "unverified-pseudonyms"
    operator = installation.add_client("operator", now, kind="operator", verified=is_verified)
    if kind in ("devices", "directors"):
        is_director = [kind == "directors" and number % 2 == 1 for number in range(count)]
        return [
            installation.pair_device(operator, f"table {number}", now, director=each)
            for number, each in enumerate(is_director)
        ]
    return [operator._replace(player=f"player {number}") for number in range(count)]


class AttackOutcome(NamedTuple):
    """The result of an attack."""

    learned: LearnedWords
    questions: int
    refused: int
    flagged_after_words: int | None
    """The number of words asked before the first alarm; None if there was none."""


class AttackDriver:
    """One attack in progress."""

    def __init__(
        self,
        target: BenchTarget,
        learned: LearnedWords,
        publish_next: Callable[[int], None],
        begin: int,
        ticks_per_second: int,
    ) -> None:
        self._target, self._learned, self._publish_next = target, learned, publish_next
        # One tick passes for each question, so that several questions may fall into one second.
        self._ticks_per_second, self._ticks = ticks_per_second, begin * ticks_per_second
        self._editions: dict[str, int] = {}
        self._marks: dict[tuple[BenchCaller, str, bool], tuple[int, int]] = {}
        self.questions = self.refused = self.words = self.games = 0
        self.flagged_after: int | None = None

    @property
    def now(self) -> int:
        return self._ticks // self._ticks_per_second

    def run(self, attack: Attack, end: int) -> AttackOutcome:
        """Run the attack until that moment, or until it has nothing left to ask."""
        try:
            step = next(attack)
            while self.now < end:
                step = attack.send(self._perform(step))
        except StopIteration:
            pass
        attack.close()
        return AttackOutcome(self._learned, self.questions, self.refused, self.flagged_after)

    def _perform(self, step: AttackStep) -> BenchReply:
        installation, now = self._target.installation, self.now
        match step:
            case Wait(until):
                self._ticks = max(self._ticks, until * self._ticks_per_second)
                return BenchReply(self.now)
            case Restart():
                installation.start()
                return BenchReply(now)
            case Update():
                self._publish_next(now)
                # The service looks for a new edition once a second.
                self._ticks += 2 * self._ticks_per_second
                return BenchReply(self.now)
            case BenchRequest():
                reply = self._target.ask(step, now)
        self._ticks += 1
        self.questions += 1
        self.refused += reply.status == 429
        if reply.status == 201:
            self.games += 1
            self._editions[str(reply.body["game"])] = installation.edition
        rules = RULE_SETS.get(step.body.get("rules", ""))
        twos = TWOS_72 if rules is None else published_word_lists(rules).twos
        for words, verdict in find_verdicts(step, reply):
            # A two-letter word that a rule set does not list makes a no that says nothing about the other words.
            if all(word in twos for word in words if len(word) == 2):
                is_dover = rules is not None and rules.home_rules is HomeRules.DOVER
                self._record(step, words, verdict, now, is_dover=is_dover)
                self.words += sum([len(word) > 2 for word in words])
        is_watched = self.flagged_after is None and self.questions < _MAX_QUESTIONS_WATCHED
        if is_watched and installation.clients_in_alarm(now):
            self.flagged_after = self.words
        return reply._replace(now=self.now)

    def _record(self, request: BenchRequest, words: Words, verdict: bool, now: int, *, is_dover: bool) -> None:
        """Record a verdict under the edition that it came from."""
        current, parts = self._target.installation.edition, request.path.split("/")
        if parts[2] == "games" and len(parts) > 3:
            # A sealed game keeps the edition it began with.
            self._learned.record(words, verdict, self._editions[parts[3]], now // DAY)
            return
        # A word is answered until midnight from the edition under which it was charged.
        editions: defaultdict[int, list[str]] = defaultdict(list)
        for word in words:
            edition, ends = self._marks.get((request.caller, word, is_dover), (current, 0))
            if ends <= now:
                edition = current
                self._marks[request.caller, word, is_dover] = current, (now // DAY + 1) * DAY
            editions[edition].append(word)
        # A no on words of several editions does not tell in which of them a word is out.
        if verdict or len(editions) == 1:
            for edition, answered in editions.items():
                self._learned.record(answered, verdict, edition, now // DAY, is_dover=is_dover)


FREE_TWOS: Final = TWOS_101
"""Every two-letter word that some rule set lists."""
