"""Half an hour of mixed honest play at seven tenths of capacity: no error, no growth, no slowing down."""

from __future__ import annotations

import asyncio
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from ordws.client import AsyncClient
from ordws.client.errors import OrdwsClientError
from ordws.fairplay.recorded_games import RULES
from tests.benchmarks.figure import percentile
from tests.load.games import table_games
from tests.load.load_setup import Site
from tests.load.request_stats import HEADINGS, P99, RequestStats, as_json, cells, line, merge_stats, slowdown
from tests.load.workload import GAMES_PER_PLAYER

CAPACITY_SHARE: Final = 0.7
MOST_GROWTH: Final = 1.1
MOST_SLOWING: Final = 2.0
CLIENT_SHARE: Final = 0.01
"""The share of requests that `ordws.client.AsyncClient` itself sends."""

_MEMORY_FROM, _SPEED_OF, _LAST = 3, 2, 5
_SECONDS: Final = 60.0
_SEED: Final = 5


class Minute(NamedTuple):
    """The statistics of a minute, and the memory of the service at its end."""

    tally: RequestStats
    resident: int


@dataclass
class ClientRequests:
    """The results of the client itself."""

    answered: array[float] = field(default_factory=lambda: array("f"))
    errors: Counter[str] = field(default_factory=Counter)


class Soak(NamedTuple):
    """The results of all minutes."""

    minutes: list[Minute]
    client: ClientRequests

    @property
    def failed(self) -> dict[str, int]:
        """The requests without an answer; below capacity honest play may not be refused either."""
        whole = merge_stats([minute.tally for minute in self.minutes])
        refused = Counter({"refused": len(whole.refused)}) if whole.refused else Counter()
        return dict(whole.errors + refused + self.client.errors)

    @property
    def growth(self) -> float:
        """The largest memory since minute three, as a ratio to that of minute three."""
        later = [minute.resident for minute in self.minutes[_MEMORY_FROM - 1 :]] or [self.minutes[-1].resident]
        return max(later) / later[0]

    @property
    def slowing(self) -> float:
        """The p99 of the last five minutes, as a ratio to that of minute two."""
        second = self.minutes[min(_SPEED_OF, len(self.minutes)) - 1].tally
        last = merge_stats([minute.tally for minute in self.minutes[-_LAST:]])
        return slowdown(last, second)

    @property
    def holds(self) -> bool:
        return not self.failed and self.growth <= MOST_GROWTH and self.slowing <= MOST_SLOWING


async def soak(site: Site, rate: float, minutes: int, show: Callable[[str], object]) -> dict[str, Any]:
    """Send for so many minutes, and print a line for each; return the report."""
    generator, found = site.generator(), Soak([], ClientRequests())
    beside = asyncio.create_task(_by_client(site, rate * CLIENT_SHARE, found.client))
    show(line((*HEADINGS, "resident MB")))
    for number in range(1, minutes + 1):
        tally = await site.measure(generator, rate * (1 - CLIENT_SHARE), _SECONDS)
        found.minutes.append(Minute(tally, site.served.private_bytes()))
        show(line((*cells(tally), f"{found.minutes[-1].resident / 1e6:.1f}"), f"minute {number}"))
    beside.cancel()
    await asyncio.wait([beside])
    await generator.drain()
    generator.close()
    show(
        f"failed: {found.failed or 'none'}; memory {found.growth:.2f}x of minute three (at most {MOST_GROWTH}); "
        f"p99 {found.slowing:.2f}x of minute two (at most {MOST_SLOWING}); {len(found.client.answered):,} by the client"
    )
    return _report(found, rate)


async def _by_client(site: Site, rate: float, results: ClientRequests) -> None:
    """Judge games with the client itself, a key after the other."""
    chance = Random(_SEED)
    under_way: set[asyncio.Task[None]] = set()
    while True:
        async with AsyncClient(f"http://127.0.0.1:{site.served.port}", site.honest.spare_key()) as client:
            for game in chance.sample(range(len(table_games())), k=GAMES_PER_PLAYER):
                for turn in table_games()[game].plays:
                    await asyncio.sleep(chance.expovariate(rate))
                    asking = client.play(turn.position, turn.move, rules=RULES.id, rack=turn.rack, game=f"game {game}")
                    task = asyncio.create_task(_record(asking, results))
                    under_way.add(task)
                    task.add_done_callback(under_way.discard)
            await asyncio.gather(*under_way)


async def _record(asking: Any, results: ClientRequests) -> None:
    began = monotonic()
    try:
        await asking
    except OrdwsClientError as err:
        results.errors[f"client: {type(err).__name__}"] += 1
    else:
        results.answered.append(monotonic() - began)


def _report(found: Soak, rate: float) -> dict[str, Any]:
    client = {"answered": len(found.client.answered), "p99_ms": round(percentile(found.client.answered, P99) * 1000, 2)}
    return {
        "rate": round(rate, 1),
        "holds": found.holds,
        "failed": found.failed,
        "memory_growth": round(found.growth, 3),
        "p99_slowing": round(found.slowing, 3),
        "client": client,
        "minutes": [{"resident": minute.resident, **as_json(minute.tally)} for minute in found.minutes],
    }
