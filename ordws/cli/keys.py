"""`ordws keys`: the sealing keys by number."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import click

from ordws.cli import instance_option
from ordws.errors import EditionRefused
from ordws.instance import Instance


@click.group()
def command() -> None:
    """List the sealing keys, or add the next ones.

    \b
    Example:
      ordws keys list
    """


@command.command()
@instance_option
def rotate(instance: str | None) -> None:
    """Add the next opening and signing keys and seal the current words under them, as the next edition.

    The old keys stay, for reading what they sealed. Serving hosts need the new keys before the new edition.

    \b
    Example:
      ordws keys rotate && ordws publish
    """
    from ordws.api.services import open_editions
    from ordws.cli.editions import has_edition, open_edition_store, reseal
    from ordws.lexicon.keyring import Keyring

    here = Instance.locate(instance)
    with here.seal_lock():
        keyring = Keyring.open(here.keys)
        current = open_editions(here, adopting=True) if has_edition(here) else None
        if current and current.refusal:
            raise EditionRefused(f"no key was made: {current.refusal}", hint="ordws-build run makes a new edition")
        keyring = keyring.rotate()
        click.echo(f"opening key {keyring.newest_opening} and signing key {keyring.newest_signing} seal from now on")
        kept = open_edition_store(here)
        delivery = kept.find(kept.read_mark())
        if delivery:
            number = kept.read_mark() + 1
            reseal(here, delivery, keyring, number, datetime.now(UTC))
            click.echo(
                f"edition {number} holds the same words; serving hosts need opening-{keyring.newest_opening}.key and"
                f" signing-{keyring.newest_signing}.pub before it"
            )


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@instance_option
def list_keys(as_json: bool, instance: str | None) -> None:
    """Show which keys are here, by number; the newest of each kind seals.

    \b
    Example:
      ordws keys list --json
    """
    from ordws.cli.editions import key_numbers
    from ordws.lexicon.keyring import Keyring

    numbers = key_numbers(Keyring.open(Instance.locate(instance).keys))
    if as_json:
        click.echo(json.dumps(numbers))
    else:
        for kind, of_kind in numbers.items():
            click.echo(f"{kind:<8} {' '.join(map(str, of_kind)) or 'none'}")
