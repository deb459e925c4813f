"""From a set of words to the sealed edition that is served, and back to the words of the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from builders.core import digest_word_list, encode_word_list
from builders.public_lists import PublicLists
from ordws.atomic_files import PRIVATE_MODE, PUBLIC_MODE, write_atomically
from ordws.errors import SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import EditionHeader, read_header, read_words, seal


@dataclass(frozen=True)
class PreviousEdition:
    """The edition that a new one follows, with its words: for the builder alone."""

    header: EditionHeader
    sealed: bytes
    words: frozenset[str]
    retired: frozenset[str]


def open_previous_edition(instance: Instance, keyring: Keyring) -> PreviousEdition | None:
    """The newest edition that opens here, or None before the first.

    Where the one delivered is damaged, those kept when they were adopted are tried. Where none opens, or a newer one
    was made or adopted here, that is an error: a word that was once in must not be forgotten. (RULES A-22)
    """
    newest: PreviousEdition | None = None
    fault: SealBroken | None = None
    made = open_edition_store(instance).read_mark()
    for sealed in stored_editions(instance):
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


def stored_editions(instance: Instance) -> Iterator[bytes]:
    """The delivered edition and those that were kept, the newest first; any of them may be damaged."""
    if instance.sealed_edition.exists():
        yield instance.sealed_edition.read_bytes()
    for delivery in open_edition_store(instance).all_files():
        yield delivery.sealed


def open_edition_store(instance: Instance) -> EditionStore:
    return EditionStore(editions=instance.editions, mark=instance.edition_mark)


def update_edition(
    instance: Instance,
    keyring: Keyring,
    public_lists: PublicLists,
    words: frozenset[str],
    previous: PreviousEdition | None,
    now: datetime,
) -> EditionHeader:
    """Seal and adopt an edition of the words, or put the previous one in its place where it already says the same."""
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
    """Seal and adopt the words beside these public lists under the next number; what was ever in goes on as retired."""
    kept = open_edition_store(instance)
    earlier = previous.words | previous.retired if previous else frozenset[str]()
    core_digest, reference_digest = list_digests(core, reference)
    sealed = seal(
        words,
        earlier - words,
        number=kept.next_number(previous.sealed if previous else None, keyring),
        name=f"ORDWS {now.year}",
        created=now,
        core_digest=core_digest,
        reference_digest=reference_digest,
        keyring=keyring,
    )
    header, delivery = read_header(sealed, keyring), EditionFiles(sealed, core, reference)
    write_edition_files(instance, delivery)
    kept.adopt(delivery, header.number, keyring)
    return header


def list_digests(core: bytes, reference: bytes) -> tuple[str, str]:
    """What an edition that is sealed beside these lists says of them."""
    return digest_word_list(core), digest_word_list(reference)


def header_digests(header: EditionHeader) -> tuple[str, str]:
    return header.core_digest, header.reference_digest


def write_edition_files(instance: Instance, delivery: EditionFiles) -> None:
    """Put the files of an edition where they are served from: the sealed one last, so that its lists are there."""
    for path, data, mode in (
        (instance.core, delivery.core, PUBLIC_MODE),
        (instance.reference, delivery.reference, PUBLIC_MODE),
        (instance.sealed_edition, delivery.sealed, PRIVATE_MODE),
    ):
        if read_if_exists(path) != data:
            write_atomically(path, data, mode)


def are_edition_files_current(instance: Instance, previous: PreviousEdition) -> bool:
    """Whether what is served from is that edition, byte by byte."""
    if read_if_exists(instance.sealed_edition) != previous.sealed:
        return False
    lists = (read_if_exists(instance.core), read_if_exists(instance.reference))
    return tuple(digest_word_list(each or b"") for each in lists) == header_digests(previous.header)


def read_if_exists(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
