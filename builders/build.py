"""The build: read, fold, expand, merge, queue, decide, seal, report (docs/dictionaries.md 9.5)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import structs

from builders.build_report import (
    BuildReport,
    explain_losses,
    find_missing_forms,
    find_stray_forms,
    flatten_recipe,
    read_build_report,
    write_build_report,
)
from builders.dover_charged import begin_dover_charged, digest_charged_inputs, word_rule_files
from builders.dover_forms import begin_dover_forms
from builders.entry import Entry
from builders.families import Zipf, collect_families, count_standings
from builders.followers import settle_followers
from builders.inflect import find_inflection_table, read_inflection_table
from builders.labelled import find_labelled, find_mostly_labelled
from builders.merge import MergeResult, SourceOptions, merge
from builders.processes import begin_mapping
from builders.public_lists import PublicLists, encode_word_list, read_public_lists
from builders.readers import digest, files_of, read_entries
from builders.recipe import Recipe, Source, collect_notices
from builders.seal_edition import (
    EditionContents,
    are_edition_files_current,
    open_previous_edition,
    read_charged,
    rollback_origins,
    update_edition,
)
from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.curation.decision import Decision, Override
from ordws.curation.family import Family
from ordws.curation.ledger import Ledger, QueueCounts
from ordws.errors import BadInput, BadSource
from ordws.instance import Instance, Sources
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.own_reference import OwnReference, load_own_reference
from ordws.lexicon.sealed_edition import SealedLists, digest_words

BuildLog = Callable[[str], None]
_MIN_BYTES: Final = 1_000_000
"""Smaller sources are read sooner than processes are started."""


@dataclass(frozen=True)
class Material:
    """The merged dictionaries, before any decision of the curators."""

    public_lists: PublicLists
    merged: MergeResult
    families: tuple[Family, ...]
    labelled: frozenset[str] = frozenset()
    """The words that the recipe's dictionaries label offensive or vulgar."""
    open_reference: frozenset[str] = frozenset()
    """The open players' list: the public reference without what the open dictionaries label so."""
    charged: frozenset[str] = frozenset()
    """The core words that are charged under Dover."""


def read_sources(
    chosen: Sequence[Source], sources: Sources, log: BuildLog, faults: list[BadSource] | None
) -> list[tuple[SourceOptions, list[Entry]]]:
    """Read sources of a recipe, several at a time; raises BadSource unless faults are collected."""
    read_one = partial(_read_source, root=sources.root, is_collecting=faults is not None)
    files = [file for source in chosen for file in files_of(source.format, *source.paths(sources.root))]
    entries: list[tuple[SourceOptions, list[Entry]]] = []
    with begin_mapping(is_long=sum(file.stat().st_size for file in files) > _MIN_BYTES) as map_all:
        read = map_all(read_one, chosen)
        for source in chosen:
            log(f"reading {source.name}")
            found, malformed = next(read)
            entries.append((source, found))
            if faults is not None:
                faults += malformed
    return entries


def _read_source(source: Source, *, root: Path, is_collecting: bool) -> tuple[list[Entry], list[BadSource]]:
    faults: list[BadSource] = []
    found = read_entries(source.format, *source.paths(root), faults=faults if is_collecting else None)
    return list(found), faults


def read_material(
    recipe: Recipe,
    sources: Sources,
    zipf: Zipf,
    log: BuildLog,
    faults: list[BadSource] | None,
    charged: frozenset[str] | None = None,
) -> Material:
    """Read every source of a recipe, expand and merge; raises BadSource unless faults are collected.

    The core words that are `charged` under Dover are worked out unless they are known already.
    """
    log("reading the public lists")
    public_lists = read_public_lists(sources.root / recipe.public.scowl)
    table = read_inflection_table(find_inflection_table())
    merged = merge(read_sources(recipe.source, sources, log, faults), recipe.quorum, table, public_lists)
    if set(recipe.public.labels) <= set(recipe.source):
        named = [source.name for source in recipe.public.labels]
        labelling = [claims for claims in merged.source_claims if claims.options.name in named]
    else:
        read = read_sources(recipe.public.labels, sources, log, faults)
        labelling = list(merge(read, 1, table, public_lists).source_claims)
    with nullcontext(lambda: charged) if charged is not None else begin_dover_charged(public_lists) as charged_words:
        merged = settle_followers(merged, public_lists, zipf)
        log("gathering what the curators should see")
        return Material(
            public_lists,
            merged,
            families=tuple(collect_families(merged, public_lists, zipf)),
            labelled=(find_mostly_labelled if recipe.labels == "agreement" else find_labelled)(merged.source_claims),
            open_reference=public_lists.reference - find_labelled(labelling),
            charged=charged_words() or frozenset(),
        )


