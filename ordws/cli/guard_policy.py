"""`ordws guard policy`: every limit in force, and the bound that follows from them."""

from __future__ import annotations

import json
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from ordws.guard.policy import Policy
    from ordws.instance import Instance

_EXAMPLE: Final = "[policy]\noutside_a_day = 10\noperator_units_a_day = 3000"


@click.command("policy")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def command(as_json: bool, instance: str | None) -> int:
    """Show every limit in force, what one identity learns at most, and how to change what may be changed.

    A unit is a word of three letters or more, outside the public core list, that is new to the identity within 24
    hours. The limits are checked when the service starts: it does not serve any that break what is promised.

    \b
    Example:
      ordws guard policy
      ordws guard policy --json
    """
    from ordws.instance import Instance

    policy = describe_policy(Instance.locate(instance))
    click.echo(json.dumps(policy) if as_json else "\n".join(_lines(policy)))
    return 0


def describe_policy(instance: Instance) -> dict[str, Any]:
    """The policy of an installation; what it does not have yet is None."""
    from ordws.api.settings import read_settings
    from ordws.guard.policy import PROMISED_UNITS_A_DAY, limit_descriptions

    policy = read_settings(instance.settings).policy
    a_day = policy.units_a_day
    return {
        "limits": {name: getattr(policy, name) for name in limit_descriptions()},
        "bound": {"units_a_day": a_day, "units_in_24_hours": 2 * a_day, "promised": PROMISED_UNITS_A_DAY},
        "world": _world_today(instance),
        "operators": _operators(instance, policy),
        "core": _core_list(instance),
        "settings": str(instance.settings),
        "is_set": instance.settings.exists(),
    }


def _world_today(instance: Instance) -> dict[str, Any] | None:
    """Where the meters of all stand today; None where there are none, or they do not answer."""
    from ordws.cli.guard import open_gate
    from ordws.errors import Missing, StoreDown
    from ordws.guard.leak_report import shared_budget_days

    now = int(time.time())
    try:
        (today,) = shared_budget_days(open_gate(instance), now, 1)
    except (Missing, StoreDown):
        return None
    return {**today._asdict(), "day": f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}", "alarm_at": today.alarm_at}


def _operators(instance: Instance, policy: Policy) -> list[dict[str, Any]]:
    from ordws.api.services import open_register

    if not instance.clients.exists():
        return []
    with closing(open_register(instance)) as register:
        operators = [each for each in register.list() if each.kind == "operator" and each.revoked is None]
    return [
        {
            "name": each.name,
            "units_a_day": policy.operator_units_a_day if each.units is None else each.units,
            "is_set": each.units is not None,
        }
        for each in operators
    ]


def _core_list(instance: Instance) -> dict[str, Any] | None:
    """The public core list of the edition in force, by its digest, so that anybody can compare it; None without one."""
    from ordws.api.services import open_editions
    from ordws.errors import OrdwsError

    try:
        edition = open_editions(instance, adopting=False).current
    except OrdwsError:
        return None
    return {
        "file": str(instance.core),
        "edition": edition.number,
        "sha256": edition.core_digest,
        "words": len(edition.core),
    }


def _lines(policy: dict[str, Any]) -> list[str]:
    from ordws.guard.policy import limit_descriptions

    limits, bound, says = policy["limits"], policy["bound"], limit_descriptions()
    width = max(map(len, limits))
    lines = [f"{name:{width}} {limit:>6}  {says[name]}" for name, limit in limits.items()]
    a_day = bound["units_a_day"]
    lines += [
        "",
        f"{limits['games_a_day']} x {limits['units_a_game']} + {limits['outside_a_day']} = {a_day}: one identity learns"
        f" at most {a_day} words outside the core list in a UTC day,",
        f"so {bound['units_in_24_hours']} in any 24 hours, and k identities together {a_day} k a day, counting what all"
        " seats of a game see.",
        f"No policy is served under which it could be more than the {bound['promised']} promised.",
        "",
        _world_line(policy["world"]),
    ]
    for each in policy["operators"]:
        whose = "set for it" if each["is_set"] else "as for all"
        lines.append(f"operator {json.dumps(each['name'])}: {each['units_a_day']} units a day, {whose}")
    core = policy["core"]
    lines.append(
        f'core list of edition {core["edition"]}, "{core["file"]}": {core["words"]:,} words, SHA-256 {core["sha256"]}'
        if core
        else "no core list is in force, for no edition opens here"
    )
    whence = "as it says" if policy["is_set"] else "which is not there, so that the defaults hold"
    return [*lines, "", f'limits are set in "{policy["settings"]}", {whence}; for example:', _EXAMPLE]


def _world_line(world: dict[str, Any] | None) -> str:
    if world is None:
        return "no meters answer here"
    return (
        f"units new to the world today: {world['spent']} of {world['cap']} spent by all who are not verified, with an"
        f" alarm at {world['alarm_at']}; {world['reserve_spent']} of {world['reserve']} by all who are"
    )
