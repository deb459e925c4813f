"""`ordws clients pair, devices, unpair, log`: the devices at the tables that ask in a client's name."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing

import click
import segno

from ordws.api.devices import pairing_link
from ordws.api.services import open_devices, open_judge_log, open_register
from ordws.cli import instance_option
from ordws.cli.output import format_utc
from ordws.errors import BadInput
from ordws.fold import fold
from ordws.identity.devices import describe_most_devices
from ordws.identity.register import Device, RegisteredClient
from ordws.instance import Instance


@click.command("pair")
@click.argument("club", metavar="CLUB")
@click.option("--table", required=True, metavar="NAME", help="The table of the device; the players see the name.")
@click.option("--log", "logged", is_flag=True, help="Keep a log of the questions asked there: no words, no verdicts.")
@click.option("--director", is_flag=True, help="Pair the director's own device, which looks over finished boards.")
@click.option("--address", metavar="URL", help="Show a QR code too, given the address of the service: https://...")
@instance_option
def pair(club: str, table: str, logged: bool, director: bool, address: str | None, instance: str | None) -> None:
    """Show a code that pairs one device, which then asks in CLUB's name; it works once, within 15 minutes.

    A home client pairs three devices of one household, without a log.

    \b
    Example:
      ordws clients pair dover --table "Table 3"
      ordws clients pair dover --table Ann --director --address https://words.dover.example
    """
    installation = Instance.locate(instance)
    client = _find_client(installation, club)
    if client.revoked is not None:
        raise BadInput(f"client {json.dumps(club)} is revoked", hint="ordws clients add, under another name")
    with closing(open_devices(installation)) as store:
        code = store.issue_code(client, table, int(time.time()), logged=logged, director=director)
    if code is None:
        hint = "a code ends after 15 minutes; ordws clients unpair ends a device"
        raise BadInput(describe_most_devices(client), hint=hint)
    click.echo(
        f"ordws: type this into the device at /judge within 15 minutes, before {format_utc(code.ends)}; "
        "it is shown only this once",
        err=True,
    )
    if address is not None:
        segno.make_qr(pairing_link(address, code.text)).terminal(sys.stderr, compact=True)
    click.echo(code.text)


@click.command("devices")
@click.argument("club", metavar="CLUB")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def devices(club: str, as_json: bool, instance: str | None) -> None:
    """Show the devices that ask in CLUB's name.

    \b
    Example:
      ordws clients devices dover --json
    """
    for device in list_devices(Instance.locate(instance), club):
        paired, seen = format_utc(device.paired), None if device.seen is None else format_utc(device.seen)
        row = {"id": device.id, "table": device.table, "paired": paired, "log": device.is_logged}
        row |= {"director": device.is_director, "seen": seen}
        facts = (f"paired {paired}", f"seen {seen or 'never'}", *["with a log"] * device.is_logged)
        line = "  ".join([device.table, *facts, *["the director's"] * device.is_director])
        click.echo(json.dumps(row) if as_json else line)


@click.command("unpair")
@click.argument("club", metavar="CLUB")
@click.argument("table", metavar="TABLE")
@instance_option
def unpair(club: str, table: str, instance: str | None) -> None:
    """End every device of CLUB that was paired for TABLE, at once and in every running process.

    \b
    Example:
      ordws clients unpair dover "Table 3"
    """
    installation, now = Instance.locate(instance), int(time.time())
    client = _find_client(installation, club)
    with closing(open_devices(installation)) as store:
        ended = [store.revoke(client, device.id, now) for device in store.list(client) if device.table == table]
    if not ended:
        hint = f"ordws clients devices {json.dumps(club)}"
        raise BadInput(f"{json.dumps(club)} has no device for {json.dumps(table)}", hint=hint)


@click.command("log")
@click.argument("club", metavar="CLUB")
@click.option(
    "--find", metavar='"WORD WORD"', help="Show only questions of exactly these words. Status 1 where there is none."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
@click.pass_context
def log(ctx: click.Context, club: str, find: str | None, as_json: bool, instance: str | None) -> None:
    """Show what was judged on CLUB's devices that were paired with --log, the newest question first.

    A word is a keyed hash, and no verdict is kept. Of a device's questions without a word that is new to it on that UTC
    day, 200 a day are logged; later ones are judged but not logged.

    \b
    Example:
      ordws clients log dover
      ordws clients log dover --find "QUIZ ZAX"
    """
    installation = Instance.locate(instance)
    client = _find_client(installation, club)
    words = None if find is None else [fold(word) for word in find.split()]
    before = None
    with closing(open_judge_log(installation)) as judge_log:
        # Page by page, so that the log of a year is not held in memory at once.
        while entries := judge_log.read(client.id, before=before, words=words):
            for entry in entries:
                at, hashes = format_utc(entry.at), [*entry.hashes]
                row = {"at": at, "table": entry.table, "words": entry.words, "hashes": hashes}
                count = "1 word" if entry.words == 1 else f"{entry.words} words"
                line = "  ".join([f"{at}  {entry.table}", count, *hashes])
                click.echo(json.dumps(row) if as_json else line)
            before = entries[-1].id
    if words is not None and before is None:
        ctx.exit(1)


def list_devices(instance: Instance, club: str) -> tuple[Device, ...]:
    """Return the devices that ask in a client's name; raise BadInput if there is no such client."""
    client = _find_client(instance, club)
    with closing(open_devices(instance)) as store:
        return store.list(client)


def _find_client(instance: Instance, name: str) -> RegisteredClient:
    with closing(open_register(instance)) as register:
        matches = [client for client in register.list() if client.name == name]
    if not matches:
        raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
    return matches[0]