def choose_words(
    material: Material, decisions: Mapping[str, Decision], overrides: Mapping[str, Override]
) -> frozenset[str]:
    """Return the settled words, with those decided in and without those decided out; overrides come last.

    An undecided form changes nothing. If sources have changed, a form may be in another family than that in which it
    was voted on: the vote on the form still holds.
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


def digest_inputs(recipe: Recipe, sources: Sources, ledger: Ledger, own: OwnReference | None) -> str:
    """Return a digest of all inputs of a build: sources, recipe, decisions, overrides, the own players' list, the code.

    The code is that of the builders and of the rules on words by which forms are made.
    """
    files = [files_of("scowl", sources.root / recipe.public.scowl)]
    dictionaries = dict.fromkeys([*recipe.source, *recipe.public.labels])
    files += [files_of(source.format, *source.paths(sources.root)) for source in dictionaries]
    decided = [
        (base, decision.outcome, sorted((form, tally.outcome) for form, tally in decision.forms.items()))
        for base, decision in sorted(ledger.decisions().items())
    ]
    overridden = sorted((word, override.act) for word, override in ledger.overrides().items())
    files.append((*sorted(Path(__file__).parent.rglob("*.py")), *word_rule_files()))
    own_list = (own.name, digest_words(own.words)) if own else None
    parts = (repr(recipe), [digest(each) for each in files], decided, overridden, own_list)
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def make_contents(
    material: Material, words: frozenset[str], forms: frozenset[str], own: OwnReference | None
) -> EditionContents:
    """Return what an edition of these words is to say, with the players' list in force."""
    own_words, own_name = (own.words, own.name) if own else (frozenset[str](), "")
    return EditionContents(
        words=words,
        lists=SealedLists(dover_forms=forms, labelled=material.labelled, own_reference=own_words, own_name=own_name),
        core=encode_word_list(material.public_lists.core),
        reference=encode_word_list(material.open_reference),
        charged=encode_word_list(material.charged),
    )


def queue_families(
    material: Material, words: frozenset[str], ledger: Ledger, own: OwnReference | None, now: datetime, log: BuildLog
) -> tuple[EditionContents, QueueCounts, int]:
    """Queue the families for the curators while Dover's forms of these words are made.

    Returns what the edition is to say, the counts of the queue, and the number of the last link that is in the edition.
    """
    log(f"queueing {len(material.families):,} families for the curators")
    reference, labelled = own.words if own else material.open_reference, material.labelled
    with begin_dover_forms(words, reference, labelled, material.merged) as forms:
        queued = ledger.set_queue(material.families, at=f"{now:%Y-%m-%dT%H:%M:%SZ}")
        links = ledger.last_link_number()  # before the decisions are read: later links are not in this edition
        chosen = choose_words(material, ledger.decisions(), ledger.overrides())
        log("making the forms of Dover's rules")
        contents = make_contents(material, words, forms(), own)
    if chosen != words:
        # Somebody decided since the forms were begun.
        with begin_dover_forms(chosen, reference, labelled, material.merged) as forms:
            contents = make_contents(material, chosen, forms(), own)
    return contents, queued, links


