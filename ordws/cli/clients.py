"""`ordws clients`: the register of the clients that may ask, and their keys."""

from __future__ import annotations

import json
import shlex
import time
from contextlib import closing
from typing import Final

import click

from ordws.api.services import open_register
from ordws.cli import devices, instance_option
from ordws.cli.output import format_utc
from ordws.client_kinds import CLIENT_KINDS
from ordws.identity.register import DEFAULT_SCOPES, SCOPES, Register, Scope
from ordws.instance import Instance
from ordws.retention import DAY

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


for subcommand in (devices.pair, devices.devices, devices.unpair, devices.log):
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
    if paired := devices.list_devices(Instance.locate(instance), name):
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
