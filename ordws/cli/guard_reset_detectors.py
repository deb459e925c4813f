"""`ordws guard reset-detectors`, also called `calm`: the end of a false alarm."""

from __future__ import annotations

import json
import time
from contextlib import closing

import click

from ordws.api.services import open_register
from ordws.cli import instance_option
from ordws.cli.guard import open_gate
from ordws.errors import BadInput
from ordws.guard.price import GUESTS_NAME
from ordws.instance import Instance


@click.command("reset-detectors")
@click.argument("name")
@instance_option
def command(name: str, instance: str | None) -> None:
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


calm = click.Command("calm", callback=command.callback, params=command.params, help=command.help)
