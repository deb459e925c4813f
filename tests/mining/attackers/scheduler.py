"""The schedule of questions over callers: first outside any game, then in game after game, each to its last unit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, TypeAlias

from ordws.guard.policy import DAY, Policy
from tests.mining.attackers.knowledge import Knowledge
from tests.mining.attackers.steps import (
    Attack,
    AttackStep,
    BenchCaller,
    BenchRequest,
    Wait,
    Words,
    judge_request,
)

MakeRequest: TypeAlias = Callable[[BenchCaller, Words, str | None], BenchRequest]
"""The form of a question: words, or a play on a board."""

RecordVerdict: TypeAlias = Callable[[Words, bool], None]

_BUDGETS_OF_ONE_GAME: Final = frozenset({"outside", "game", "plays"})
_SHARED_BUDGETS: Final = frozenset({"world", "operator"})
"""The budgets of a client as a whole."""

_MAX_LABELS: Final = 13
"""One for questions outside games, and as many as a caller gets games."""


@dataclass
class CallerSchedule:
    """The game in which a caller asks next, by its number on that day; 0 stands for outside any game."""

    caller: BenchCaller
    day: int = -1
    game_number: int = 0


class CoverTraffic:
    """Questions beside the others that make them look like a player's. This class asks none."""

    def may_ask(self, caller: BenchCaller, question: Words, game: str | None, policy: Policy, day: int) -> bool:
        """Return whether a question keeps the caller inconspicuous for the day."""
        return True

    def cover_requests(
        self, caller: BenchCaller, question: Words, game: str | None, knowledge: Knowledge
    ) -> Iterator[BenchRequest]:
        """Yield requests to be made before a question, of words that cost nothing."""
        return iter(())

    def record_verdict(self, caller: BenchCaller, words: Sequence[str], game: str | None, verdict: bool) -> None:
        """Record the verdict on a question, or on a request beside it."""


def spend(
    callers: Sequence[BenchCaller],
    questions: Iterable[Words],
    knowledge: Knowledge,
    *,
    make_request: MakeRequest = judge_request,
    cover: CoverTraffic | None = None,
    first_game: int = 0,
    record_verdict: RecordVerdict | None = None,
) -> Attack:
    """Ask the questions, each through the next caller that may ask; all callers share what they learn.

    Each caller begins a day in its game with the number `first_game`. A refused question is asked in another game or by
    another caller. If no caller may ask, the attack waits.
    """
    cover = cover or CoverTraffic()
    ready = deque([CallerSchedule(caller) for caller in callers])
    # Blocked callers by the moment they may ask again; a number keeps the heap from comparing schedules.
    blocked: list[tuple[int, int, CallerSchedule]] = []
    now = (yield Wait(0)).now
    for question in questions:
        while True:
            if not ready:
                now = (yield Wait(blocked[0][0])).now
            while blocked and blocked[0][0] <= now:
                ready.append(heappop(blocked)[2])
            schedule = ready[0]
            if now // DAY != schedule.day:
                schedule.day, schedule.game_number = now // DAY, first_game
            game = None if schedule.game_number == 0 else f"{schedule.day}-{schedule.game_number}"
            if not cover.may_ask(schedule.caller, question, game, knowledge.policy, schedule.day):
                if schedule.game_number < knowledge.policy.games_a_day:
                    schedule.game_number += 1
                    continue
                ready.remove(schedule)
                heappush(blocked, ((schedule.day + 1) * DAY, id(schedule), schedule))
                continue
            for request in cover.cover_requests(schedule.caller, question, game, knowledge):
                reply = yield request
                if reply.verdict is None:
                    break
                knowledge.record_verdict(tuple(request.body["words"]), reply.verdict)
                cover.record_verdict(request.caller, request.body["words"], request.body.get("game"), reply.verdict)
            else:
                reply = yield make_request(schedule.caller, question, game)
                if reply.verdict is not None:
                    break
            now = reply.now
            # A budget of one game sends the caller to its next game; any other ends its day.
            if reply.budget in _BUDGETS_OF_ONE_GAME and schedule.game_number < _MAX_LABELS:
                schedule.game_number += 1
                continue
            is_shared = reply.budget in _SHARED_BUDGETS
            # Another client may have something left of a budget whose share this client has spent.
            spent = [each for each in ready if each.caller.key == schedule.caller.key] if is_shared else [schedule]
            for each in spent:
                ready.remove(each)
                heappush(blocked, (now + max(1, reply.retry_after), id(each), each))
        now = reply.now
        (record_verdict or knowledge.record_verdict)(question, reply.verdict)
        cover.record_verdict(schedule.caller, question, game, reply.verdict)
        ready.rotate(-1)


def until_next_day(attack: Attack) -> Attack:
    """Return the same attack up to the moment when it waits for the next day."""
    step = next(attack)
    while True:
        reply = yield step
        try:
            step = attack.send(reply)
        except StopIteration:
            return
        if isinstance(step, Wait) and step.until // DAY > reply.now // DAY:
            return


def with_events(attack: Attack, event: Callable[[], AttackStep], every: int) -> Attack:
    """Return the same attack with an event after every so many of its steps."""
    step, count = next(attack), 0
    while True:
        reply = yield step
        count += 1
        if count % every == 0:
            yield event()
        try:
            step = attack.send(reply)
        except StopIteration:
            return
