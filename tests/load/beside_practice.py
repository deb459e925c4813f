"""Questions beside the program that plays: both share the core of the service, twenty games of practice at once.

Questions alone and beside the games take turns in one run at half of the capacity, and the median of their ratios
counts. The program is there all the time; alone it has nothing to do.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any, Final

from tests.load.hostile_process import hostile_process
from tests.load.load_setup import Site
from tests.load.request_stats import HEADINGS, as_json, cells, line, merge_stats, slowdown

GAMES: Final = 20
SECONDS: Final = 5.0
ROUNDS: Final = 5
CAPACITY_SHARE: Final = 0.5
MAX_SLOWDOWN: Final = 1.5
OPTIONS: Final = ("--computer", "on")
_WARM_SECONDS: Final = 1.0


def requests_of(rate: float, seconds: float) -> int:
    return int(rate * ROUNDS * 2 * (seconds + _WARM_SECONDS) * 1.5)


async def run(site: Site, rate: float, seconds: float, show: Callable[[str], object]) -> dict[str, Any]:
    """Measure questions alone and beside the games, in turns; return the report."""
    show(line(HEADINGS))
    generator = site.generator()
    alone, beside, replies = [], [], Counter[str]()
    for _ in range(ROUNDS):
        await generator.run(site.honest, rate, _WARM_SECONDS)
        alone.append(await site.measure_until_idle(generator, rate, seconds))
        show(line(cells(alone[-1]), "alone"))
        with hostile_process("tests.load.practice_players", str(GAMES), str(site.served.port)) as answered:
            await generator.run(site.honest, rate, _WARM_SECONDS)
            beside.append(await site.measure_until_idle(generator, rate, seconds))
        show(line(cells(beside[-1]), "beside"))
        replies.update(answered)
    generator.close()
    await asyncio.sleep(_WARM_SECONDS)
    ratios = [*map(slowdown, beside, alone)]
    whole = merge_stats(beside)
    return {
        "holds": median(ratios) <= MAX_SLOWDOWN and not whole.failed,
        "rate": rate,
        "games": GAMES,
        "times": round(median(ratios), 3),
        "rounds": [round(each, 3) for each in ratios],
        "replies": replies,
        "alone": as_json(merge_stats(alone)),
        "beside": as_json(whole),
    }
