"""Sealing of a set of words as the edition that is served, and reading of the edition before it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path

from builders.public_lists import PublicLists, digest_word_list, encode_word_list
from ordws.atomic_files import PRIVATE_MODE, PUBLIC_MODE, write_atomically
from ordws.errors import SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import EditionHeader, read_header, read_words, seal


@dataclass(frozen=True)
class PreviousEdition:
    """The edition that a new edition follows, with its words: for the builder alone."""

    header: EditionHeader
    sealed: bytes
    words: frozenset[str]
    retired: frozenset[str]


def open_previous_edition(instance: Instance, keyring: Keyring) -> PreviousEdition | None:
    """Return the newest edition that opens with the keys of an instance, or None before the first edition.

    If the delivered edition is damaged, the editions that were kept when they were adopted are tried. It is an error
    (SealBroken) if none opens, or if a newer one was made or adopted here: a word that was in any edition must not be
    forgotten (docs/rules.md A-22).
    """
    newest: PreviousEdition | None = None
    fault: SealBroken | None = None
    store = open_edition_store(instance)
    made = store.read_mark()
    delivered = [instance.sealed_edition.read_bytes()] if instance.sealed_edition.exists() else []
    for sealed in chain(delivered, (kept.sealed for kept in store.all_files())):
        try:
            header = read_header(sealed, keyring)
            made = max(made, header.number)
            if newest is None or header.number > newest.header.number:
                words, retired = read_words(sealed, keyring)
                newest = PreviousEdition(header, sealed, frozenset(words), frozenset(retired))
        except SealBroken as broken:
            fault = broken
    if newest is None and fault is not None:
        raise fault
    if newest is not None and newest.header.number < made:
        raise SealBroken(
            f"edition {made} was made here, and the newest that opens is edition {newest.header.number}",
            hint="bring its keys (ordws keys list shows those at hand) or the edition itself back from a backup",
        )
    return newest


def open_edition_store(instance: Instance) -> EditionStore:
    """Return the store of the editions that an instance has adopted."""
    return EditionStore(editions=instance.editions, mark=instance.edition_mark)


def update_edition(
    instance: Instance,
    keyring: Keyring,
    public_lists: PublicLists,
    words: frozenset[str],
    previous: PreviousEdition | None,
    now: datetime,
) -> EditionHeader:
    """Seal and adopt an edition of the words, or restore the files of the previous one if it says the same."""
    core, reference = encode_word_list(public_lists.core), encode_word_list(public_lists.reference)
    if (
        previous is not None
        and previous.words == words
        and header_digests(previous.header) == list_digests(core, reference)
    ):
        write_edition_files(instance, EditionFiles(previous.sealed, core, reference))
        return previous.header
    return seal_next_edition(instance, keyring, words, core, reference, previous, now)


def seal_next_edition(
    instance: Instance,
    keyring: Keyring,
    words: frozenset[str],
    core: bytes,
    reference: bytes,
    previous: PreviousEdition | None,
    now: datetime,
) -> EditionHeader:
    """Seal and adopt words and public lists under the next number; words that were ever in become retired words."""
    store = open_edition_store(instance)
    earlier = previous.words | previous.retired if previous else frozenset[str]()
    core_digest, reference_digest = list_digests(core, reference)
    sealed = seal(
        words,
        earlier - words,
        number=store.next_number(previous.sealed if previous else None, keyring),
        name=f"ORDWS {now.year}",
        created=now,
        core_digest=core_digest,
        reference_digest=reference_digest,
        keyring=keyring,
    )
    header, files = read_header(sealed, keyring), EditionFiles(sealed, core, reference)
    write_edition_files(instance, files)
    store.adopt(files, header.number, keyring)
    return header


def list_digests(core: bytes, reference: bytes) -> tuple[str, str]:
    """Return the digests that an edition's header has of its public lists."""
    return digest_word_list(core), digest_word_list(reference)


def header_digests(header: EditionHeader) -> tuple[str, str]:
    """Return the digests of the public lists that an edition was sealed with."""
    return header.core_digest, header.reference_digest


def write_edition_files(instance: Instance, files: EditionFiles) -> None:
    """Write the files of an edition to where they are served from."""
    # The sealed file comes last, so that its lists are there when a service notices it.
    for path, data, mode in (
        (instance.core, files.core, PUBLIC_MODE),
        (instance.reference, files.reference, PUBLIC_MODE),
        (instance.sealed_edition, files.sealed, PRIVATE_MODE),
    ):
        if read_if_exists(path) != data:
            write_atomically(path, data, mode)


def are_edition_files_current(instance: Instance, previous: PreviousEdition) -> bool:
    """Tell whether the files that are served from are those of an edition, byte by byte."""
    if read_if_exists(instance.sealed_edition) != previous.sealed:
        return False
    lists = (read_if_exists(instance.core), read_if_exists(instance.reference))
    return tuple(digest_word_list(each or b"") for each in lists) == header_digests(previous.header)


def read_if_exists(path: Path) -> bytes | None:
    """Return the contents of a file, or None if there is none."""
    return path.read_bytes() if path.exists() else None
