"""How budgets are spent: outside any game, then in as many games as a caller gets, each to its last unit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias

from ordws.guard.policy import DAY
from ordws.mining.attackers.mind import Mind
from ordws.mining.attackers.steps import Answer, Ask, Attack, Caller, Step, Wait, Words, judge

Writes: TypeAlias = Callable[[Caller, Words, str | None], Ask]
"""How a question is put: of words, or as a play on a board."""

_OF_ONE_ROOM: Final = frozenset({"outside", "game", "plays", "invalid"})
_OF_ALL: Final = frozenset({"world", "reserve", "operator"})
_ROOMS: Final = 13
"""Outside, and as many games as anybody gets."""


class Purse:
    """Where a caller asks next. A budget of one game sends it to the next; any other ends what it can do today."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.until = 0
        self._day = -1
        self._at = 0

    def room(self, now: int) -> str | None:
        """The label of a game, or None for outside."""
        if now // DAY != self._day:
            self._day, self._at = now // DAY, 0
        return None if self._at == 0 else f"{self._day}-{self._at}"

    def refused(self, answer: Answer) -> None:
        if answer.budget in _OF_ONE_ROOM and self._at < _ROOMS:
            self._at += 1
        else:
            self.until = answer.now + max(1, answer.retry_after)


class Cover:
    """What is asked beside questions so that they look like a player's. This one hides nothing."""

    def before(self, caller: Caller, question: Words, room: str | None, mind: Mind) -> Iterator[Ask]:
        """What is asked before a question, of words that cost nothing."""
        return iter(())

    def noted(self, beside: Ask, verdict: bool) -> None:
        """Take note of a verdict on what was asked beside."""

    def told(self, caller: Caller, question: Words, room: str | None, verdict: bool) -> None:
        """Take note of a verdict on a question."""


def spend(
    callers: Sequence[Caller],
    questions: Iterable[Words],
    mind: Mind,
    *,
    writes: Writes = judge,
    cover: Cover | None = None,
) -> Attack:
    """Asks one question after the other of whoever may ask, in turn; what one learns, all know.

    A question that is refused is asked elsewhere, and where nobody may ask any more, everybody waits.
    """
    cover = cover or Cover()
    awake = deque([Purse(caller) for caller in callers])
    asleep: list[tuple[int, int, Purse]] = []
    now = (yield Wait(0)).now
    for question in questions:
        while True:
            if not awake:
                now = (yield Wait(asleep[0][0])).now
            while asleep and asleep[0][0] <= now:
                awake.append(heappop(asleep)[2])
            purse = awake[0]
            room = purse.room(now)
            for beside in cover.before(purse.caller, question, room, mind):
                answer = yield beside
                if answer.verdict is None:
                    break
                mind.told(tuple(beside.body["words"]), answer.verdict)
                cover.noted(beside, answer.verdict)
            else:
                answer = yield writes(purse.caller, question, room)
                if answer.verdict is not None:
                    break
            now = answer.now
            purse.refused(answer)
            if purse.until > now:
                resting = [*awake] if answer.budget in _OF_ALL else [purse]
                for each in resting:
                    awake.remove(each)
                    heappush(asleep, (purse.until, id(each), each))
        now = answer.now
        mind.told(question, answer.verdict)
        cover.told(purse.caller, question, room, answer.verdict)
        awake.rotate(-1)


def with_events(attack: Attack, event: Callable[[], Step], every: int) -> Attack:
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
