"""The build on one screen: read, fold, expand, merge, queue, decide, seal, report."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from msgspec import structs

from builders import core
from builders.build_report import BuildReport, read_build_report, write_build_report
from builders.entry import Entry
from builders.families import Zipf, collect_families, count_standings
from builders.inflect import find_inflection_table, read_inflection_table
from builders.merge import MergeResult, SourceOptions, merge
from builders.notices import collect_notices
from builders.public_lists import PublicLists
from builders.readers import digest, files_of, read_entries
from builders.recipe import Recipe
from builders.rollback import rollback_origins
from builders.seal_edition import PreviousEdition, are_edition_files_current, open_previous_edition, update_edition
from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.curation.decision import Decision
from ordws.curation.family import Family
from ordws.curation.ledger import Ledger
from ordws.curation.override import Override
from ordws.curation.queue_update import QueueCounts
from ordws.errors import BadInput, BadSource
from ordws.instance import Instance, Sources
from ordws.lexicon.keyring import Keyring

BuildLog = Callable[[str], None]


@dataclass(frozen=True)
class Material:
    """What the dictionaries amount to, before anybody has decided anything."""

    public_lists: PublicLists
    merged: MergeResult
    families: tuple[Family, ...]


def read_material(
    recipe: Recipe, sources: Sources, zipf: Zipf, log: BuildLog, faults: list[BadSource] | None
) -> Material:
    """Read every source of a recipe, expand and merge."""
    log("reading the public lists")
    listing = core.read_public_lists(sources.root / recipe.public.scowl)
    merged = merge(
        read_sources(recipe, sources, log, faults),
        recipe.quorum,
        read_inflection_table(find_inflection_table()),
        listing,
    )
    log("gathering what the curators should see")
    return Material(listing, merged, tuple(collect_families(merged, listing, zipf)))


def read_sources(
    recipe: Recipe, sources: Sources, log: BuildLog, faults: list[BadSource] | None
) -> Iterator[tuple[SourceOptions, Iterable[Entry]]]:
    for source in recipe.source:
        log(f"reading {source.name}")
        yield source.options, read_entries(source.format, sources.root / source.path, faults=faults)


def choose_words(
    material: Material, decisions: Mapping[str, Decision], overrides: Mapping[str, Override]
) -> frozenset[str]:
    """Settled and decided in and overridden in, less decided out and overridden out; undecided changes nothing.

    Where sources changed, a form may have come to another family than it was voted on in: the vote on it holds.
    """
    words = set(material.merged.settled)
    voted = {
        form: decision
        for decision in decisions.values()
        for form in decision.forms
        if decision.outcome_of(form) in ("in", "out")
    }
    for family in material.families:
        own = decisions.get(family.base)
        for word in (candidate.word for candidate in family.candidates):
            decision = own if own and word in own.forms else voted.get(word, own)
            if decision is not None:
                (words.add if decision.includes(word) else words.discard)(word)
    for word, override in overrides.items():
        (words.add if override.act == "add" else words.discard)(word)
    return frozenset(words)


def digest_inputs(recipe: Recipe, sources: Sources, ledger: Ledger) -> str:
    """Digest of all that a build is made from: sources, recipe, decisions, overrides and the builders themselves."""
    files = [files_of("scowl", sources.root / recipe.public.scowl)]
    files += [files_of(source.format, sources.root / source.path) for source in recipe.source]
    decided = [
        (base, decision.outcome, sorted((form, tally.outcome) for form, tally in decision.forms.items()))
        for base, decision in sorted(ledger.decisions().items())
    ]
    overridden = sorted((word, override.act) for word, override in ledger.overrides().items())
    files.append(tuple(sorted(Path(__file__).parent.rglob("*.py"))))
    parts = (repr(recipe), [digest(each) for each in files], decided, overridden)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def count_changes(
    material: Material, words: frozenset[str], previous: PreviousEdition | None, queued: QueueCounts
) -> dict[str, int]:
    """What a build amounts to, in numbers."""
    before = previous.words if previous else frozenset[str]()
    return {
        "settled by quorum": len(material.merged.settled),
        **count_standings(material.families),
        "families new to the queue": queued.new,
        "families withdrawn": queued.withdrawn,
        "words in the edition": len(words),
        "words new in it": len(words - before),
        "words no longer in it": len(before - words),
        "core words": len(material.public_lists.core),
        "words of the reference": len(material.public_lists.reference),
    }


def build(
    recipe: Recipe,
    recipe_name: str,
    sources: Sources,
    instance: Instance,
    ledger: Ledger,
    now: datetime,
    *,
    zipf: Zipf,
    log: BuildLog,
    force: bool = False,
    faults: list[BadSource] | None = None,
) -> BuildReport:
    """Bring the sealed edition up to date with sources, recipe and decisions; says what changed, as counts.

    Nothing is read where nothing changed, unless forced. With `faults` given, malformed places are collected there,
    and where there are any nothing is sealed.
    """
    instance.make_folders()
    with instance.seal_lock():
        keyring = Keyring.open(instance.keys)
        last, previous = read_build_report(instance.build_record), open_previous_edition(instance, keyring)
        inputs = digest_inputs(recipe, sources, ledger)
        if last is not None and previous is not None and not force and is_up_to_date(last, previous, instance, inputs):
            return structs.replace(last, changed=False, read=False, edition=previous.header.number)
        if previous is not None and (words_of := rollback_origins(ledger).get(previous.header.number)) is not None:
            log(f"edition {previous.header.number} has the words of edition {words_of}: decisions count again now")
        started = time.monotonic()
        material = read_material(recipe, sources, zipf, log, faults)
        if faults:
            raise BadInput(f"{len(faults)} malformed places, nothing sealed:\n" + "\n".join(map(str, faults)))
        # Before anything is written: a wrong recipe must not withdraw the curators' families.
        check_size(choose_words(material, ledger.decisions(), ledger.overrides()), previous, force)
        log(f"queueing {len(material.families):,} families for the curators")
        queued = ledger.set_queue(material.families, at=format_timestamp(now))
        log("sealing")
        links = ledger.last_link_number()
        words = choose_words(material, ledger.decisions(), ledger.overrides())
        header = update_edition(instance, keyring, material.public_lists, words, previous, now)
        write_atomically(instance.notices, collect_notices(recipe, sources), PUBLIC_MODE)
        report = BuildReport(
            inputs=inputs,
            recipe=recipe_name,
            read=True,
            changed=previous is None or header.number != previous.header.number,
            edition=header.number,
            name=header.name,
            counts=count_changes(material, words, previous, queued),
            seconds=round(time.monotonic() - started, 1),
            links=links,
        )
        write_build_report(instance.build_record, report)
        return report


def is_up_to_date(last_report: BuildReport, previous: PreviousEdition, instance: Instance, inputs_digest: str) -> bool:
    return last_report.inputs == inputs_digest and are_edition_files_current(instance, previous)


def check_size(words: frozenset[str], previous: PreviousEdition | None, force: bool) -> None:
    """Raises BadInput for an edition that nobody can have meant: a wrong recipe or file, rather than decisions."""
    if not words:
        raise BadInput("not a word meets the quorum, nothing sealed", hint="look at the recipe and its sources")
    if previous is not None and not force and len(previous.words - words) > len(previous.words) / 2:
        raise BadInput(
            f"{len(previous.words - words):,} of {len(previous.words):,} words would leave, nothing sealed",
            hint="if that is meant: --force",
        )


def format_timestamp(now: datetime) -> str:
    return f"{now:%Y-%m-%dT%H:%M:%SZ}"
