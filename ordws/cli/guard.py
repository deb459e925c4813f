"""`ordws guard`: what the guard enforces and has recorded, for keepers.

Here are the limits in force with the bound that follows from them, the end of a false alarm, and new meters, in a new
Redis server or cluster or where the old ones were lost.
"""

from __future__ import annotations

import json
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, Final

import click

from ordws.api.services import open_editions, open_meters, open_play_links, open_register
from ordws.api.settings import read_settings
from ordws.cli import LazyGroup, instance_option
from ordws.errors import BadInput, Missing, OrdwsError, StoreDown
from ordws.guard.gate import Gate
from ordws.guard.guests import GuestGames
from ordws.guard.leaks import bits_of, shared_budget_days
from ordws.guard.policy import (
    PROMISED_UNITS_A_DAY,
    GrantedClient,
    GrantedLink,
    caller_bounds,
    granted_together,
    limit_descriptions,
    operator_grants,
)
from ordws.guard.price import GUESTS_NAME
from ordws.guard.stores.lmdb import LmdbMeterStore
from ordws.instance import Instance
from ordws.logs import redact_error
from ordws.retention import DAY

_EXPECTED_ERRORS: Final = (
    OrdwsError,
    click.ClickException,
    click.Abort,
    click.exceptions.Exit,
    OSError,
    ModuleNotFoundError,
)
"""Exceptions that `ordws.cli.run` reports; any other is a mistake in a command."""


_SUBCOMMANDS: Final = {
    "policy": ("guard", "Show every limit in force, and the bound that follows."),
    "report": ("guard_report", "Show what each key, and all together, may have learned."),
    "trace": ("guard_report", "Rank the callers who could explain a leaked list."),
    "reset-detectors": ("guard", "End the alarms of a client that turned out to be honest."),
    "calm": ("guard", "The older name of reset-detectors."),
    "new-meters": ("guard", "Begin with new meters where the old ones were lost."),
}


class RedactedGroup(LazyGroup):
    """A group of subcommands whose mistakes reveal no word."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand; report a mistake in it by its type and place, since its text could hold a word."""
        try:
            return super().invoke(ctx)
        except _EXPECTED_ERRORS:
            raise
        except Exception as error:  # noqa: BLE001 - beyond this line it would be printed, with its values
            raise click.ClickException(redact_error(error)) from None


@click.group("guard", cls=RedactedGroup, package="ordws.cli", table=_SUBCOMMANDS)
def command() -> None:
    """Show what may be asked and what was, trace a leaked list, and end false alarms.

    \b
    Example:
      ordws guard report
    """


def open_gate(instance: Instance) -> Gate:
    """Return the gate of an installation as the service has it, over the meters that exist; none are created."""
    if not instance.meter_key.exists():
        raise Missing(f'no meter key at "{instance.meter_key}"', hint="ordws init")
    settings = read_settings(instance.settings)
    return Gate(settings.policy, open_meters(instance, settings), instance.meter_key.read_bytes())


_EXAMPLE: Final = "[policy]\noutside_a_day = 10\noperator_units_a_day = 3000"


@click.command("policy")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def show_policy(as_json: bool, instance: str | None) -> None:
    """Show every limit in force, the most that one identity can learn, and how to change the limits.

    A unit is a word of three letters or more, outside the public core list, that is new to the identity within 24
    hours. The limits are checked when the service starts: it refuses to serve if they break what is promised.

    \b
    Example:
      ordws guard policy
      ordws guard policy --json
    """
    installation = Instance.locate(instance)
    policy = read_settings(installation.settings).policy
    shared, clients, a_day = read_shared_budgets(installation), read_granted_clients(installation), policy.units_a_day
    links = read_granted_links(installation)
    world = shared["world"]
    try:
        edition = open_editions(installation, adopting=False).current
        core = {"edition": edition.number, "sha256": edition.core_digest, "words": len(edition.core)}
    except OrdwsError:
        core = None
    described = {
        "limits": {name: getattr(policy, name) for name in limit_descriptions()},
        "bound": {"units_a_day": a_day, "units_in_24_hours": 2 * a_day, "promised": PROMISED_UNITS_A_DAY},
        **shared,
        "callers": [
            {**bound._asdict(), "bits": bits_of(bound.units, bound.core)}
            for bound in caller_bounds(policy, policy.world_floor if world is None else world["cap"], links)
        ],
        "operators": [grant._asdict() for grant in operator_grants(policy, clients)],
        "granted": granted_together(policy, clients)._asdict(),
        "core": core and {"file": str(installation.core), **core},
        "settings": str(installation.settings),
        "is_set": installation.settings.exists(),
    }
    click.echo(json.dumps(described) if as_json else "\n".join(_describe(described)))


