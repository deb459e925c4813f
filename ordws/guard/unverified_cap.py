"""The daily cap on units that all unverified callers spend together (docs/guard.md Decision 5)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Final

from ordws.guard.policy import Policy

MEDIAN_WINDOW_DAYS: Final = 28


def unverified_cap(policy: Policy, spent: Mapping[int, int], day: int) -> int:
    """Return the cap of a day, given the units spent by day; days that are not known are left out.

    A day that came near its own cap does not count, or a flood would raise the cap of the following days.
    """
    caps: dict[int, int] = {}
    for each in [*sorted(known for known in spent if known < day), day]:
        window = range(each - MEDIAN_WINDOW_DAYS, each)
        quiet = [spent[known] for known in window if known in caps and spent[known] * 5 <= caps[known] * 4]
        grown = int(median(quiet)) * policy.world_percent // 100 if quiet else 0
        caps[each] = min(policy.world_ceiling, max(policy.world_floor, grown))
    return caps[day]


def alarm_level(cap: int) -> int:
    """Return the number of units from which keepers are alarmed: four fifths of the cap."""
    return cap * 4 // 5
