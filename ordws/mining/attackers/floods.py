"""What the many who are nobody do to the budget that they share."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ordws.guard.policy import DAY, Policy
from ordws.guard.unverified_cap import unverified_cap
from ordws.mining.attackers.steps import Attack, BenchRequest, Wait

_MAX_WORDS: Final = 8
QUIET_PERCENT: Final = 79
"""Of the cap: a day with more would not count for the caps of the days that follow."""


def throttled(attack: Attack, policy: Policy, percent: int = QUIET_PERCENT) -> Attack:
    """The same attack, which stops for the day at so much of the cap, so that the median of the days grows."""
    spent: Counter[int] = Counter()
    step = next(attack)
    while True:
        answer = yield step
        if answer.verdict is not None:
            day = answer.now // DAY
            spent[day] += len(step.body["words"]) if isinstance(step, BenchRequest) else 0
            if (spent[day] + _MAX_WORDS) * 100 > unverified_cap(policy, spent, day) * percent:
                answer = answer._replace(now=(yield Wait((day + 1) * DAY)).now)
        try:
            step = attack.send(answer)
        except StopIteration:
            return
