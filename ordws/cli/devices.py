"""`ordws clients pair, devices, unpair, log`: the devices that ask in a client's name, for a keeper at the table."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from ordws.cli import instance_option
from ordws.errors import BadInput
from ordws.instance import Instance

if TYPE_CHECKING:
    from ordws.api.judge_log import JudgeLog, LoggedQuestion
    from ordws.identity.devices import Devices
    from ordws.identity.register import RegisteredClient


@click.command("pair")
@click.argument("club", metavar="CLUB")
@click.option("--table", required=True, metavar="NAME", help="Where the device is to lie; the players see it.")
@click.option("--log", "logged", is_flag=True, help="Keep a log of what is asked there: no words, no verdicts.")
@instance_option
def pair(club: str, table: str, logged: bool, instance: str | None) -> None:
    """Show a code by which one device asks in CLUB's name; it works once, within 15 minutes.

    \b
    Example:
      ordws clients pair dover --table "Table 3"
    """
    from ordws.identity.devices import TOO_MANY_DETAIL

    here = Instance.locate(instance)
    client = _find_client(here, club)
    if client.revoked is not None:
        raise BadInput(f"client {json.dumps(club)} is revoked", hint="ordws clients add, under another name")
    with closing(_open_devices(here)) as known:
        code = known.issue_code(client, table, int(time.time()), logged=logged)
    if code is None:
        raise BadInput(TOO_MANY_DETAIL, hint="a code ends after 15 minutes; ordws clients unpair ends a device")
    click.echo(f"ordws: type this into the device at /judge before {_utc(code.ends)}; it is shown this once", err=True)
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
    here = Instance.locate(instance)
    client = _find_client(here, club)
    with closing(_open_devices(here)) as known:
        paired = known.list(client)
    for device in paired:
        row = {"id": device.id, "table": device.table, "paired": _utc(device.paired), "log": device.is_logged}
        logged = "  with a log" if device.is_logged else ""
        click.echo(json.dumps(row) if as_json else f"{device.table}  paired {row['paired']}{logged}")


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
    here, now = Instance.locate(instance), int(time.time())
    client = _find_client(here, club)
    with closing(_open_devices(here)) as known:
        ended = [known.revoke(client, device.id, now) for device in known.list(client) if device.table == table]
    if not ended:
        hint = f"ordws clients devices {json.dumps(club)}"
        raise BadInput(f"{json.dumps(club)} has no device for {json.dumps(table)}", hint=hint)


@click.command("log")
@click.argument("club", metavar="CLUB")
@click.option("--find", metavar='"WORD WORD"', help="Only questions of just these words. Status 1 where there is none.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
@click.pass_context
def log(ctx: click.Context, club: str, find: str | None, as_json: bool, instance: str | None) -> None:
    """Show what was judged on CLUB's devices that were paired with --log, the last question first.

    A word is a keyed hash, and no verdict is kept. Of a device and UTC day 2,000 questions are kept; what is judged
    beyond them is not logged.

    \b
    Example:
      ordws clients log dover
      ordws clients log dover --find "QUIZ ZAX"
    """
    from ordws.api.services import open_judge_log
    from ordws.fold import fold

    here = Instance.locate(instance)
    client = _find_client(here, club)
    words = None if find is None else [fold(word) for word in find.split()]
    is_found = False
    with closing(open_judge_log(here)) as judged:
        for entry in _read_pages(judged, client.id, words):
            is_found = True
            click.echo(json.dumps(_log_row(entry)) if as_json else _describe_log_entry(entry))
    if words is not None and not is_found:
        ctx.exit(1)


def count_devices(instance: Instance, club: str) -> int:
    """How many devices ask in a client's name."""
    client = _find_client(instance, club)
    with closing(_open_devices(instance)) as known:
        return len(known.list(client))


def _find_client(instance: Instance, name: str) -> RegisteredClient:
    from ordws.api.services import open_register

    with closing(open_register(instance)) as register:
        found = [client for client in register.list() if client.name == name]
    if not found:
        raise BadInput(f"there is no client {json.dumps(name)}", hint="ordws clients list")
    return found[0]


def _open_devices(instance: Instance) -> Devices:
    from ordws.api.services import open_devices

    return open_devices(instance)


def _read_pages(judge_log: JudgeLog, client: int, words: list[str] | None) -> Iterator[LoggedQuestion]:
    """Page after page, so that a log of a year is not held at once."""
    before = None
    while entries := judge_log.read(client, before=before, words=words):
        yield from entries
        before = entries[-1].id


def _log_row(entry: LoggedQuestion) -> dict[str, object]:
    return {"at": _utc(entry.at), "table": entry.table, "words": entry.words, "hashes": [*entry.hashes]}


def _describe_log_entry(entry: LoggedQuestion) -> str:
    words = "1 word" if entry.words == 1 else f"{entry.words} words"
    return "  ".join([_utc(entry.at), entry.table, words, *entry.hashes])


def _utc(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", "Z")
