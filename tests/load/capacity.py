"""The capacity: the highest rate at which 99 of 100 requests are answered within 50 ms; a refusal is no answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tests.load.generator import Generator
from tests.load.load_setup import Site
from tests.load.request_stats import HEADINGS, RequestStats, as_json, cells, line

GOAL_SECONDS: Final = 0.050
FIRST_RATE: Final = 200.0
MOST_RATE: Final = 20_000.0
PRECISION: Final = 1.05
"""The ratio of the rates that fail and hold at which the search ends."""

_WARM_SECONDS: Final = 1.0
_BACK: Final = 0.97
_TRIES: Final = 8

Show = Callable[[str], object]


class Step(NamedTuple):
    """A rate that was tried, with its statistics."""

    rate: float
    tally: RequestStats

    @property
    def holds(self) -> bool:
        return self.tally.p99_of_all <= GOAL_SECONDS


def requests_of_search(seconds: float) -> int:
    """Return an upper bound of the requests that a search sends."""
    return int(6_000 * 12 * (seconds + _WARM_SECONDS))


async def search(site: Site, seconds: float, show: Show) -> list[Step]:
    """Double the rate until it fails, then bisect; the last step is the capacity, held three times as long."""
    generator = site.generator()
    steps: list[Step] = []

    async def holds(rate: float, name: str, *, times: int = 1) -> bool:
        steps.append(await _step(site, generator, rate, seconds * times))
        verdict = "holds" if steps[-1].holds else "too much"
        show(line(cells(steps[-1].tally), name) + f"  {verdict}")
        return steps[-1].holds

    show(line(HEADINGS))
    low, high = 0.0, FIRST_RATE
    while high < MOST_RATE and await holds(high, "twice"):
        low, high = high, high * 2
    while high > low * PRECISION and high > 1:
        middle = (low + high) / 2
        low, high = (middle, high) if await holds(middle, "between") else (low, middle)
    rate = low
    for _ in range(_TRIES):
        if await holds(rate, "for long", times=3):
            break
        rate *= _BACK
    generator.close()
    return steps


def capacity_of(steps: list[Step]) -> float:
    """Return the rate of the last step, or 0 where even that did not hold."""
    return steps[-1].rate if steps[-1].holds else 0.0


def report(steps: list[Step]) -> dict[str, Any]:
    tried = [{"rate": round(step.rate, 1), "holds": step.holds, **as_json(step.tally)} for step in steps]
    return {"capacity": round(capacity_of(steps), 1), "goal_p99_ms": GOAL_SECONDS * 1000, "steps": tried}


async def _step(site: Site, generator: Generator, rate: float, seconds: float) -> Step:
    await generator.run(site.honest, rate, _WARM_SECONDS)
    tally = await site.measure(generator, rate, seconds)
    await generator.drain()
    return Step(rate, tally)
