"""`ordws publish`: an edition for the hosts that serve it."""

from __future__ import annotations

from pathlib import Path

import click

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cli import instance_option
from ordws.errors import EditionRefused
from ordws.instance import Instance


@click.command()
@click.option("--to", metavar="DIR", help="Where to write it [default: publish, in the installation's folder].")
@instance_option
def command(to: str | None, instance: str | None) -> None:
    """Write what serving hosts need: the sealed edition, the public lists, the public signing keys.

    Nothing in that folder is secret. The opening key is never in it.

    \b
    Example:
      ordws publish --to published
    """
    from ordws.api.services import open_editions
    from ordws.cli.editions import open_edition_store
    from ordws.lexicon.keyring import Keyring
    from ordws.lexicon.sealed_edition import read_header

    here = Instance.locate(instance)
    keyring = Keyring.open(here.keys)
    shelf = open_editions(here, adopting=True)
    delivery = open_edition_store(here).find(shelf.current.number)
    if shelf.refusal or delivery is None:
        raise EditionRefused(f"nothing was published: {shelf.refusal}", hint="ordws-build run makes a new edition")
    there = Instance(Path(to) if to else here.publish_folder)
    for folder in (there.keys, there.public):
        folder.mkdir(parents=True, exist_ok=True)
    # The sealed edition last: a host that looks meanwhile finds the keys and lists that it needs.
    for number in keyring.public_numbers:
        write_atomically(there.keys / f"signing-{number}.pub", keyring.public_key(number), PUBLIC_MODE)
    write_atomically(there.core, delivery.core, PUBLIC_MODE)
    write_atomically(there.reference, delivery.reference, PUBLIC_MODE)
    if here.notices.exists():
        write_atomically(there.notices, here.notices.read_bytes(), PUBLIC_MODE)
    write_atomically(there.sealed_edition, delivery.sealed, PUBLIC_MODE)
    click.echo(
        _instructions(there, shelf.current.number, shelf.current.name, read_header(delivery.sealed, keyring).opening)
    )


def _instructions(published: Instance, number: int, name: str, opening: int) -> str:
    key = f"opening-{opening}.key"
    return f"""published edition {number} ({name}) in "{published.root}"

A new serving host:      ordws init --serving --from {published.root} --opening-key {key}
One that serves already: copy keys and public over those of its installation, then ordws.sealed beside its own, and
                         rename it into place: the service follows without a restart.

{key} is not in there. A host that lacks it gets it once, from this installation's keys folder by another way than
these files (a systemd credential, ssh), as keys/{key} with mode 0400. A new signing-N.pub likewise deserves trust
only if it came from you."""
