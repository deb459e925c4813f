"""`ordws clients`: who may ask."""

from __future__ import annotations

import json
import time
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option

if TYPE_CHECKING:
    from ordws.identity.register import Client, Kind, Register


@click.group("clients")
def command() -> None:
    """Keep the register of clients and their keys.

    \b
    Example:
      ordws clients add club-judge
    """


@command.command("add")
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(["home", "operator"]), default="home", show_default=True,
    help="An operator asks for players, each under a pseudonym.",
)  # fmt: skip
@instance_option
def add(name: str, kind: Kind, instance: str | None) -> None:
    """Register NAME and show its key, once: it is kept nowhere.

    \b
    Example:
      ordws clients add club-judge
    """
    with closing(_register(instance)) as register:
        key = register.add(name, kind, int(time.time()))
    click.echo(f'ordws: the key of "{name}" is shown this once', err=True)
    click.echo(key)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def list_(as_json: bool, instance: str | None) -> None:
    """Show all clients, also revoked ones, without their keys.

    \b
    Example:
      ordws clients list --json
    """
    with closing(_register(instance)) as register:
        rows = [_row(client) for client in register.list()]
    for row in rows:
        click.echo(json.dumps(row) if as_json else _sentence(row))


@command.command("revoke")
@click.argument("name")
@instance_option
def revoke(name: str, instance: str | None) -> None:
    """Make the key of NAME unknown, at once and in every running process.

    \b
    Example:
      ordws clients revoke club-judge
    """
    with closing(_register(instance)) as register:
        register.revoke(name, int(time.time()))


@command.command("verify")
@click.argument("name")
@instance_option
def verify(name: str, instance: str | None) -> None:
    """Record that a keeper knows who NAME is.

    \b
    Example:
      ordws clients verify club-judge
    """
    with closing(_register(instance)) as register:
        register.verify(name, int(time.time()))


def _register(instance: str | None) -> Register:
    from ordws.desk.wiring import open_register
    from ordws.instance import Instance

    return open_register(Instance.locate(instance))


def _row(client: Client) -> dict[str, str | None]:
    return {
        "name": client.name, "kind": client.kind, "created": _utc(client.created), "verified": _utc(client.verified),
        "revoked": _utc(client.revoked),
    }  # fmt: skip


def _sentence(row: dict[str, str | None]) -> str:
    dates = [f"{event} {row[event]}" for event in ("created", "verified", "revoked") if row[event]]
    return "  ".join([f"{row['name']}", f"{row['kind']}", *dates])


def _utc(moment: int | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
