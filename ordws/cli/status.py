"""`ordws status`: how an installation stands, in numbers."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Any

import click

from ordws.cli import instance_option
from ordws.errors import Missing, OrdwsError
from ordws.instance import Instance


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, instance: str | None) -> None:
    """Show the edition, keys, build, ledger, clients and meters. Exit status 1 where something is wrong.

    \b
    Example:
      ordws status --json
    """
    here = Instance.locate(instance)
    if not here.pepper.exists():
        raise Missing(f'no installation in "{here.root}"', hint="ordws init makes one")
    status = read_status(here)
    click.echo(json.dumps(status) if as_json else "\n".join(_lines(status)))
    ctx.exit(1 if status["faults"] else 0)


def read_status(instance: Instance) -> dict[str, Any]:
    """How the installation stands. No word is in it; nothing is changed."""
    faults: list[str] = []
    parts = {
        "keys": _keys,
        "edition": _edition,
        "build": _build,
        "ledger": _ledger,
        "clients": _clients,
        "meters": _meters,
    }
    status: dict[str, Any] = {}
    for name, part in parts.items():
        try:
            status[name] = part(instance, faults)
        except OrdwsError as error:
            status[name] = None
            faults.append(str(error))
    return {**status, "faults": faults}


def _keys(instance: Instance, _: list[str]) -> dict[str, list[int]]:
    from ordws.cli.editions import key_numbers
    from ordws.lexicon.keyring import Keyring

    return key_numbers(Keyring.open(instance.keys))


def _edition(instance: Instance, faults: list[str]) -> dict[str, Any]:
    from ordws.api.services import open_editions
    from ordws.cli.editions import open_edition_store

    kept = open_edition_store(instance)
    if kept.lacks_mark():
        faults.append(f'the version mark "{instance.edition_mark}" is gone beside editions that were adopted')
    shelf = open_editions(instance, adopting=False)
    if shelf.refusal:
        faults.append(f"{shelf.refusal} ({shelf.hint})" if shelf.hint else shelf.refusal)
    edition = shelf.current
    return {
        "number": edition.number,
        "name": edition.name,
        "created": f"{edition.created:%Y-%m-%dT%H:%M:%SZ}",
        "mark": kept.read_mark(),
    }


def _build(instance: Instance, _: list[str]) -> dict[str, Any] | None:
    """What `ordws-build run` has recorded: counts."""
    if not instance.build_record.exists():
        return None
    try:
        counts: dict[str, Any] = json.loads(instance.build_record.read_bytes())["counts"]
    except (ValueError, KeyError, TypeError):
        raise Missing(f'"{instance.build_record}" holds no counts', hint="ordws-build run writes it anew") from None
    return counts


def _ledger(instance: Instance, _: list[str]) -> dict[str, Any] | None:
    """Counts of the ledger; None on a host that has none."""
    if not (instance.ledger_key.exists() or instance.ledger.exists() or instance.ledger_head.exists()):
        return None
    from ordws.cli.curation import open_ledger

    with open_ledger(instance) as ledger:
        status = ledger.status()._asdict()
    return {**status, "head": f"{status['head'].length} {status['head'].hash}"}


def _clients(instance: Instance, _: list[str]) -> int:
    from ordws.api.services import open_register

    register = open_register(instance)
    try:
        return sum(client.revoked is None for client in register.list())
    finally:
        register.close()


def _meters(instance: Instance, _: list[str]) -> dict[str, str | None] | None:
    """Until when no question is answered, where that is so; None where nobody was ever asked."""
    from ordws.api.services import open_meters
    from ordws.api.settings import read_settings
    from ordws.guard.price import Meter

    settings, now = read_settings(instance.settings), int(time.time())
    if settings.store.redis is None and not instance.meters.exists():
        return None
    store = open_meters(instance, settings)
    try:
        (standing,) = store.read([Meter("any", 1, now)], now)
    finally:
        store.close()
    return {"closed_until": f"{datetime.fromtimestamp(standing.ends, UTC):%Y-%m-%dT%H:%MZ}" if standing.spent else None}


def _lines(status: dict[str, Any]) -> list[str]:
    edition = status["edition"]
    lines = [
        f"edition  {edition['number']} ({edition['name']}), sealed {edition['created']}, mark {edition['mark']}"
        if edition
        else "edition  none"
    ]
    for name in ("keys", "build", "ledger"):
        if status[name]:
            lines += [name, *(f"  {what}: {_plain_text(value)}" for what, value in status[name].items())]
    lines.append(f"clients  {status['clients']}")
    if status["meters"] and (closed := status["meters"]["closed_until"]):
        lines.append(f"meters   what was spent today is not known; no question is answered until {closed}")
    return [*lines, *(f"fault    {fault}" for fault in status["faults"])]


def _plain_text(value: object) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list) else str(value)
