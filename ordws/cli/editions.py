"""Editions and keys of an installation, as several commands for keepers need them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import click

from ordws.atomic_files import write_atomically
from ordws.instance import Instance
from ordws.lexicon.edition import Edition
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header, read_lists, read_words, seal


def open_edition_store(instance: Instance) -> EditionStore:
    """Return the store of the editions that an installation has adopted."""
    return EditionStore(editions=instance.editions, mark=instance.edition_mark)


def open_to_judge(instance: Instance) -> Edition:
    """Return the edition that a command judges by, and adopt nothing; warn if an older one might not be noticed."""
    from ordws.api.services import open_editions

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


def key_numbers(keyring: Keyring) -> dict[str, list[int]]:
    """Return the numbers of the keys of each kind; the `public` keys verify what the `signing` keys signed."""
    return {
        "opening": keyring.opening_numbers,
        "signing": keyring.signing_numbers,
        "public": keyring.public_numbers,
    }
