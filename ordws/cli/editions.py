"""Editions and keys of an installation, as several commands for keepers need them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import click

from ordws.api.services import open_editions
from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.errors import OrdwsError
from ordws.instance import Instance
from ordws.lexicon.edition import OPEN_REFERENCE_NAME, Edition
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_store import EditionStore
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
