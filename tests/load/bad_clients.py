"""Honest play beside clients as nobody wants them, straight to the service and through the proxy in front of it."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from tests.load.generator import Generator
from tests.load.load_server import ROOT
from tests.load.load_setup import Site
from tests.load.misbehaving_clients import KINDS
from tests.load.nginx_proxy import nginx_proxy
from tests.load.request_stats import P99, RequestStats, as_json, line, percentile

RATE: Final = 200.0
SECONDS: Final = 10.0
MAX_SLOWDOWN: Final = 2.0
CONNECTIONS: Final = 48
"""Of honest play: the front lets one address have 64."""

DIRECT, FRONT = "service", "front"
_HEADINGS: Final = ("alone p99", "beside p99", "times", "failed", "holds", "they were answered")
_WARM_SECONDS: Final = 1.0
_READY_SECONDS: Final = 60


class BadClientResult(NamedTuple):
    """Honest play alone and beside one kind of bad clients, and what these were answered."""

    where: str
    kind: str
    alone: RequestStats
    beside: RequestStats
    said: dict[str, int]

    @property
    def times(self) -> float:
        return percentile(self.beside.answered, P99) / (percentile(self.alone.answered, P99) or 1.0)

    @property
    def strange(self) -> list[str]:
        """What left through the front and was neither an answer nor a problem; a closed connection says nothing."""
        told = [each for each in self.said if each[:1].isdigit() or each == "not HTTP"]
        return [each for each in told if each[:1] != "2" and not each.endswith(" application/problem+json")]

    @property
    def holds(self) -> bool:
        is_well_told = self.where == DIRECT or not self.strange
        return self.times <= MAX_SLOWDOWN and not self.beside.errors and not self.beside.refused and is_well_told


def requests_of(rate: float, seconds: float) -> int:
    return int(rate * 2 * len(KINDS) * 2 * (seconds + _WARM_SECONDS) * 1.5)


async def run(site: Site, rate: float, seconds: float, tell: Callable[[str], object]) -> dict[str, Any]:
    """Every kind at each door; what the front promises decides, what is met without it is told as well."""
    met: list[BadClientResult] = []
    tell(line(_HEADINGS, f"{'':14}"))
    with nginx_proxy(site.folder, site.served.port) as door:
        for where, port in ((DIRECT, site.served.port), (FRONT, door)):
            for kind in KINDS:
                met.append(await _beside(site, where, port, kind, rate, seconds))
                tell(line(_cells(met[-1]), f"{where} {kind:<14} "))
    return {
        "rate": rate,
        "holds": all(each.holds for each in met if each.where == FRONT),
        "met": [_report(each) for each in met],
    }


async def _beside(site: Site, where: str, port: int, kind: str, rate: float, seconds: float) -> BadClientResult:
    generator = site.generator(port, CONNECTIONS)
    await generator.run(site.honest, rate, _WARM_SECONDS)
    alone = await _measured(site, generator, rate, seconds)
    with bad_clients_running(kind, port) as said:
        beside = await _measured(site, generator, rate, seconds)
    generator.close()
    await asyncio.sleep(_WARM_SECONDS)
    return BadClientResult(where, kind, alone, beside, said)


async def _measured(site: Site, generator: Generator, rate: float, seconds: float) -> RequestStats:
    tally = await site.measure(generator, rate, seconds)
    await generator.drain()
    return tally


@contextmanager
def bad_clients_running(kind: str, port: int) -> Iterator[dict[str, int]]:
    """One kind of bad clients at work; what they were answered is known afterwards."""
    said: dict[str, int] = {}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.misbehaving_clients", kind, str(port)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"error: the bad clients of kind {kind} did not begin")
        yield said
        process.send_signal(signal.SIGTERM)
        said |= json.loads(process.communicate(timeout=_READY_SECONDS)[0])
    finally:
        process.kill()
        process.wait()


def _cells(met: BadClientResult) -> tuple[str, ...]:
    alone, beside = as_json(met.alone), as_json(met.beside)
    failed = beside["refused"] + met.beside.errors.total()
    said = ", ".join(f"{count} x {what}" for what, count in sorted(met.said.items(), key=lambda each: -each[1]))
    return (
        f"{alone['p99_ms']:.1f} ms",
        f"{beside['p99_ms']:.1f} ms",
        f"{met.times:.2f}x",
        f"{failed:,}",
        "yes" if met.holds else "NO",
        f"   {said or 'nothing'}",
    )


def _report(met: BadClientResult) -> dict[str, Any]:
    return {
        "where": met.where,
        "kind": met.kind,
        "times": round(met.times, 3),
        "holds": met.holds,
        "said": met.said,
        "strange": met.strange,
        "alone": as_json(met.alone),
        "beside": as_json(met.beside),
    }
