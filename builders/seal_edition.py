"""Sealing of a set of words as the edition that is served, and rollback to the words of an earlier edition.

A rollback seals the earlier words again under the next number (docs/guard.md Decision 12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import structs

from builders.build_report import read_build_report, write_build_report
from builders.public_lists import digest_word_list
from ordws.atomic_files import PRIVATE_MODE, PUBLIC_MODE, write_atomically
from ordws.curation.acts import EditionRolledBack
from ordws.curation.decision import is_name, read_reason
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing, SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_store import EditionFiles, EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import (
    NEWEST_FORMAT,
    NO_LISTS,
    EditionHeader,
    SealedLists,
    read_header,
    read_lists,
    read_words,
    seal,
)


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


class Rollback(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a rollback, in numbers; no word stands in it."""

    edition: int
    """The number of the new edition."""
    name: str
    taken_back: int
    """The number of the edition that was rolled back."""
    words_of: int
    """The number of the edition whose words are sealed again."""
    counts: dict[str, int]


def roll_back(instance: Instance, ledger: Ledger, *, reason: str, keeper: str, now: datetime) -> Rollback:
    """Seal and adopt the words of the edition before the present one, and append that to the ledger.

    Words that only the edition rolled back had become retired words: a word that was in any edition is not forgotten
    (docs/rules.md A-22). Raises BadInput, and Missing if there is no edition, or none that says anything else.
    """
    reason = read_reason(reason)
    if not is_name(keeper):
        raise BadInput("taking an edition back needs the name of its keeper, without control characters")
    with instance.seal_lock():
        keyring = Keyring.open(instance.keys)
        last = open_previous_edition(instance, keyring)
        if last is None:
            raise Missing("there is no edition to take back", hint="ordws-build run seals the first")
        earlier, contents = find_earlier_edition(instance, keyring, last, rollback_origins(ledger))
        words, header = contents.words, seal_next_edition(instance, keyring, contents, last, now)
        rollback = Rollback(
            edition=header.number,
            name=header.name,
            taken_back=last.header.number,
            words_of=earlier.number,
            counts={
                "words in the edition": len(words),
                "words new in it": len(words - last.words),
                "words no longer in it": len(last.words - words),
            },
        )
        # The inputs of the last build stay in its report, so that the next build with nothing changed leaves this
        # edition alone, though the decisions say otherwise.
        report = read_build_report(instance.build_record)
        if report is not None:
            counts = {**report.counts, **rollback.counts}
            report = structs.replace(report, changed=True, edition=header.number, name=header.name, counts=counts)
            write_build_report(instance.build_record, report)
        act = EditionRolledBack(number=header.number, words_of=earlier.number, reason=reason)
        ledger.append_acts([("", act)], keeper, now.isoformat(timespec="seconds"))
    return rollback


def find_earlier_edition(
    instance: Instance, keyring: Keyring, last: PreviousEdition, origins_by_edition: Mapping[int, int]
) -> tuple[EditionHeader, EditionContents]:
    """Return the newest edition before the last one that differs from it, with all that it says; raises Missing.

    An edition made by a rollback stands for the edition whose words it reuses: a second rollback in a row goes to the
    edition before that one, never to the edition that the first rollback took back.
    """
    limit = original_edition(last.header.number, origins_by_edition)
    for files in open_edition_store(instance).all_files():
        try:
            header = read_header(files.sealed, keyring)
            if header.number >= limit:
                continue
            words = frozenset(read_words(files.sealed, keyring)[0])
            lists = read_lists(files.sealed, keyring)._replace(dover_retired=frozenset())
        except SealBroken:
            continue  # a damaged edition, or one whose key is gone, cannot be sealed again
        contents = EditionContents(
            words=words, lists=lists, core=files.core, reference=files.reference, charged=files.charged
        )
        if contents.list_digests != header.list_digests:
            continue
        if not contents.is_said_by(last):
            return header, contents
        limit = original_edition(header.number, origins_by_edition)
    raise Missing(
        "there is no earlier edition at hand that says anything else",
        hint="a family that is voted on again, or an override, changes what the next build seals",
    )


def rollback_origins(ledger: Ledger) -> dict[int, int]:
    """Map the number of each edition made by a rollback to the edition whose words it reuses."""
    acts = [entry.act for entry in ledger.acts([""])]
    return {act.number: act.words_of for act in acts if isinstance(act, EditionRolledBack)}


def original_edition(number: int, origins_by_edition: Mapping[int, int]) -> int:
    """Return the number of the edition that first had the words of an edition."""
    while number in origins_by_edition:
        number = origins_by_edition[number]
    return number


def format_rollback(rollback: Rollback) -> str:
    """Return the result of a rollback as lines for a keeper."""
    lines = [
        f"edition {rollback.edition} ({rollback.name}) has the words of edition {rollback.words_of}; "
        f"edition {rollback.taken_back} is taken back",
        *[f"  {name:<20}  {count:>9,}" for name, count in rollback.counts.items()],
        "The decisions stay as they are: the next build with a change applies them again,",
        "unless the families are first voted on again, or overridden.",
    ]
    return "\n".join(lines)
