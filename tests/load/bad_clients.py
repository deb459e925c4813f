"""Honest play beside misbehaving clients, directly to the service and through the proxy in front of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, NamedTuple

from tests.load.hostile_process import hostile_process
from tests.load.load_setup import Site
from tests.load.misbehaving_clients import KINDS
from tests.load.nginx_proxy import nginx_proxy
from tests.load.request_stats import RequestStats, as_json, line, slowdown

RATE: Final = 200.0
SECONDS: Final = 10.0
MAX_SLOWDOWN: Final = 2.0
CONNECTIONS: Final = 48
"""Connections of honest play; the proxy allows 64 from one address."""

DIRECT, PROXIED = "service", "front"
_HEADINGS: Final = ("alone p99", "beside p99", "times", "failed", "holds", "they were answered")
_WARM_SECONDS: Final = 1.0


class BadClientResult(NamedTuple):
    """Honest play alone and beside one kind of misbehaving clients, and the replies to these."""

    where: str
    kind: str
    alone: RequestStats
    beside: RequestStats
    replies: dict[str, int]

    @property
    def times(self) -> float:
        return slowdown(self.beside, self.alone)

    @property
    def strange(self) -> list[str]:
        """The replies through the proxy that were neither an answer nor a problem; a closed connection is no reply."""
        statuses = [each for each in self.replies if each[:1].isdigit() or each == "not HTTP"]
        return [each for each in statuses if each[:1] != "2" and not each.endswith(" application/problem+json")]

    @property
    def holds(self) -> bool:
        is_well_told = self.where == DIRECT or not self.strange
        return self.times <= MAX_SLOWDOWN and not self.beside.failed and is_well_told


def requests_of(rate: float, seconds: float) -> int:
    return int(rate * 2 * len(KINDS) * 2 * (seconds + _WARM_SECONDS) * 1.5)


async def run(site: Site, rate: float, seconds: float, show: Callable[[str], object]) -> dict[str, Any]:
    """Try every kind with and without the proxy; the promises through the proxy decide, both are reported."""
    met: list[BadClientResult] = []
    show(line(_HEADINGS, f"{'':14}"))
    with nginx_proxy(site.folder, f"127.0.0.1:{site.served.port}") as proxy_port:
        for where, port in ((DIRECT, site.served.port), (PROXIED, proxy_port)):
            for kind in KINDS:
                met.append(await _beside(site, where, port, kind, rate, seconds))
                show(line(_cells(met[-1]), f"{where} {kind:<14} "))
    return {
        "rate": rate,
        "holds": all(each.holds for each in met if each.where == PROXIED),
        "met": [_report(each) for each in met],
    }


async def _beside(site: Site, where: str, port: int, kind: str, rate: float, seconds: float) -> BadClientResult:
    generator = site.generator(port, CONNECTIONS)
    await generator.run(site.honest, rate, _WARM_SECONDS)
    alone = await site.measure_until_idle(generator, rate, seconds)
    with bad_clients_running(kind, port) as replies:
        beside = await site.measure_until_idle(generator, rate, seconds)
    generator.close()
    await asyncio.sleep(_WARM_SECONDS)
    return BadClientResult(where, kind, alone, beside, replies)


def bad_clients_running(kind: str, port: int) -> AbstractContextManager[dict[str, int]]:
    """Run one kind of misbehaving clients; the replies to them are known after the block."""
    return hostile_process("tests.load.misbehaving_clients", kind, str(port))


def _cells(met: BadClientResult) -> tuple[str, ...]:
    alone, beside = as_json(met.alone), as_json(met.beside)
    replies = ", ".join(f"{count} x {what}" for what, count in sorted(met.replies.items(), key=lambda each: -each[1]))
    return (
        f"{alone['p99_ms']:.1f} ms",
        f"{beside['p99_ms']:.1f} ms",
        f"{met.times:.2f}x",
        f"{met.beside.failed:,}",
        "yes" if met.holds else "NO",
        f"   {replies or 'nothing'}",
    )


def _report(met: BadClientResult) -> dict[str, Any]:
    return {
        "where": met.where,
        "kind": met.kind,
        "times": round(met.times, 3),
        "holds": met.holds,
        "replies": met.replies,
        "strange": met.strange,
        "alone": as_json(met.alone),
        "beside": as_json(met.beside),
    }
