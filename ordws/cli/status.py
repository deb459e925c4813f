"""`ordws status`: the state of an installation, in numbers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import click

from ordws.api.services import open_editions, open_meters, open_play_links, open_register
from ordws.api.settings import read_settings
from ordws.cli import format_utc, instance_option
from ordws.cli.editions import find_next_reference, key_numbers, open_edition_store
from ordws.errors import Missing, OrdwsError
from ordws.identity.register import OPERATORS_SCOPE
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
@click.pass_context
def command(ctx: click.Context, as_json: bool, instance: str | None) -> None:
    """Show the edition, keys, build, ledger, clients, play links and meters. Exit status 1 where there is a fault.

    The JSON has keys, edition (number, name, created, mark, reference, own_reference), next_reference (the players'
    list that the next build seals, or null), build, ledger, clients, unverified_directors, play_links, meters and
    faults.

    \b
    Example:
      ordws status --json
    """
    installation = Instance.locate(instance)
    if not installation.pepper.exists():
        what = (
            f'key at "{installation.pepper}"'
            if installation.keys.exists()
            else f'installation in "{installation.root}"'
        )
        raise Missing(f"no {what}", hint=installation.key_hint)
    parts: dict[str, Callable[[Instance, list[str]], Any]] = {
        "keys": _keys,
        "edition": _edition,
        "next_reference": lambda installation, _: find_next_reference(installation),
        "build": _build,
        "ledger": _ledger,
        "clients": _clients,
        "unverified_directors": _unverified_directors,
        "play_links": _play_links,
        "meters": _meters,
    }
    status: dict[str, Any] = {}
    faults: list[str] = []
    for name, part in parts.items():
        try:
            status[name] = part(installation, faults)
        except OrdwsError as error:
            status[name] = None
            faults.append(str(error))
    # Several parts need one key file.
    status["faults"] = faults = [*dict.fromkeys(faults)]
    if as_json:
        click.echo(json.dumps(status))
    else:
        _show(status)
    ctx.exit(1 if faults else 0)


def _show(status: dict[str, Any]) -> None:
    """Print what `--json` prints, for a keeper to read."""
    edition = status["edition"]
    click.echo(
        f"edition  {edition['number']} ({edition['name']}), sealed {edition['created']},"
        f" adopted up to {edition['mark']}"
        if edition
        else "edition  none"
    )
    coming = status["next_reference"]
    if edition or coming:
        waiting = f", {coming} from the next build on" if coming else ""
        click.echo(f"players' list  {edition['reference'] if edition else 'none in force'}{waiting}")
    for name in ("keys", "build", "ledger"):
        if status[name]:
            click.echo(name)
            for field, value in status[name].items():
                text = " ".join(map(str, value)) or "none" if isinstance(value, list) else value
                click.echo(f"  {field}: {text}")
    click.echo(f"clients  {status['clients']}")
    if status["unverified_directors"]:
        names = ", ".join(status["unverified_directors"])
        click.echo(f"  not verified, so that their scope {OPERATORS_SCOPE} is of no use: {names}")
    if status["play_links"]:
        click.echo(f"play links  {len(status['play_links'])}")
        for link in status["play_links"]:
            granted = f"{json.dumps(link['name'])}, {link['games']} games a day" if link["name"] else "without a name"
            click.echo(f"  made {link['made']}: {granted}")
    if status["meters"] and (closed := status["meters"]["closed_until"]):
        click.echo(f"meters   nobody knows what was spent today; no question is answered until {closed}")
    for fault in status["faults"]:
        click.echo(f"fault    {fault}")


def _keys(instance: Instance, _: list[str]) -> dict[str, list[int]]:
    return key_numbers(Keyring.open(instance.keys))


def _edition(instance: Instance, faults: list[str]) -> dict[str, Any]:
    """Return the current edition; add a fault if a newer one was refused, or an older one might not be."""
    store = open_edition_store(instance)
    if fault := store.fault():
        faults.append(fault)
    # Looking changes nothing, so a newer edition is not adopted.
    editions = open_editions(instance, adopting=False)
    if editions.refusal:
        faults.append(f"{editions.refusal} ({editions.hint})" if editions.hint else editions.refusal)
    edition = editions.current
    return {
        "number": edition.number,
        "name": edition.name,
        "created": f"{edition.created:%Y-%m-%dT%H:%M:%SZ}",
        "mark": store.read_mark(),
        "reference": edition.reference_name,
        "own_reference": edition.has_own_reference,
    }


def _build(instance: Instance, _: list[str]) -> dict[str, Any] | None:
    """Return the counts that `ordws-build run` has recorded, or None if nothing was built here."""
    if not instance.build_record.exists():
        return None
    try:
        counts: dict[str, Any] = json.loads(instance.build_record.read_bytes())["counts"]
    except (ValueError, KeyError, TypeError):
        raise Missing(f'"{instance.build_record}" holds no counts', hint="ordws-build run writes it again") from None
    return counts


def _ledger(instance: Instance, _: list[str]) -> dict[str, Any] | None:
    """Return the counts of the ledger, or None on a host without a ledger."""
    # With any of the three files the others have to be there too, and open_ledger reports what is missing.
    if not (instance.ledger_key.exists() or instance.ledger.exists() or instance.ledger_head.exists()):
        return None
    # A serving host has no ledger, and need not have the packages that open one.
    from ordws.cli.curation import open_ledger

    with open_ledger(instance) as ledger:
        status = ledger.status()._asdict()
    return {**status, "head": f"{status['head'].length} {status['head'].hash}"}


def _clients(instance: Instance, _: list[str]) -> int:
    with closing(open_register(instance)) as register:
        return sum(client.revoked is None for client in register.list())


def _unverified_directors(instance: Instance, _: list[str]) -> list[str]:
    """Return the names of live clients who have the scope of events and were not verified by a keeper."""
    with closing(open_register(instance)) as register:
        return [
            client.name
            for client in register.list()
            if client.revoked is None and client.verified is None and OPERATORS_SCOPE in client.scopes
        ]


def _play_links(instance: Instance, _: list[str]) -> list[dict[str, Any]]:
    """Return the play links that were not withdrawn; one without a name has no games of its own."""
    with closing(open_play_links(instance)) as links:
        return [
            {"made": format_utc(link.created), "name": link.name, "games": link.games or None} for link in links.list()
        ]


def _meters(instance: Instance, _: list[str]) -> dict[str, str | None] | None:
    """Return the time until which no question is answered, or None in its place; None if there are no meters yet."""
    settings, now = read_settings(instance.settings), int(time.time())
    if settings.store.redis is None and not instance.meters.exists():
        return None
    with closing(open_meters(instance, settings)) as store:
        closed = store.closed_until()
    return {"closed_until": f"{datetime.fromtimestamp(closed, UTC):%Y-%m-%dT%H:%MZ}" if closed > now else None}
