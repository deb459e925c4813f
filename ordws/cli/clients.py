"""`ordws clients`: the register of the clients that may ask, their keys, and the devices that ask in their names."""

from __future__ import annotations

import json
import shlex
import sys
import time
from contextlib import closing
from typing import Final

import click
import segno

from ordws.api.devices import pairing_link
from ordws.api.services import open_devices, open_judge_log, open_register
from ordws.cli import format_utc, instance_option
from ordws.client_kinds import CLIENT_KINDS
from ordws.errors import BadInput
from ordws.fold import fold
from ordws.identity.devices import describe_most_devices
from ordws.identity.register import DEFAULT_SCOPES, SCOPES, Device, Register, RegisteredClient, Scope
from ordws.instance import Instance
from ordws.retention import DAY


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


_MAX_DAYS: Final = 36_500

_expires_option = click.option(
    "--expires-in-days",
    "days",
    type=click.IntRange(1, _MAX_DAYS),
    metavar="N",
    help="The key expires after N days [default: never].",
)
_json_key_option = click.option("--json", "as_json", is_flag=True, help="Print name and key as JSON.")


@click.group("clients")
def command() -> None:
    """Keep the register of clients and their keys.

    \b
    Example:
      ordws clients add club-judge
    """


for subcommand in (pair, devices, unpair, log):
    command.add_command(subcommand)


@command.command("add")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice([*CLIENT_KINDS]),
    default="home",
    show_default=True,
    help="An operator asks for players, each under a pseudonym.",
)
@click.option("--test", is_flag=True, help="A test client asks a toy word set and touches no live meter.")
@click.option(
    "--scope",
    "scopes",
    type=click.Choice(SCOPES),
    multiple=True,
    help="What the client may do; may be given again [default: judge and game].",
)
@click.option("--units", type=int, metavar="N", help="Units a day of an operator, for all its players together.")
@_expires_option
@_json_key_option
@instance_option
def add(
    name: str,
    kind: str,
    test: bool,
    scopes: tuple[Scope, ...],
    units: int | None,
    days: int | None,
    as_json: bool,
    instance: str | None,
) -> None:
    """Register NAME and show its key, once: the key is stored nowhere.

    \b
    Example:
      ordws clients add club-judge
      ordws clients add league --kind operator --units 4000 --scope judge --scope game --scope tournament
    """
    now = int(time.time())
    with closing(_open_register(instance)) as register:
        expires = _expiry(now, days)
        key = register.add(name, kind, now, test=test, scopes=scopes or DEFAULT_SCOPES, units=units, expires=expires)
    _print_key(name, key, as_json=as_json)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@instance_option
def list_clients(as_json: bool, instance: str | None) -> None:
    """Show all clients, also revoked ones, and the dates of their live keys, but never a key.

    \b
    Example:
      ordws clients list --json
    """
    with closing(_open_register(instance)) as register:
        clients, keys = register.list(), register.live_keys(int(time.time()))
    for client in clients:
        row = {
            "name": client.name,
            "kind": client.kind,
            "created": format_utc(client.created),
            "verified": format_utc(client.verified),
            "revoked": format_utc(client.revoked),
            "units": client.units,
            "scopes": sorted(client.scopes),
            "test": client.is_test,
            "keys": [
                {"created": format_utc(key.created), "expires": format_utc(key.expires)}
                for key in keys.get(client.id, ())
            ],
        }
        if as_json:
            click.echo(json.dumps(row))
            continue
        parts = [client.name, client.kind, *(["test"] if client.is_test else [])]
        parts += [f"{event} {row[event]}" for event in ("created", "verified", "revoked") if row[event]]
        if client.units is not None:
            parts.append(f"{client.units} units a day")
        parts.append("may " + " and ".join(sorted(client.scopes)))
        for key in keys.get(client.id, ()):
            end = "" if key.expires is None else f" until {format_utc(key.expires)}"
            parts.append(f"key of {format_utc(key.created)}{end}")
        click.echo("  ".join(parts))


