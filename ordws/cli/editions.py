"""Editions and keys of an installation, and `ordws keys` and `publish`, which seal an edition anew and deliver it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from ordws.api.services import open_editions
from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.cli import instance_option
from ordws.errors import EditionRefused, OrdwsError
from ordws.instance import Instance
from ordws.lexicon.edition import OPEN_REFERENCE_NAME, Edition
from ordws.lexicon.edition_store import EditionFiles, EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.own_reference import load_own_reference
from ordws.lexicon.sealed_edition import digest_words, read_header, read_lists, read_words, seal


def open_edition_store(instance: Instance) -> EditionStore:
    """Return the store of the editions that an installation has adopted."""
    return EditionStore(editions=instance.editions, mark=instance.edition_mark)


def open_to_judge(instance: Instance) -> Edition:
    """Return the edition that a command judges by, and adopt nothing; warn if an older one might not be noticed."""
    editions = open_editions(instance, adopting=False)
    if editions.fault:
        click.echo(f"ordws: warning: {editions.fault}", err=True)
    return editions.current


def has_edition(instance: Instance) -> bool:
    """Return whether an edition was ever sealed here or delivered to this installation."""
    return instance.sealed_edition.exists() or open_edition_store(instance).read_mark() > 0


def reseal(instance: Instance, delivery: EditionFiles, keyring: Keyring, number: int, now: datetime) -> None:
    """Seal the words of an edition under the newest keys and another number, and adopt the result."""
    header = read_header(delivery.sealed, keyring)
    words, retired = read_words(delivery.sealed, keyring)
    sealed = seal(
        words,
        retired,
        number=number,
        name=header.name,
        created=now,
        core_digest=header.core_digest,
        reference_digest=header.reference_digest,
        keyring=keyring,
        lists=read_lists(delivery.sealed, keyring),
        charged_digest=header.charged_digest,
    )
    write_atomically(instance.sealed_edition, sealed)
    open_edition_store(instance).adopt(replace(delivery, sealed=sealed), number, keyring)


def write_lists(delivery: EditionFiles, source: Instance, target: Instance) -> None:
    """Write the public lists of an edition into another installation, with those that stand beside it in its own."""
    for path, data in (
        (target.core, delivery.core),
        (target.reference, delivery.reference),
        (target.charged, delivery.charged),
    ):
        write_atomically(path, data, PUBLIC_MODE)
    for at, copy in ((source.notices, target.notices), (source.common, target.common)):
        if at.exists():
            write_atomically(copy, at.read_bytes(), PUBLIC_MODE)


def key_numbers(keyring: Keyring) -> dict[str, list[int]]:
    """Return the numbers of the keys of each kind; the `public` keys verify what the `signing` keys signed."""
    return {
        "opening": keyring.opening_numbers,
        "signing": keyring.signing_numbers,
        "public": keyring.public_numbers,
    }


def find_next_reference(instance: Instance) -> str | None:
    """Return the name of the players' list that the next build seals; None if it is the same, or nothing is built.

    Where no edition can be opened, every list is another one.
    """
    if not instance.ledger_key.exists():
        return None
    own = load_own_reference(instance.own_reference, instance.own_reference_key)
    try:
        edition = open_editions(instance, adopting=False).current
    except OrdwsError:  # which the status reports beside the edition
        return own.name if own else OPEN_REFERENCE_NAME
    if own is None:
        return OPEN_REFERENCE_NAME if edition.has_own_reference else None
    is_same = (own.name, digest_words(own.words)) == (edition.reference_name, edition.own_digest)
    return None if is_same else own.name


@click.group("keys")
def keys() -> None:
    """List the sealing keys, or add the next ones.

    \b
    Example:
      ordws keys list
    """


@keys.command()
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


@keys.command(name="list")
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


@click.command("publish")
@click.option("--to", metavar="DIR", help="Where to write the files [default: publish, in the installation's folder].")
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
@instance_option
def publish(to: str | None, as_json: bool, instance: str | None) -> None:
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
