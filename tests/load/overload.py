"""A load of three times the capacity: the service answers as much as ever, refuses the rest at once, and recovers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tests.load.capacity import GOAL_SECONDS
from tests.load.load_setup import Site
from tests.load.request_stats import HEADINGS, RequestStats, as_json, cells, line, merge_stats

TIMES: Final = 3.0
LEAST_GOODPUT: Final = 0.8
RECOVERY_SECONDS: Final = 10
AFTER: Final = 0.5
"""The share of the capacity that is sent after the overload."""

_BEFORE_SECONDS: Final = 5
_AFTER_SECONDS: Final = 20
_SHOWN_EVERY: Final = 10


class Overload(NamedTuple):
    """The statistics of each second before, during and after the overload."""

    capacity: float
    before: list[RequestStats]
    during: list[RequestStats]
    after: list[RequestStats]

    @property
    def goodput(self) -> float:
        """The answers per second during the overload, as a share of the capacity."""
        return merge_stats(self.during).goodput / self.capacity

    @property
    def recovered_after(self) -> int | None:
        """The whole seconds until the first second without problems, or None."""
        return next((second for second, tally in enumerate(self.after) if _is_well(tally)), None)

    @property
    def stays_well(self) -> bool:
        """True if there are no problems after the time allowed for recovery."""
        return _is_well(merge_stats(self.after[RECOVERY_SECONDS:]))

    @property
    def errors(self) -> dict[str, int]:
        """The replies that were neither an answer nor a well-formed 503."""
        return dict(merge_stats([*self.before, *self.during, *self.after]).errors)

    @property
    def holds(self) -> bool:
        after = self.recovered_after
        recovers = after is not None and after <= RECOVERY_SECONDS and self.stays_well
        return self.goodput >= LEAST_GOODPUT and not self.errors and recovers


def _is_well(tally: RequestStats) -> bool:
    return tally.p99_of_all <= GOAL_SECONDS and not tally.refused


def requests_of_overload(capacity: float, seconds: int) -> int:
    return int(capacity * (TIMES * seconds + _BEFORE_SECONDS + _AFTER_SECONDS))


async def overload(site: Site, capacity: float, seconds: int, show: Callable[[str], object]) -> Overload:
    """Send half of the capacity, three times of it, and half of it again, counted second by second."""
    generator = site.generator()

    async def seconds_at(rate: float, count: int, name: str) -> list[RequestStats]:
        tallies: list[RequestStats] = []
        for second in range(1, count + 1):
            tallies.append(await site.measure(generator, rate, 1.0))
            if second % _SHOWN_EVERY == 0 or second == count:
                show(line(cells(merge_stats(tallies[-_SHOWN_EVERY:])), f"{name} {second}"))
        return tallies

    show(line(HEADINGS))
    before = await seconds_at(capacity * AFTER, _BEFORE_SECONDS, "before")
    during = await seconds_at(capacity * TIMES, seconds, "overload")
    after = await seconds_at(capacity * AFTER, _AFTER_SECONDS, "after")
    await generator.drain()
    generator.close()
    return Overload(capacity, before, during, after)


def report(found: Overload) -> dict[str, Any]:
    return {
        "capacity": found.capacity,
        "goodput_of_capacity": round(found.goodput, 3),
        "recovered_after_seconds": found.recovered_after,
        "stays_well": found.stays_well,
        "errors": found.errors,
        "holds": found.holds,
        "before": as_json(merge_stats(found.before)),
        "during": as_json(merge_stats(found.during)),
        "after": as_json(merge_stats(found.after)),
        "seconds": [as_json(each) for each in (*found.during, *found.after)],
    }