@command.command("revoke")
@click.argument("name")
@click.option("--old-keys", is_flag=True, help="Revoke only the older of two live keys.")
@instance_option
def revoke(name: str, old_keys: bool, instance: str | None) -> None:
    """Revoke all keys of NAME, for good, at once and in every running process.

    Its paired devices stop with its last key. With --old-keys the devices go on, but unused pairing codes are void.

    \b
    Example:
      ordws clients revoke club-judge
      ordws clients revoke club-judge --old-keys
    """
    now = int(time.time())
    with closing(_open_register(instance)) as register:
        if not old_keys:
            register.revoke(name, now)
            return
        if not register.revoke_old_keys(name, now):
            click.echo(f'ordws: "{name}" has no older live key, nothing was revoked', err=True)
    # Whoever had an old key may have paired devices, which go on after its end.
    if paired := list_devices(Instance.locate(instance), name):
        quoted = shlex.quote(name)
        click.echo(f"ordws: devices of {json.dumps(name)} that go on: {len(paired)}", err=True)
        click.echo(f"ordws: hint: ordws clients devices {quoted}; ordws clients unpair {quoted} TABLE", err=True)


@command.command("rotate")
@click.argument("name")
@_expires_option
@_json_key_option
@instance_option
def rotate(name: str, days: int | None, as_json: bool, instance: str | None) -> None:
    """Make a second key for NAME and show it, once; the first key works until `revoke NAME --old-keys`.

    \b
    Example:
      ordws clients rotate club-judge
      ordws clients revoke club-judge --old-keys
    """
    now = int(time.time())
    with closing(_open_register(instance)) as register:
        key = register.add_key(name, now, _expiry(now, days))
    _print_key(name, key, as_json=as_json)


@command.command("verify")
@click.argument("name")
@click.option("--undo", is_flag=True, help="Take the verification of NAME back.")
@instance_option
def verify(name: str, undo: bool, instance: str | None) -> None:
    """Record that a keeper knows who NAME is, which gives NAME a reserve that unverified clients cannot use up.

    \b
    Example:
      ordws clients verify club-judge
    """
    with closing(_open_register(instance)) as register:
        if undo:
            register.unverify(name)
        else:
            register.verify(name, int(time.time()))
    click.echo(f'"{name}" is {"not verified" if undo else "verified"}')


@command.command("scope")
@click.argument("name")
@click.argument("scope", type=click.Choice(SCOPES))
@click.option("--undo", is_flag=True, help="Take the scope back.")
@instance_option
def scope(name: str, scope: Scope, undo: bool, instance: str | None) -> None:
    """Let all keys of NAME do what SCOPE allows, at once and in every running process.

    The scope tournament is of use to an operator whom a keeper has verified: ordws clients verify NAME.

    \b
    Example:
      ordws clients scope league tournament
      ordws clients scope league tournament --undo
    """
    with closing(_open_register(instance)) as register:
        (register.remove_scope if undo else register.add_scope)(name, scope)


def _read_units(_ctx: click.Context, _parameter: click.Parameter, value: str) -> int | None:
    try:
        return None if value == "default" else int(value)
    except ValueError as err:
        raise click.BadParameter(f'expected a whole number or "default", not "{value}"') from err


@command.command("units")
@click.argument("name")
@click.argument("units", metavar="N|default", callback=_read_units)
@instance_option
def units(name: str, units: int | None, instance: str | None) -> None:
    """Set how many units a day operator NAME has for all its players together.

    \b
    Example:
      ordws clients units league 4000
      ordws clients units league default
    """
    with closing(_open_register(instance)) as register:
        register.set_units(name, units)


def _open_register(instance: str | None) -> Register:
    return open_register(Instance.locate(instance))


def _expiry(now: int, days: int | None) -> int | None:
    return None if days is None else now + days * DAY


def _print_key(name: str, key: str, *, as_json: bool) -> None:
    """Print a key alone on standard output, or as JSON, so that a script can take it; the rest on standard error."""
    click.echo(f'ordws: the key of "{name}" is shown only this once', err=True)
    click.echo(json.dumps({"name": name, "key": key}) if as_json else key)
