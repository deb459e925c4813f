"""An attack on a house, on a virtual clock, with an account of all that can be computed from the answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ordws.guard.policy import DAY
from ordws.mining.attackers.ingame import find_told
from ordws.mining.attackers.steps import Answer, Ask, Attack, Restart, Update, Wait, Words
from ordws.mining.baselines import Limited
from ordws.mining.house import House
from ordws.mining.ledger import Learned
from ordws.rules.lists import TWOS_72, TWOS_101
from ordws.rules.rulesets import RULE_SETS, published_word_lists

_WATCHED: Final = 5_000
"""Questions after which nobody looks for the first alarm any more."""


class Front:
    """A house, and the limits of a baseline that stand before it."""

    def __init__(self, house: House, limited: Limited | None = None) -> None:
        self.house, self._limited = house, limited

    def ask(self, ask: Ask, now: int) -> Answer:
        if self._limited is not None and (seconds := self._limited.retry_after(ask.caller.address, now)):
            return Answer(now, 429, retry_after=seconds)
        return self.house.ask(ask, now)


class Outcome(NamedTuple):
    """What came of an attack."""

    learned: Learned
    questions: int
    refused: int
    flagged_after_words: int | None
    """How many words were asked before the first sign came to an alarm; None where none did."""


class Drive:
    """One attack under way."""

    def __init__(
        self, front: Front, learned: Learned, update: Callable[[int], None], begin: int, a_second: int
    ) -> None:
        self._front, self._learned, self._update = front, learned, update
        self._a_second, self._ticks = a_second, begin * a_second
        self._editions: dict[str, int] = {}
        self.questions = self.refused = self.words = self.games = 0
        self.flagged_after: int | None = None

    @property
    def now(self) -> int:
        return self._ticks // self._a_second

    def run(self, attack: Attack, end: int) -> Outcome:
        """The attack until that moment, or until it has nothing left to ask."""
        try:
            step = next(attack)
            while self.now < end:
                step = attack.send(self._take(step))
        except StopIteration:
            pass
        attack.close()
        return Outcome(self._learned, self.questions, self.refused, self.flagged_after)

    def _take(self, step: Ask | Wait | Restart | Update) -> Answer:
        match step:
            case Ask():
                return self._ask(step)
            case Wait(until):
                self._ticks = max(self._ticks, until * self._a_second)
            case Restart():
                self._front.house.start()
            case Update():
                self._update(self.now)
                self._ticks += 2 * self._a_second
        return Answer(self.now)

    def _ask(self, ask: Ask) -> Answer:
        now = self.now
        answer = self._front.ask(ask, now)
        self._ticks += 1
        self.questions += 1
        self.refused += answer.status == 429
        if answer.status == 201:
            self.games += 1
            self._editions[str(answer.body["game"])] = self._front.house.edition
        told = find_verdict(ask, answer)
        if told is not None:
            self._learned.told(*told, self._edition_of(ask), now // DAY)
            self.words += sum([len(word) > 2 for word in told[0]])
        if self.flagged_after is None and self.questions < _WATCHED and self._front.house.alarms(now):
            self.flagged_after = self.words
        return answer._replace(now=self.now)

    def _edition_of(self, ask: Ask) -> int:
        parts = ask.path.split("/")
        return self._editions.get(parts[3] if len(parts) > 3 else "", self._front.house.edition)


def find_verdict(ask: Ask, answer: Answer) -> tuple[Words, bool] | None:
    """The words that an answer gives a verdict on, and which; None where it gives none.

    A word of two letters that a rule set does not list makes a no that says nothing of the other words.
    """
    told: tuple[Words, bool] | None = None
    if answer.status == 200 and ask.path.endswith("/turns"):
        told = find_told(answer.body["happened"])
    elif answer.verdict is not None:
        told = tuple(answer.body.get("words") or ask.body["words"]), answer.verdict
    if told is None:
        return None
    rules = RULE_SETS.get(ask.body.get("rules", ""))
    twos = TWOS_72 if rules is None else published_word_lists(rules).twos
    return told if all(word in twos for word in told[0] if len(word) == 2) else None


FREE: Final = TWOS_101
"""Every word of two letters that some rule set lists."""