def read_shared_budgets(installation: Instance) -> dict[str, dict[str, Any] | None]:
    """Return today's budgets of unverified callers and of guests; None in place of both where no meters answer."""
    now = int(time.time())
    try:
        gate = open_gate(installation)
        (today,) = shared_budget_days(gate, now, 1)
        left = GuestGames(gate).left(now)
    except (Missing, StoreDown):
        return {"world": None, "guests": None}
    date = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"
    return {
        "world": {**today._asdict(), "day": date, "alarm_at": today.alarm_at},
        "guests": {"games_left": left.games_left, "games_a_day": left.games_a_day},
    }


def read_granted_clients(installation: Instance) -> list[GrantedClient]:
    """Return the live clients that are not for tests; none on a host without a register."""
    if not installation.clients.exists():
        return []
    with closing(open_register(installation)) as register:
        return [
            GrantedClient(client.name, client.terms, client.verified is not None, client.units)
            for client in register.list()
            if client.revoked is None and not client.is_test
        ]


def read_granted_links(installation: Instance) -> list[GrantedLink]:
    """Return the play links that have games of their own; none on a host without a register."""
    if not installation.clients.exists():
        return []
    with closing(open_play_links(installation)) as links:
        return [GrantedLink(link.name, link.games) for link in links.list() if link.name is not None]


def _describe(policy: dict[str, Any]) -> list[str]:
    """Return the lines that say in words what `--json` prints (docs/guard.md 3.2)."""
    limits, bound, world, core = policy["limits"], policy["bound"], policy["world"], policy["core"]
    guests = policy["guests"]
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
        f"All guests of play links without a name, however many, learn at most {limits['guest_units_a_day']} words a"
        f" day beside these, and all visitors {limits['visitor_units_a_day']}, where pages judge for them.",
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
    if guests is not None:
        lines.append(
            f"games that guests may open now by links without a name: {guests['games_left']} of"
            f" {guests['games_a_day']}, each of which holds {units_a_game} of their"
            f" {limits['guest_units_a_day']} units a day while it runs"
        )
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


@click.command("reset-detectors")
@click.argument("name")
@instance_option
def reset_detectors(name: str, instance: str | None) -> None:
    """End the alarms of the client NAME, and of all its players: budgets are whole again within a second.

    NAME is guests for all games of guests, unless a client has that name.

    The detectors forget what they have seen of NAME, and begin at zero. `ordws guard calm` is the same command.

    \b
    Example:
      ordws guard reset-detectors home
    """
    installation = Instance.locate(instance)
    with closing(open_register(installation)) as register:
        ids = {GUESTS_NAME: GUESTS_NAME, **{client.name: str(client.id) for client in register.list()}}
    if name not in ids:
        raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
    gate = open_gate(installation)
    ended = gate.clear_alarms(ids[name], int(time.time()))
    gate.store.close()
    click.echo(f"ended: {', '.join(ended)}" if ended else "there was no alarm")


calm = click.Command(
    "calm", callback=reset_detectors.callback, params=reset_detectors.params, help=reset_detectors.help
)


@click.command("new-meters")
@click.option("--first", is_flag=True, help="Begin open: nothing was ever asked here, as in a new, empty cluster.")
@instance_option
def new_meters(first: bool, instance: str | None) -> None:
    """Make new meters, and refuse all questions until midnight UTC, since nobody knows what was spent today.

    For meters that are missing or damaged. With --first for a new Redis server or cluster, which no installation has
    used: `ordws init` does the same for the folder of one host.

    \b
    Example:
      ordws guard new-meters --first
    """
    installation = Instance.locate(instance)
    redis = read_settings(installation.settings).store.redis
    reopens = 0 if first else (int(time.time()) // DAY + 1) * DAY
    if redis is None:
        if first:
            raise BadInput("--first is for a Redis server or cluster", hint="ordws init begins open on one host")
        LmdbMeterStore.replace(installation.meters, closed_until=reopens)
    else:
        # Needs the extra "cluster", which a host with a folder of meters may lack.
        from ordws.guard.stores.redis import RedisMeterStore

        with closing(RedisMeterStore.create(redis, closed_until=reopens)) as store:
            if not store.is_new:
                raise BadInput("the server has meters already, and nothing was changed")
    click.echo("new meters: open" if first else "new meters: nothing is answered before the next day, UTC")
