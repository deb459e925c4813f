"""`ordws keys`: the numbered keys that seal and sign editions."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import click

from ordws.api.services import open_editions
from ordws.cli import instance_option
from ordws.cli.editions import has_edition, key_numbers, open_edition_store, reseal
from ordws.errors import EditionRefused
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring


@click.group("keys")
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

    The old keys stay, for reading the editions that they sealed. Serving hosts need the new keys before the new
    edition.

    \b
    Example:
      ordws keys rotate && ordws publish
    """
    installation = Instance.locate(instance)
    # No build may seal under the old keys meanwhile.
    with installation.seal_lock():
        keyring = Keyring.open(installation.keys)
        # An edition that does not open could not be sealed again, and the new keys would have no edition.
        editions = open_editions(installation, adopting=True) if has_edition(installation) else None
        if editions and editions.refusal:
            raise EditionRefused(f"no key was made: {editions.refusal}", hint="ordws-build run makes a new edition")
        keyring = keyring.rotate()
        click.echo(f"opening key {keyring.newest_opening} and signing key {keyring.newest_signing} seal from now on")
        store = open_edition_store(installation)
        delivery = store.find(store.read_mark())
        if delivery:
            number = store.read_mark() + 1
            reseal(installation, delivery, keyring, number, datetime.now(UTC))
            click.echo(
                f"edition {number} holds the same words; serving hosts need opening-{keyring.newest_opening}.key and"
                f" signing-{keyring.newest_signing}.pub before they get it"
            )


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@instance_option
def list_keys(as_json: bool, instance: str | None) -> None:
    """Show the numbers of the keys of this installation; the newest of each kind seals.

    \b
    Example:
      ordws keys list --json
    """
    numbers = key_numbers(Keyring.open(Instance.locate(instance).keys))
    if as_json:
        click.echo(json.dumps(numbers))
    else:
        for kind, numbers_of_kind in numbers.items():
            click.echo(f"{kind:<8} {' '.join(map(str, numbers_of_kind)) or 'none'}")
