"""The last edition taken back: what the one before it said, sealed again under the next number. (GUARD decision 12)"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import structs

from builders.build_report import read_build_report, write_build_report
from builders.seal_edition import (
    PreviousEdition,
    header_digests,
    list_digests,
    open_edition_store,
    open_previous_edition,
    seal_next_edition,
)
from ordws.curation.acts import EditionRolledBack
from ordws.curation.ballot import is_name, is_reason
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing, SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import EditionHeader, read_header, read_words


class Rollback(msgspec.Struct, frozen=True, kw_only=True):
    """What taking an edition back has done; no word stands in it."""

    edition: int
    """The number of the new one."""
    name: str
    taken_back: int
    words_of: int
    counts: dict[str, int]


def roll_back(instance: Instance, ledger: Ledger, *, reason: str, keeper: str, now: datetime) -> Rollback:
    """Seal and adopt what the edition before the present one said, and note it in the ledger.

    Words that only the edition taken back had go on as retired: a word that was once in is not forgotten. (RULES A-22)
    """
    if not reason.strip() or not is_reason(reason) or not is_name(keeper):
        raise BadInput("taking an edition back needs a reason and the name of its keeper, without control characters")
    with instance.seal_lock():
        keyring = Keyring.open(instance.keys)
        last = open_previous_edition(instance, keyring)
        if last is None:
            raise Missing("there is no edition to take back", hint="ordws-build run seals the first")
        earlier, lists, words = find_earlier_edition(instance, keyring, last, rollback_origins(ledger))
        header = seal_next_edition(instance, keyring, words, lists.core, lists.reference, last, now)
        done = Rollback(
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
        update_build_report(instance, done)
        act = EditionRolledBack(number=header.number, words_of=earlier.number, reason=reason.strip())
        ledger.append_acts([("", act)], keeper, now.isoformat(timespec="seconds"))
    return done


def find_earlier_edition(
    instance: Instance, keyring: Keyring, last: PreviousEdition, origins_by_edition: Mapping[int, int]
) -> tuple[EditionHeader, EditionFiles, frozenset[str]]:
    """The newest edition kept here from before the last one that says something else; raises Missing for none.

    An edition that says again what an earlier one said stands for that one: where the last was itself made by taking
    one back, the next step goes behind the edition whose words it has, never to the one that was taken back.
    """
    limit = original_edition(last.header.number, origins_by_edition)
    for delivery in open_edition_store(instance).all_files():
        try:
            header = read_header(delivery.sealed, keyring)
            is_whole = list_digests(delivery.core, delivery.reference) == header_digests(header)
            if header.number >= limit or not is_whole:
                continue
            words = frozenset(read_words(delivery.sealed, keyring)[0])
        except SealBroken:
            continue
        if words != last.words or header_digests(header) != header_digests(last.header):
            return header, delivery, words
        limit = original_edition(header.number, origins_by_edition)
    raise Missing(
        "there is no earlier edition at hand that says anything else",
        hint="a family that is voted on again, or an override, changes what the next build seals",
    )


def rollback_origins(ledger: Ledger) -> dict[int, int]:
    """By its number, whose words an edition has that was made by taking another back."""
    return {done.act.number: done.act.words_of for done in ledger.acts([""]) if isinstance(done.act, EditionRolledBack)}


def original_edition(number: int, origins_by_edition: Mapping[int, int]) -> int:
    """The edition that first said what the edition of that number says."""
    while number in origins_by_edition:
        number = origins_by_edition[number]
    return number


def update_build_report(instance: Instance, rollback: Rollback) -> None:
    """Say in the last build's record which edition stands now; what that was made from stays as it is.

    The next build with nothing changed therefore leaves the edition alone, though decisions say otherwise.
    """
    last = read_build_report(instance.build_record)
    if last is not None:
        counts = {**last.counts, **rollback.counts}
        report = structs.replace(last, changed=True, edition=rollback.edition, name=rollback.name, counts=counts)
        write_build_report(instance.build_record, report)


def format_rollback(rollback: Rollback) -> str:
    """What was done as lines for a keeper."""
    lines = [
        f"edition {rollback.edition} ({rollback.name}) says what edition {rollback.words_of} said; {rollback.taken_back} is taken back",
        *[f"  {name:<20}  {count:>9,}" for name, count in rollback.counts.items()],
        "The decisions stay as they are: the next build with a change brings back what they say,",
        "unless the families are voted on again, or overridden, first.",
    ]
    return "\n".join(lines)
