"""Three times what the service can carry: it answers as much as ever, tells the rest at once, and recovers."""

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
"""Of capacity: what is asked after the overload."""

_BEFORE_SECONDS: Final = 5
_AFTER_SECONDS: Final = 20
_TOLD_EVERY: Final = 10


class Overload(NamedTuple):
    """Each second of it, before, while and after more is asked than can be answered."""

    capacity: float
    before: list[RequestStats]
    during: list[RequestStats]
    after: list[RequestStats]

    @property
    def goodput(self) -> float:
        """Answers a second while it lasted, as a part of capacity."""
        return merge_stats(self.during).goodput / self.capacity

    @property
    def recovered_after(self) -> int | None:
        """The whole seconds until one in which all is well again, or None."""
        return next((second for second, tally in enumerate(self.after) if _is_well(tally)), None)

    @property
    def stays_well(self) -> bool:
        """Whether all is well in the whole time after it has to be."""
        return _is_well(merge_stats(self.after[RECOVERY_SECONDS:]))

    @property
    def errors(self) -> dict[str, int]:
        """Whatever was neither an answer nor a 503 as it should be."""
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


async def overload(site: Site, capacity: float, seconds: int, tell: Callable[[str], object]) -> Overload:
    """Half of the capacity, three times of it, and half of it again, each second counted for itself."""
    generator = site.generator()

    async def seconds_at(rate: float, count: int, name: str) -> list[RequestStats]:
        tallies: list[RequestStats] = []
        for second in range(1, count + 1):
            tallies.append(await site.measure(generator, rate, 1.0))
            if second % _TOLD_EVERY == 0 or second == count:
                tell(line(cells(merge_stats(tallies[-_TOLD_EVERY:])), f"{name} {second}"))
        return tallies

    tell(line(HEADINGS))
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
