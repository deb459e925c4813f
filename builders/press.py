"""From a set of words to the sealed edition that is served, and back to the words of the one before."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from builders.core import digest_list, write_list
from builders.listing import Listing
from ordws.errors import OrdwsError, SealBroken
from ordws.instance import Instance
from ordws.lexicon.delivery import Delivery
from ordws.lexicon.kept import Kept
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed import Header, read_header, read_words, seal
from ordws.writing import PUBLIC, write_whole


@dataclass(frozen=True)
class Previous:
    """The edition that a new one follows, with its words: for the builder alone."""

    header: Header
    words: frozenset[str]
    retired: frozenset[str]


class OneBuilderAtATime(OrdwsError):
    """Another build of this instance is under way."""


@contextmanager
def only_builder(instance: Instance) -> Iterator[None]:
    """Hold the instance for one build."""
    instance.make_folders()
    with instance.building.open("ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OneBuilderAtATime("another build of this instance is under way") from None
        yield


def open_previous(instance: Instance, keyring: Keyring) -> Previous | None:
    """The newest edition that opens here, or None before the first.

    Where the newest is damaged, the copy that was kept when it was adopted is taken: a word must not be forgotten
    that was once in. (RULES A-22)
    """
    kept = Kept(editions=instance.editions, mark=instance.mark)
    delivered = instance.sealed.read_bytes() if instance.sealed.exists() else None
    adopted = kept.find(kept.read_mark())
    found = []
    for sealed in (delivered, adopted.sealed if adopted else None):
        if sealed is not None:
            try:
                found.append((read_header(sealed, keyring), read_words(sealed, keyring)))
            except SealBroken:
                continue
    if not found:
        return None
    header, (words, retired) = max(found, key=lambda each: each[0].number)
    return Previous(header, frozenset(words), frozenset(retired))


def press(
    instance: Instance, keyring: Keyring, listing: Listing, words: frozenset[str],
    previous: Previous | None, now: datetime,
) -> Header:  # fmt: skip
    """Seal and adopt an edition of the words, or leave the previous one where it already says the same."""
    core, reference = write_list(listing.core), write_list(listing.reference)
    digests = digest_list(core), digest_list(reference)
    if previous is not None and previous.words == words and is_current(instance, previous.header, digests):
        return previous.header
    kept = Kept(editions=instance.editions, mark=instance.mark)
    earlier = previous.words | previous.retired if previous else frozenset[str]()
    sealed = seal(
        words, earlier - words, number=max(kept.read_mark(), previous.header.number if previous else 0) + 1,
        name=f"ORDWS {now.year}", created=now, core_digest=digests[0], reference_digest=digests[1], keyring=keyring,
    )  # fmt: skip
    header = read_header(sealed, keyring)
    # The public lists first, the sealed edition last: who sees it finds the lists that its header names.
    write_whole(instance.core, core, PUBLIC)
    write_whole(instance.reference, reference, PUBLIC)
    write_whole(instance.sealed, sealed)
    kept.adopt(Delivery(sealed, core, reference), header.number, keyring)
    return header


def is_current(instance: Instance, header: Header, digests: tuple[str, str]) -> bool:
    """Whether an edition names these public lists, and all its files are where they are served from."""
    names = (header.core_digest, header.reference_digest)
    files = (instance.sealed, instance.core, instance.reference)
    return names == digests and all(file.exists() for file in files)
