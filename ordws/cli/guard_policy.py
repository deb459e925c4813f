"""`ordws guard policy`: every limit in force, and the bound that follows from the limits."""

from __future__ import annotations

import json
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, Final

import click

from ordws.cli import instance_option

_EXAMPLE: Final = "[policy]\noutside_a_day = 10\noperator_units_a_day = 3000"


@click.command("policy")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def command(as_json: bool, instance: str | None) -> int:
    """Show every limit in force, the most that one identity can learn, and how to change the limits.

    A unit is a word of three letters or more, outside the public core list, that is new to the identity within 24
    hours. The limits are checked when the service starts: it refuses to serve if they break what is promised.

    \b
    Example:
      ordws guard policy
      ordws guard policy --json
    """
    from ordws.api.services import open_editions, open_register
    from ordws.api.settings import read_settings
    from ordws.cli.guard import open_gate
    from ordws.errors import Missing, OrdwsError, StoreDown
    from ordws.guard.caller_bounds import caller_bounds
    from ordws.guard.leak_report import shared_budget_days
    from ordws.guard.policy import PROMISED_UNITS_A_DAY, limit_descriptions
    from ordws.instance import Instance

    installation = Instance.locate(instance)
    policy, now = read_settings(installation.settings).policy, int(time.time())
    try:
        (today,) = shared_budget_days(open_gate(installation), now, 1)
        world = {**today._asdict(), "day": f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}", "alarm_at": today.alarm_at}
    except (Missing, StoreDown):
        world = None
    operators, homes = [], 0
    if installation.clients.exists():
        with closing(open_register(installation)) as register:
            live = [client for client in register.list() if client.revoked is None and not client.is_test]
        operators = [client for client in live if client.kind == "operator"]
        homes = sum([client.kind == "home" and client.verified is not None for client in live])
    try:
        edition = open_editions(installation, adopting=False).current
        core = {
            "file": str(installation.core),
            "edition": edition.number,
            "sha256": edition.core_digest,
            "words": len(edition.core),
        }
    except OrdwsError:
        core = None
    a_day = policy.units_a_day
    totals = [policy.operator_units_a_day if client.units is None else client.units for client in operators]
    granted = [total for client, total in zip(operators, totals, strict=True) if client.verified is not None]
    described = {
        "limits": {name: getattr(policy, name) for name in limit_descriptions()},
        "bound": {"units_a_day": a_day, "units_in_24_hours": 2 * a_day, "promised": PROMISED_UNITS_A_DAY},
        "world": world,
        "callers": [
            {**bound._asdict(), "bits": bound.bits}
            for bound in caller_bounds(policy, policy.world_floor if world is None else world["cap"])
        ],
        "operators": [
            {
                "name": client.name,
                "units_a_day": total,
                "core_a_day": policy.operator_core_a_day(total),
                "is_set": client.units is not None,
            }
            for client, total in zip(operators, totals, strict=True)
        ],
        "granted": {
            "clients": homes + len(granted),
            "units_a_day": homes * a_day + sum(granted),
            "core_a_day": homes * policy.core_a_day(policy.games_a_day)
            + sum([policy.operator_core_a_day(total) for total in granted]),
        },
        "core": core,
        "settings": str(installation.settings),
        "is_set": installation.settings.exists(),
    }
    click.echo(json.dumps(described) if as_json else "\n".join(_describe(described)))
    return 0


def _describe(policy: dict[str, Any]) -> list[str]:
    """Return the lines that say in words what `--json` prints (docs/guard.md 3.2)."""
    from ordws.guard.policy import limit_descriptions

    limits, bound, world, core = policy["limits"], policy["bound"], policy["world"], policy["core"]
    descriptions, width = limit_descriptions(), max(map(len, limits))
    games, units_a_game, outside = limits["games_a_day"], limits["units_a_game"], limits["outside_a_day"]
    a_day, longest = bound["units_a_day"], max(len(each["caller"]) for each in policy["callers"])
    lines = [
        *(f"{name:{width}} {limit:>6}  {descriptions[name]}" for name, limit in limits.items()),
        "",
        f"{games} x {units_a_game} + {outside} = {a_day}: one identity learns at most {a_day} words outside the core"
        " list in a UTC day",
        f"by its own questions, so {bound['units_in_24_hours']} in any 24 hours, and k identities together {a_day} k a"
        " day.",
        # Sealed games opened yesterday still run today, and a seat also sees the verdicts on the other seats' plays.
        f"With the plays of other players it sees at most {2 * games} x {units_a_game} + {outside} ="
        f" {2 * games * units_a_game + outside} words in a UTC day.",
        f"No policy is served under which its own questions could teach an identity more than the {bound['promised']}"
        " promised.",
        "",
        "At most so many words outside the core list (units), and core words, are answered in a UTC day to a",
        *(f"{each['caller']:{longest}} {each['units']:>6} {each['core']:>6}" for each in policy["callers"]),
        "",
        "no meters answer on this host"
        if world is None
        else f"asked today by all unverified callers: {world['spent']} of {world['cap']} units, alarm at"
        f" {world['alarm_at']}; {world['core_spent']} of {world['core_cap']} core words",
    ]
    granted = policy["granted"]
    lines.append(
        f"granted to {granted['clients']} verified clients: {granted['units_a_day']} units and"
        f" {granted['core_a_day']} core words a day together"
    )
    for operator in policy["operators"]:
        origin = "set for this operator" if operator["is_set"] else "as for every operator"
        lines.append(
            f"operator {json.dumps(operator['name'])}: {operator['units_a_day']} units and {operator['core_a_day']}"
            f" core words a day, {origin}"
        )
    lines.append(
        f'core list of edition {core["edition"]}, "{core["file"]}": {core["words"]:,} words, SHA-256 {core["sha256"]}'
        if core
        else "no core list is in force, since no edition opens on this host"
    )
    missing = "" if policy["is_set"] else ", which does not exist, so the defaults hold"
    return [*lines, "", f'limits are set in "{policy["settings"]}"{missing}; for example:', _EXAMPLE]
