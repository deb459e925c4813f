"""How budgets are spent: outside any game, then in as many games as a caller gets, each to its last unit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias

from ordws.guard.policy import DAY
from ordws.mining.attackers.knowledge import Knowledge
from ordws.mining.attackers.steps import (
    Attack,
    AttackStep,
    BenchCaller,
    BenchReply,
    BenchRequest,
    Wait,
    Words,
    judge_request,
)

MakeRequest: TypeAlias = Callable[[BenchCaller, Words, str | None], BenchRequest]
"""How a question is put: of words, or as a play on a board."""

_BUDGETS_OF_ONE_GAME: Final = frozenset({"outside", "game", "plays", "invalid"})
_SHARED_BUDGETS: Final = frozenset({"world", "reserve", "operator"})
_MAX_LABELS: Final = 13
"""Outside, and as many games as anybody gets."""


class CallerSchedule:
    """Where a caller asks next. A budget of one game sends it to the next; any other ends what it can do today."""

    def __init__(self, caller: BenchCaller) -> None:
        self.caller = caller
        self.blocked_until = 0
        self._day = -1
        self._label_number = 0

    def game_label(self, now: int) -> str | None:
        """The label of a game, or None for outside."""
        if now // DAY != self._day:
            self._day, self._label_number = now // DAY, 0
        return None if self._label_number == 0 else f"{self._day}-{self._label_number}"

    def record_refusal(self, answer: BenchReply) -> None:
        if answer.budget in _BUDGETS_OF_ONE_GAME and self._label_number < _MAX_LABELS:
            self._label_number += 1
        else:
            self.blocked_until = answer.now + max(1, answer.retry_after)


class CoverTraffic:
    """What is asked beside questions so that they look like a player's. This one hides nothing."""

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        """What is asked before a question, of words that cost nothing."""
        return iter(())

    def record_cover_verdict(self, request: BenchRequest, verdict: bool) -> None:
        """Take note of a verdict on what was asked beside."""

    def record_verdict(self, caller: BenchCaller, question: Words, game: str | None, verdict: bool) -> None:
        """Take note of a verdict on a question."""


def spend(
    callers: Sequence[BenchCaller],
    questions: Iterable[Words],
    knowledge: Knowledge,
    *,
    make_request: MakeRequest = judge_request,
    cover: CoverTraffic | None = None,
) -> Attack:
    """Asks one question after the other of whoever may ask, in turn; what one learns, all know.

    A question that is refused is asked elsewhere, and where nobody may ask any more, everybody waits.
    """
    cover = cover or CoverTraffic()
    awake = deque([CallerSchedule(caller) for caller in callers])
    asleep: list[tuple[int, int, CallerSchedule]] = []
    now = (yield Wait(0)).now
    for question in questions:
        while True:
            if not awake:
                now = (yield Wait(asleep[0][0])).now
            while asleep and asleep[0][0] <= now:
                awake.append(heappop(asleep)[2])
            purse = awake[0]
            room = purse.game_label(now)
            for beside in cover.cover_requests(purse.caller, question, room, knowledge):
                answer = yield beside
                if answer.verdict is None:
                    break
                knowledge.record_verdict(tuple(beside.body["words"]), answer.verdict)
                cover.record_cover_verdict(beside, answer.verdict)
            else:
                answer = yield make_request(purse.caller, question, room)
                if answer.verdict is not None:
                    break
            now = answer.now
            purse.record_refusal(answer)
            if purse.blocked_until > now:
                resting = [*awake] if answer.budget in _SHARED_BUDGETS else [purse]
                for each in resting:
                    awake.remove(each)
                    heappush(asleep, (purse.blocked_until, id(each), each))
        now = answer.now
        knowledge.record_verdict(question, answer.verdict)
        cover.record_verdict(purse.caller, question, room, answer.verdict)
        awake.rotate(-1)


def with_events(attack: Attack, event: Callable[[], AttackStep], every: int) -> Attack:
    """The same attack, in which something happens to the service after so many of its steps."""
    step, count = next(attack), 0
    while True:
        answer = yield step
        count += 1
        if count % every == 0:
            yield event()
        try:
            step = attack.send(answer)
        except StopIteration:
            return
