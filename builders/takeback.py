"""The last edition taken back: what the one before it said, sealed again under the next number. (GUARD decision 12)"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from msgspec import structs

from builders.press import Previous, digests, named_in, open_kept, open_previous, seal_next
from builders.report import read_report, write_report
from ordws.curation.acts import EditionRolledBack
from ordws.curation.ballot import is_name, is_reason
from ordws.curation.ledger import Ledger
from ordws.errors import BadInput, Missing, SealBroken
from ordws.instance import Instance
from ordws.lexicon.delivery import EditionFiles
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed import EditionHeader, read_header, read_words


class TakenBack(msgspec.Struct, frozen=True, kw_only=True):
    """What taking an edition back has done; no word stands in it."""

    edition: int
    """The number of the new one."""
    name: str
    taken_back: int
    words_of: int
    counts: dict[str, int]


def take_back(instance: Instance, ledger: Ledger, *, reason: str, keeper: str, now: datetime) -> TakenBack:
    """Seal and adopt what the edition before the present one said, and note it in the ledger.

    Words that only the edition taken back had go on as retired: a word that was once in is not forgotten. (RULES A-22)
    """
    if not reason.strip() or not is_reason(reason) or not is_name(keeper):
        raise BadInput("taking an edition back needs a reason and the name of its keeper, without control characters")
    with instance.sealing():
        keyring = Keyring.open(instance.keys)
        last = open_previous(instance, keyring)
        if last is None:
            raise Missing("there is no edition to take back", hint="ordws-build run seals the first")
        earlier, lists, words = find_earlier(instance, keyring, last, origins(ledger))
        header = seal_next(instance, keyring, words, lists.core, lists.reference, last, now)
        done = TakenBack(
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
        record(instance, done)
        act = EditionRolledBack(number=header.number, words_of=earlier.number, reason=reason.strip())
        ledger.append_acts([("", act)], keeper, now.isoformat(timespec="seconds"))
    return done


def find_earlier(
    instance: Instance, keyring: Keyring, last: Previous, origin: Mapping[int, int]
) -> tuple[EditionHeader, EditionFiles, frozenset[str]]:
    """The newest edition kept here from before the last one that says something else; raises Missing for none.

    An edition that says again what an earlier one said stands for that one: where the last was itself made by taking
    one back, the next step goes behind the edition whose words it has, never to the one that was taken back.
    """
    limit = first_of(last.header.number, origin)
    for delivery in open_kept(instance).all_files():
        try:
            header = read_header(delivery.sealed, keyring)
            is_whole = digests(delivery.core, delivery.reference) == named_in(header)
            if header.number >= limit or not is_whole:
                continue
            words = frozenset(read_words(delivery.sealed, keyring)[0])
        except SealBroken:
            continue
        if words != last.words or named_in(header) != named_in(last.header):
            return header, delivery, words
        limit = first_of(header.number, origin)
    raise Missing(
        "there is no earlier edition at hand that says anything else",
        hint="a family that is voted on again, or an override, changes what the next build seals",
    )


def origins(ledger: Ledger) -> dict[int, int]:
    """By its number, whose words an edition has that was made by taking another back."""
    return {done.act.number: done.act.words_of for done in ledger.acts([""]) if isinstance(done.act, EditionRolledBack)}


def first_of(number: int, origin: Mapping[int, int]) -> int:
    """The edition that first said what the edition of that number says."""
    while number in origin:
        number = origin[number]
    return number


def record(instance: Instance, done: TakenBack) -> None:
    """Say in the last build's record which edition stands now; what that was made from stays as it is.

    The next build with nothing changed therefore leaves the edition alone, though decisions say otherwise.
    """
    last = read_report(instance.build_record)
    if last is not None:
        counts = {**last.counts, **done.counts}
        report = structs.replace(last, changed=True, edition=done.edition, name=done.name, counts=counts)
        write_report(instance.build_record, report)


def tell_taken_back(done: TakenBack) -> str:
    """What was done as lines for a keeper."""
    lines = [
        f"edition {done.edition} ({done.name}) says what edition {done.words_of} said; {done.taken_back} is taken back",
        *[f"  {name:<20}  {count:>9,}" for name, count in done.counts.items()],
        "The decisions stay as they are: the next build with a change brings back what they say,",
        "unless the families are voted on again, or overridden, first.",
    ]
    return "\n".join(lines)
