"""Rollback: the words of an earlier edition, sealed again under the next number (docs/guard.md Decision 12)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import structs

from builders.build_report import read_build_report, write_build_report
from builders.seal_edition import (
    EditionContents,
    PreviousEdition,
    open_edition_store,
    open_previous_edition,
    seal_next_edition,
)
from ordws.curation.acts import EditionRolledBack
from ordws.curation.ballot import is_name, read_reason
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing, SealBroken
from ordws.instance import Instance
from ordws.lexicon.edition_header import EditionHeader
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header, read_lists, read_words


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
