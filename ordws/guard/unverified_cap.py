"""How many units nobody has asked before those who are not verified may spend together in a day. (GUARD, decision 5)"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

from ordws.guard.policy import Policy

MEDIAN_WINDOW_DAYS: Final = 28
HISTORY_DAYS: Final = 400


def unverified_cap(policy: Policy, spent: Mapping[int, int], day: int) -> int:
    """The cap of a day, given what was spent on the days before it that are known.

    A day that came near its own cap does not count, or a flood would raise the cap of the days after it.
    """
    caps: dict[int, int] = {}
    for each in [*sorted(known for known in spent if known < day), day]:
        caps[each] = _cap_from_median(
            policy,
            [
                spent[known]
                for known in range(each - MEDIAN_WINDOW_DAYS, each)
                if known in caps and spent[known] * 5 <= caps[known] * 4
            ],
        )
    return caps[day]


def _cap_from_median(policy: Policy, quiet: list[int]) -> int:
    usual = int(median(quiet)) * policy.world_percent // 100 if quiet else 0
    return min(policy.world_ceiling, max(policy.world_floor, usual))


def alarm_level(cap: int) -> int:
    """From how many on a keeper is told: four fifths of the cap."""
    return cap * 4 // 5
