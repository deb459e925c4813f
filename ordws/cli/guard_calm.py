"""`ordws guard calm`: a keeper looked into an alarm, and found nothing."""

from __future__ import annotations

import json
import time

import click

from ordws.cli import instance_option
from ordws.errors import BadInput
from ordws.instance import Instance


@click.command("calm")
@click.argument("name")
@instance_option
def command(name: str, instance: str | None) -> None:
    """End the alarms of the client NAME, and of all its players: budgets are whole again within a second.

    What was seen up to now is forgotten; the signs begin anew.

    \b
    Example:
      ordws guard calm home
    """
    from ordws.api.services import open_register
    from ordws.cli.guard import open_gate

    here = Instance.locate(instance)
    register = open_register(here)
    known = {client.name: client.id for client in register.list()}
    register.close()
    if name not in known:
        raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
    gate = open_gate(here)
    ended = gate.clear_alarms(str(known[name]), int(time.time()))
    gate.store.close()
    click.echo(f"ended: {', '.join(ended)}" if ended else "there was no alarm")
