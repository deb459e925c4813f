"""`ordws publish`: the files of an edition for the hosts that serve it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from ordws.api.services import open_editions
from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cli import instance_option
from ordws.cli.editions import open_edition_store, write_lists
from ordws.errors import EditionRefused
from ordws.instance import Instance
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header


@click.command("publish")
@click.option("--to", metavar="DIR", help="Where to write the files [default: publish, in the installation's folder].")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def command(to: str | None, as_json: bool, instance: str | None) -> None:
    """Write what serving hosts need: the sealed edition, the public lists, the public signing keys.

    Nothing in that folder is secret. The opening key is never in it.

    The JSON has edition, name, folder and opening_key, the name of the key to send separately.

    \b
    Example:
      ordws publish --to published
    """
    installation = Instance.locate(instance)
    keyring = Keyring.open(installation.keys)
    editions = open_editions(installation, adopting=True)
    delivery = open_edition_store(installation).find(editions.current.number)
    if editions.refusal or delivery is None:
        raise EditionRefused(f"nothing was published: {editions.refusal}", hint="ordws-build run makes a new edition")
    published = Instance(Path(to) if to else installation.publish_folder)
    for folder in (published.keys, published.public):
        folder.mkdir(parents=True, exist_ok=True)
    for number in keyring.public_numbers:
        write_atomically(published.keys / f"signing-{number}.pub", keyring.public_key(number), PUBLIC_MODE)
    write_lists(delivery, installation, published)
    # The sealed edition is last, so that a host that looks meanwhile finds the keys and lists that it needs.
    write_atomically(published.sealed_edition, delivery.sealed, PUBLIC_MODE)
    key = f"opening-{read_header(delivery.sealed, keyring).opening}.key"
    if as_json:
        edition = {"edition": editions.current.number, "name": editions.current.name}
        click.echo(json.dumps({**edition, "folder": str(published.root), "opening_key": key}))
        return
    click.echo(
        f"""published edition {editions.current.number} ({editions.current.name}) in "{published.root}"

A new serving host:       ordws init --serving --from {published.root} --opening-key {key}
An existing serving host: copy keys and public over those of its installation, then copy ordws.sealed beside its own
                          and rename it into place: the service follows without a restart.

{key} is not in that folder. A host that lacks it gets it once, from this installation's keys folder, by another way
than these files (a systemd credential, ssh), as keys/{key} with mode 0400. A new signing-N.pub likewise deserves
trust only if it came from you."""
    )
