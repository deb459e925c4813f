"""Sealing of a set of words as the edition that is served, and reading of the edition before it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path

from builders.public_lists import digest_word_list
from ordws.atomic_files import PRIVATE_MODE, PUBLIC_MODE, write_atomically
from ordws.errors import SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_header import NEWEST_FORMAT, EditionHeader
from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import NO_LISTS, SealedLists, read_header, read_lists, read_words, seal


@dataclass(frozen=True)
class PreviousEdition:
    """The edition that a new edition follows, with its words: for the builder alone."""

    header: EditionHeader
    sealed: bytes
    words: frozenset[str]
    retired: frozenset[str]
    lists: SealedLists


@dataclass(frozen=True, kw_only=True)
class EditionContents:
    """All that an edition is to say: its words, the other sealed lists, and the public lists as they are stored."""

    words: frozenset[str]
    lists: SealedLists = NO_LISTS
    """Without the words once good under Dover, which follow from the edition before."""
    core: bytes
    reference: bytes
    charged: bytes = b""

    @property
    def list_digests(self) -> tuple[str, str, str]:
        """The digests that an edition's header has of its public lists."""
        return digest_word_list(self.core), digest_word_list(self.reference), digest_word_list(self.charged)

    def is_said_by(self, edition: PreviousEdition) -> bool:
        """Tell whether an edition says the same already, in the newest format."""
        return (
            edition.header.format == NEWEST_FORMAT
            and edition.words == self.words
            and edition.lists._replace(dover_retired=frozenset()) == self.lists
            and edition.header.list_digests == self.list_digests
        )


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
                lists = read_lists(sealed, keyring)
                newest = PreviousEdition(header, sealed, frozenset(words), frozenset(retired), lists)
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
    contents: EditionContents,
    previous: PreviousEdition | None,
    now: datetime,
) -> EditionHeader:
    """Seal and adopt an edition, or restore the files of the previous one if it says the same."""
    if previous is not None and contents.is_said_by(previous):
        write_edition_files(
            instance, EditionFiles(previous.sealed, contents.core, contents.reference, contents.charged)
        )
        return previous.header
    return seal_next_edition(instance, keyring, contents, previous, now)


def seal_next_edition(
    instance: Instance,
    keyring: Keyring,
    contents: EditionContents,
    previous: PreviousEdition | None,
    now: datetime,
) -> EditionHeader:
    """Seal and adopt an edition under the next number; words that were ever in become retired words.

    So do Dover's forms, among the words once good under Dover (docs/rules.md A-22).
    """
    store = open_edition_store(instance)
    earlier = previous.words | previous.retired if previous else frozenset[str]()
    once_good = previous.lists.dover_forms | previous.lists.dover_retired if previous else frozenset[str]()
    core_digest, reference_digest, charged_digest = contents.list_digests
    sealed = seal(
        contents.words,
        earlier - contents.words,
        number=store.next_number(previous.sealed if previous else None, keyring),
        name=f"ORDWS {now.year}",
        created=now,
        core_digest=core_digest,
        reference_digest=reference_digest,
        keyring=keyring,
        lists=contents.lists._replace(dover_retired=once_good),
        charged_digest=charged_digest,
    )
    header = read_header(sealed, keyring)
    files = EditionFiles(sealed, contents.core, contents.reference, contents.charged)
    write_edition_files(instance, files)
    store.adopt(files, header.number, keyring)
    return header


def write_edition_files(instance: Instance, files: EditionFiles) -> None:
    """Write the files of an edition to where they are served from."""
    # The sealed file comes last, so that its lists are there when a service notices it.
    for path, data, mode in (
        (instance.core, files.core, PUBLIC_MODE),
        (instance.reference, files.reference, PUBLIC_MODE),
        (instance.charged, files.charged, PUBLIC_MODE),
        (instance.sealed_edition, files.sealed, PRIVATE_MODE),
    ):
        if read_if_exists(path) != data:
            write_atomically(path, data, mode)


def are_edition_files_current(instance: Instance, previous: PreviousEdition) -> bool:
    """Tell whether the files that are served from are those of an edition, byte by byte."""
    if read_if_exists(instance.sealed_edition) != previous.sealed:
        return False
    lists = (read_if_exists(instance.core), read_if_exists(instance.reference), read_if_exists(instance.charged))
    return tuple(digest_word_list(each or b"") for each in lists) == previous.header.list_digests


def read_charged(instance: Instance, previous: PreviousEdition | None) -> frozenset[str] | None:
    """Return the core words charged under Dover as the previous edition has them; None where their file is not its."""
    data = read_if_exists(instance.charged) or b""
    if previous is None or previous.header.format == 1 or digest_word_list(data) != previous.header.charged_digest:
        return None
    return frozenset(data.decode("ascii").split())


def read_if_exists(path: Path) -> bytes | None:
    """Return the contents of a file, or None if there is none."""
    return path.read_bytes() if path.exists() else None
