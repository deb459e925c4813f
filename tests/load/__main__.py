"""The command `python -m tests.load RUN`: the service under load, see README.md."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.load import bad_clients, beside_practice, capacity, crowded_pages, hostile_crowd, overload, slow_crowd, soak
from tests.load.load_setup import site

DEFAULT_STEP_SECONDS = 5.0


def main(arguments: Sequence[str]) -> int:
    """Run a trial; return 0 where its promises hold, 1 where they do not."""
    options = _parser().parse_args(arguments)
    try:
        report = RUNS[options.run](options)
    except KeyboardInterrupt:
        show("ended by Ctrl-C")
        return 130
    path = Path(f"{options.run}.json")
    path.write_text(json.dumps(report, indent=1) + "\n")
    show(f"{options.run}: {'holds' if report['holds'] else 'MISSED'}; all figures are in {path}")
    return 0 if report["holds"] else 1


def show(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="The service under load.")
    parser.add_argument(
        "run", choices=("capacity", "overload", "soak", "badclients", "slowcrowd", "besidepractice", "crowdedpages")
    )
    parser.add_argument("--instance", type=Path, help="a real instance, which is copied; else one is made")
    parser.add_argument("--capacity", type=float, help="requests a second, if known; else measured first")
    parser.add_argument(
        "--seconds", type=float, help="of a step (5), overload (120), bad clients (10), a turn of a crowd (1.5 or 5)"
    )
    parser.add_argument("--minutes", type=int, default=30, help="of the soak (30)")
    parser.add_argument(
        "--requests", choices=hostile_crowd.REQUEST_KINDS, default="mixed", help="of a slow crowd (mixed)"
    )
    return parser


def _known_capacity(options: argparse.Namespace) -> float:
    """Return the capacity that was given, or measure it with a service of its own."""
    if options.capacity:
        return float(options.capacity)
    report = _capacity(argparse.Namespace(instance=options.instance, seconds=None))
    if not report["capacity"]:
        raise SystemExit("error: no rate holds, so there is no capacity to go by")
    show(f"capacity: {report['capacity']:,.0f} requests a second")
    return float(report["capacity"])


def _capacity(options: argparse.Namespace) -> dict[str, Any]:
    seconds = options.seconds or DEFAULT_STEP_SECONDS
    with site(capacity.requests_of_search(seconds), options.instance) as target:
        steps = asyncio.run(capacity.search(target, seconds, show))
    report = capacity.report(steps)
    return {**report, "holds": report["capacity"] > 0}


def _overload(options: argparse.Namespace) -> dict[str, Any]:
    rate, seconds = _known_capacity(options), int(options.seconds or 120)
    with site(overload.requests_of_overload(rate, seconds), options.instance) as target:
        report = asyncio.run(overload.overload(target, rate, seconds, show))
    show(
        f"goodput {report.goodput:.0%} of capacity (at least {overload.LEAST_GOODPUT:.0%}); recovered after "
        f"{report.recovered_after} s (at most {overload.RECOVERY_SECONDS}), {'well' if report.stays_well else 'ILL'} "
        f"from then on; errors: {report.errors or 'none'}"
    )
    return overload.report(report)


def _soak(options: argparse.Namespace) -> dict[str, Any]:
    rate = _known_capacity(options) * soak.CAPACITY_SHARE
    with site(int(rate * 60 * (options.minutes + 1)), options.instance) as target:
        return asyncio.run(soak.soak(target, rate, options.minutes, show))


def _badclients(options: argparse.Namespace) -> dict[str, Any]:
    rate, seconds = options.capacity or bad_clients.RATE, options.seconds or bad_clients.SECONDS
    with site(bad_clients.requests_of(rate, seconds), options.instance) as target:
        return asyncio.run(bad_clients.run(target, rate, seconds, show))


def _besidepractice(options: argparse.Namespace) -> dict[str, Any]:
    rate = _known_capacity(options) * beside_practice.CAPACITY_SHARE
    seconds = options.seconds or beside_practice.SECONDS
    with site(beside_practice.requests_of(rate, seconds), options.instance, None, *beside_practice.OPTIONS) as target:
        return asyncio.run(beside_practice.run(target, rate, seconds, show))


def _slowcrowd(options: argparse.Namespace) -> dict[str, Any]:
    rate, seconds = options.capacity or slow_crowd.RATE, options.seconds or slow_crowd.SECONDS
    with site(slow_crowd.requests_of(rate, seconds), options.instance, socket=slow_crowd.SOCKET) as target:
        return asyncio.run(slow_crowd.run(target, rate, seconds, options.requests, show))


def _crowdedpages(options: argparse.Namespace) -> dict[str, Any]:
    return crowded_pages.run(options.seconds or crowded_pages.SECONDS, show)


RUNS: Final = {
    "capacity": _capacity,
    "overload": _overload,
    "soak": _soak,
    "badclients": _badclients,
    "slowcrowd": _slowcrowd,
    "besidepractice": _besidepractice,
    "crowdedpages": _crowdedpages,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