def count_changes(
    material: Material, contents: EditionContents, old_words: frozenset[str], queued: QueueCounts
) -> dict[str, int]:
    """Return the counts of the report: of words and families, and of changes since the previous edition."""
    words, lists = contents.words, contents.lists
    return {
        "settled by quorum": len(material.merged.settled),
        "of these because they follow": len(material.merged.followers),
        **count_standings(material.families),
        "families new to the queue": queued.new,
        "families withdrawn": queued.withdrawn,
        "words in the edition": len(words),
        "words new in it": len(words - old_words),
        "words no longer in it": len(old_words - words),
        "forms in it whose base is out": len(find_stray_forms(material.merged, words)),
        "common forms out whose base is in it": len(
            find_missing_forms(material.merged, words, material.public_lists.core)
        ),
        "core words": len(material.public_lists.core),
        "of these known to most": len(material.public_lists.common),
        "charged under Dover": len(material.charged),
        "words of the reference": len(lists.own_reference or material.open_reference),
        "forms by Dover's rules": len(lists.dover_forms),
        "labelled offensive or vulgar": len(lists.labelled),
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
    """Bring the sealed edition up to date with sources, recipe and decisions, and return a report of counts.

    Nothing is read if nothing changed, unless forced. With a list of `faults`, malformed places are collected there,
    and if there are any nothing is sealed. Raises BadInput, BadSource, SealBroken.
    """
    instance.make_folders()
    with instance.seal_lock():
        keyring = Keyring.open(instance.keys)
        last, previous = read_build_report(instance.build_record), open_previous_edition(instance, keyring)
        own = load_own_reference(instance.own_reference, instance.own_reference_key)
        inputs = digest_inputs(recipe, sources, ledger, own)
        is_unchanged = last is not None and last.inputs == inputs
        is_current = previous is not None and are_edition_files_current(instance, previous) and instance.common.exists()
        if last and previous and is_unchanged and not force and is_current:
            return structs.replace(last, changed=False, read=False, edition=previous.header.number)
        if previous is not None and (words_of := rollback_origins(ledger).get(previous.header.number)) is not None:
            log(f"edition {previous.header.number} has the words of edition {words_of}: decisions count again now")
        started = time.monotonic()
        charged_inputs = digest_charged_inputs(sources.root / recipe.public.scowl)
        charged = read_charged(instance, previous) if last and last.charged_inputs == charged_inputs else None
        material = read_material(recipe, sources, zipf, log, faults, charged)
        if faults:
            raise BadInput(f"{len(faults)} malformed places, nothing sealed:\n" + "\n".join(map(str, faults)))
        # Checked before anything is written: a wrong recipe must not withdraw the curators' families.
        words = choose_words(material, ledger.decisions(), ledger.overrides())
        old_words, lines = previous.words if previous else frozenset[str](), flatten_recipe(recipe)
        losses = explain_losses(old_words, words, material.merged.settled, last.recipe_lines if last else {}, lines)
        check_size(words, old_words, force, losses)
        contents, queued, links = queue_families(material, words, ledger, own, now, log)
        log("sealing")
        header = update_edition(instance, keyring, contents, previous, now)
        write_atomically(instance.common, encode_word_list(material.public_lists.common), PUBLIC_MODE)
        write_atomically(instance.notices, collect_notices(recipe, sources), PUBLIC_MODE)
        report = BuildReport(
            inputs=inputs,
            charged_inputs=charged_inputs,
            recipe=recipe_name,
            read=True,
            changed=previous is None or header.number != previous.header.number,
            edition=header.number,
            name=header.name,
            counts=count_changes(material, contents, old_words, queued),
            losses=losses,
            recipe_lines=lines,
            seconds=round(time.monotonic() - started, 1),
            links=links,
        )
        write_build_report(instance.build_record, report)
        return report


def check_size(words: frozenset[str], old_words: frozenset[str], force: bool, losses: str) -> None:
    """Raise BadInput for an empty edition, and for one that drops over half of the words unless forced.

    Decisions do not do that: the recipe or a file must be wrong.
    """
    if not words:
        raise BadInput("not a word meets the quorum, nothing sealed", hint="look at the recipe and its sources")
    if not force and len(old_words - words) > len(old_words) / 2:
        raise BadInput(f"more than half would be lost, nothing sealed; {losses}", hint="if that is meant: --force")
