"""Honest play beside a hostile crowd, through the proxy: 56 connections with keys, or thousands without one.

Honest play alone and beside the crowd take turns in one run, and the median of their ratios counts, so that whatever
else the machine does meets both.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from statistics import median
from typing import Any, Final, NamedTuple

from tests.benchmarks.figure import percentile
from tests.load.hostile_crowd import CROWDS, KEYLESS_CROWDS
from tests.load.hostile_process import hostile_process
from tests.load.load_setup import Site
from tests.load.nginx_proxy import nginx_proxy
from tests.load.request_stats import P50, P99, RequestStats, as_json, line, merge_stats, slowdown

RATE: Final = 200.0
SECONDS: Final = 1.5
MAX_SLOWDOWN: Final = 2.0
SOCKET: Final = "ordws.sock"
ROUNDS: Final = 5
KINDS: Final = (*CROWDS, *KEYLESS_CROWDS)
_CONNECTIONS: Final = 48
_WARM_SECONDS: Final = 0.5
_HEADINGS: Final = (
    "alone p50",
    "alone p99",
    "beside p50",
    "beside p99",
    "times",
    "failed",
    "holds",
    "the crowd",
)


class SlowCrowdResult(NamedTuple):
    """Honest play alone and beside one kind of crowd, and the replies to the crowd by status."""

    kind: str
    alone: RequestStats
    beside: RequestStats
    ratios: tuple[float, ...]
    """The 99th percentile beside the crowd in units of that alone, for each round."""
    replies: dict[str, int]

    @property
    def times(self) -> float:
        return median(self.ratios)

    @property
    def holds(self) -> bool:
        return self.times <= MAX_SLOWDOWN and not self.beside.failed


def requests_of(rate: float, seconds: float) -> int:
    return int(rate * len(KINDS) * ROUNDS * 2 * (seconds + _WARM_SECONDS) * 1.5)


async def run(site: Site, rate: float, seconds: float, what: str, show: Callable[[str], object]) -> dict[str, Any]:
    """Try every kind of crowd; `site` listens on the socket SOCKET."""
    show(line(_HEADINGS, f"{'':14}"))
    met = []
    keys = [site.honest.spare_key() for _ in range(max([of_keys for of_keys, _ in CROWDS.values()]))]
    with nginx_proxy(site.folder, f"unix:{site.folder / SOCKET}") as port:
        for kind in KINDS:
            met.append(await _beside(site, port, kind, what, keys, rate, seconds))
            show(line(_cells(met[-1]), f"{kind:<14} "))
    return {"rate": rate, "holds": all(each.holds for each in met), "met": [_report(each) for each in met]}


async def _beside(
    site: Site, port: int, kind: str, what: str, keys: Sequence[str], rate: float, seconds: float
) -> SlowCrowdResult:
    generator = site.generator(port, _CONNECTIONS)
    alone, beside, replies = [], [], Counter[str]()
    for _ in range(ROUNDS):
        await generator.run(site.honest, rate, _WARM_SECONDS)
        alone.append(await site.measure_until_idle(generator, rate, seconds))
        with crowd(kind, what, port, keys) as answered:
            await generator.run(site.honest, rate, _WARM_SECONDS)
            beside.append(await site.measure_until_idle(generator, rate, seconds))
        replies.update(answered)
    generator.close()
    await asyncio.sleep(_WARM_SECONDS)
    ratios = tuple(map(slowdown, beside, alone))
    return SlowCrowdResult(kind, merge_stats(alone), merge_stats(beside), ratios, replies)


def crowd(kind: str, what: str, port: int, keys: Sequence[str]) -> AbstractContextManager[dict[str, int]]:
    """Run a crowd; the replies to it are known after the block."""
    return hostile_process("tests.load.hostile_crowd", kind, what, str(port), first_line=json.dumps(list(keys)))


def _cells(met: SlowCrowdResult) -> tuple[str, ...]:
    replies = ", ".join([f"{count} x {status}" for status, count in sorted(met.replies.items())])
    times = [percentile(tally.answered, part) * 1000 for tally in (met.alone, met.beside) for part in (P50, P99)]
    return (
        *[f"{milliseconds:.1f} ms" for milliseconds in times],
        f"{met.times:.2f}x",
        f"{met.beside.failed:,}",
        "yes" if met.holds else "NO",
        f"   {replies}",
    )


def _report(met: SlowCrowdResult) -> dict[str, Any]:
    return {
        "kind": met.kind,
        "times": round(met.times, 3),
        "rounds": [round(ratio, 3) for ratio in met.ratios],
        "holds": met.holds,
        "replies": met.replies,
        "alone": as_json(met.alone),
        "beside": as_json(met.beside),
    }
