"""`python -m tests.load capacity|overload|soak|badclients`: the service under load; see README.md beside this."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.load import capacity, misbehaving_clients, overload, soak
from tests.load.load_setup import site

DEFAULT_STEP_SECONDS = 5.0


def main(arguments: Sequence[str]) -> int:
    """0 where what was promised holds, 1 where it does not."""
    asked = _parser().parse_args(arguments)
    runs = {"capacity": _capacity, "overload": _overload, "soak": _soak, "badclients": _badclients}
    try:
        found = runs[asked.run](asked)
    except KeyboardInterrupt:
        tell("ended by Ctrl-C")
        return 130
    path = Path(f"{asked.run}.json")
    path.write_text(json.dumps(found, indent=1) + "\n")
    tell(f"{asked.run}: {'holds' if found['holds'] else 'MISSED'}; all figures are in {path}")
    return 0 if found["holds"] else 1


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description="The service under load.")
    parser.add_argument("run", choices=("capacity", "overload", "soak", "badclients"))
    parser.add_argument("--instance", type=Path, help="a real instance, which is copied; else one is made")
    parser.add_argument("--capacity", type=float, help="requests a second, if known; else measured first")
    parser.add_argument("--seconds", type=float, help="of a step (5), of the overload (120), of bad clients (10)")
    parser.add_argument("--minutes", type=int, default=30, help="of the soak (30)")
    return parser


def _known_capacity(asked: argparse.Namespace) -> float:
    """What was given, or what is measured now, at a service of its own."""
    if asked.capacity:
        return float(asked.capacity)
    found = _capacity(argparse.Namespace(instance=asked.instance, seconds=None))
    if not found["capacity"]:
        raise SystemExit("error: no rate holds, so there is no capacity to go by")
    tell(f"capacity: {found['capacity']:,.0f} requests a second")
    return float(found["capacity"])


def _capacity(asked: argparse.Namespace) -> dict[str, Any]:
    seconds = asked.seconds or DEFAULT_STEP_SECONDS
    with site(capacity.requests_of_search(seconds), asked.instance) as here:
        steps = asyncio.run(capacity.search(here, seconds, tell))
    found = capacity.report(steps)
    return {**found, "holds": found["capacity"] > 0}


def _overload(asked: argparse.Namespace) -> dict[str, Any]:
    rate, seconds = _known_capacity(asked), int(asked.seconds or 120)
    with site(overload.requests_of_overload(rate, seconds), asked.instance) as here:
        found = asyncio.run(overload.overload(here, rate, seconds, tell))
    tell(
        f"goodput {found.goodput:.0%} of capacity (at least {overload.LEAST_GOODPUT:.0%}); recovered after "
        f"{found.recovered_after} s (at most {overload.RECOVERY_SECONDS}), {'well' if found.stays_well else 'ILL'} "
        f"from then on; errors: {found.errors or 'none'}"
    )
    return overload.report(found)


def _soak(asked: argparse.Namespace) -> dict[str, Any]:
    rate = _known_capacity(asked) * soak.CAPACITY_SHARE
    with site(int(rate * 60 * (asked.minutes + 1)), asked.instance) as here:
        return asyncio.run(soak.soak(here, rate, asked.minutes, tell))


def _badclients(asked: argparse.Namespace) -> dict[str, Any]:
    rate, seconds = asked.capacity or misbehaving_clients.RATE, asked.seconds or misbehaving_clients.SECONDS
    with site(misbehaving_clients.requests_of(rate, seconds), asked.instance) as here:
        return asyncio.run(misbehaving_clients.run(here, rate, seconds, tell))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
