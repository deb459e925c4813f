"""Families for the curators: borderline forms with what each source says, and settled forms that are flagged."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from typing import Final

from builders.derivations import DerivationFinder
from builders.entry import Pos
from builders.inflect import regular_spellings
from builders.merge import MergeResult, claims_of, is_offensive
from builders.public_lists import NEVER, PublicLists
from ordws.curation.family import (
    ALSO_ABBREVIATION_LABEL,
    ALSO_NAME_LABEL,
    NAME_LABEL,
    Candidate,
    Family,
    FamilyStanding,
    Witness,
)

MAX_WITNESSES_PER_SOURCE: Final = 3
LARGE_SIZE: Final = 70
"""SCOWL's size of words that are seldom met: what is met often in their letters is a name or an abbreviation."""
_SHORT_PLURAL: Final = 5
"""The length up to which what is a name without its S is a word by chance: MEDS."""
_SHORT_OLD, _SHORT = 6, 4
"""The lengths up to which a rare word is met as something else, of an old dictionary alone or of no entry."""
_NAME_SUFFIXES: Final = ("-ER", "-Y", "-ERY")
"""Names have these endings by chance: WINKLER, CHUCKY, SLATTERY."""
_FICTIONAL: Final = re.compile(r"(?:an? )?fictional [\w ]{3,24}")
"""A definition of what a story names: SMURF."""
_INFLECTED: Final[tuple[Pos, ...]] = ("noun", "verb", "adjective")

Zipf = Callable[[str], float]
"""A function that returns the Zipf frequency of a lower-case word; 0 for a word that it does not know."""


def collect_families(merged: MergeResult, public_lists: PublicLists, zipf: Zipf) -> Iterator[Family]:
    """Yield every family with a form at stake, each form in one family only (docs/dictionaries.md 9.4)."""
    flagged, members = group_families(merged, public_lists)
    derivations = DerivationFinder(merged, members)
    strong = {source.options.name for source in merged.source_claims if source.options.alone == "counts"}
    for base, words in sorted(members.items()):
        standing: FamilyStanding = "flagged" if flagged.issuperset(words) else "borderline"
        candidates = []
        for word in words:
            by_source: dict[str, dict[Witness, None]] = defaultdict(dict)
            for source in merged.source_claims:
                name = source.options.name
                for claim in claims_of(source, word):
                    entry = claim.entry
                    partial = [f"{label} (some senses)" for label in sorted(entry.partial_labels)]
                    labels = (*sorted(entry.labels), *partial)
                    witness = Witness(name, claim.provenance, claim.slot, entry.pos, labels, entry.gloss)
                    by_source[name][witness] = None
            witnesses = [each for seen in by_source.values() for each in list(seen)[:MAX_WITNESSES_PER_SOURCE]]
            made_of = derivations.derivations(word) if word == base else ()
            if not by_source and not is_inflected(word, zipf):
                made_of = tuple([each for each in made_of if not each.pattern.endswith(_NAME_SUFFIXES)])
            is_misleading = is_met_as_another(word, witnesses, strong, bool(made_of), public_lists)
            if name_label := find_name_label(word, witnesses, public_lists):
                witnesses = [each for each in witnesses if each.source != "scowl"]
                witnesses.append(Witness("scowl", "listed", "base", "other", (name_label,)))
            candidate = Candidate(
                word,
                witnesses=tuple(witnesses),
                zipf=None if is_misleading else round(zipf(word.lower()), 2),
                band=public_lists.bands.get(word),
                derivations=made_of,
                related=tuple([form for form in derivations.related_forms(base) if form != word]),
            )
            candidates.append(candidate)
        yield Family(base, standing, tuple(candidates))


def is_inflected(word: str, zipf: Zipf) -> bool:
    """Tell whether people write a regular form of a word, as PROFILERS and TRIPPIER."""
    forms = {form for pos in _INFLECTED for form, _ in regular_spellings(word, pos)} - {word}
    return any(zipf(form.lower()) > 0 for form in forms)


def is_met_as_another(
    word: str, witnesses: Iterable[Witness], strong: Set[str], is_made: bool, public_lists: PublicLists
) -> bool:
    """Tell whether the frequency of a form at stake is that of another word of its letters.

    The letters of SAM and GIF are met as a name and an abbreviation, not as what an old dictionary alone has, and those
    of MENS, a form that SCOWL has at a large size, as MEN'S.
    """
    if public_lists.northern_bands.get(word, NEVER) < LARGE_SIZE:
        return False
    known = [each for each in witnesses if each.source in strong]
    if any(each.slot == "base" for each in known):
        return False
    is_old = bool(witnesses) and not known
    is_rare = public_lists.northern_bands.get(word, NEVER) > LARGE_SIZE
    return len(word) <= (_SHORT_OLD if is_old else _SHORT) or (is_old and is_rare and not is_made)


def find_name_label(word: str, witnesses: Iterable[Witness], public_lists: PublicLists) -> str:
    """Return what a word's letters are met as beside a word, by SCOWL or a definition; empty if as nothing else."""
    if word in public_lists.names or public_lists.is_rather_name(word):
        return NAME_LABEL
    is_large = public_lists.northern_bands.get(word, NEVER) >= LARGE_SIZE
    # KNICKS are met as the plural of a name.
    singular = word.removesuffix("S") if len(word) > _SHORT_PLURAL else word
    is_name = not public_lists.name_bands.keys().isdisjoint({word, singular})
    if is_large and (is_name or any(_FICTIONAL.fullmatch(each.gloss) for each in witnesses)):
        return ALSO_NAME_LABEL
    return ALSO_ABBREVIATION_LABEL if word in public_lists.symbols else ""


def group_families(merged: MergeResult, public_lists: PublicLists) -> tuple[set[str], dict[str, list[str]]]:
    """Return the flagged forms, and the forms at stake by the base of their family.

    Flagged are settled forms of headwords that a source labels offensive or vulgar, in some senses or in all.
    """
    flagged = {
        form
        for source in merged.source_claims
        for claims_by_form in (source.licensed, source.withheld, source.barred)
        for form, claims in claims_by_form.items()
        if form in merged.settled and any(map(is_offensive, claims))
    }
    at_stake = merged.borderline | merged.withheld | flagged
    listed_bases = find_listed_bases(merged, at_stake)
    members: dict[str, list[str]] = defaultdict(list)
    for form in sorted(at_stake):
        base = listed_bases.get(form) or find_family_base(merged, form, at_stake)
        withheld = [claim for source in merged.source_claims for claim in source.withheld.get(form, ())]
        is_uncountable_plural = form in merged.withheld and all(
            claim.base not in public_lists.names for claim in withheld
        )
        # A vote against a borderline form must not put out a base that is settled and flagged.
        has_own_family = is_uncountable_plural or (base in flagged and form not in flagged)
        members[form if has_own_family else base].append(form)
    return flagged, members


def find_family_base(merged: MergeResult, form: str, at_stake: frozenset[str]) -> str:
    """Return the headword that a form comes from in the end: FLOUT for FLOUTINGS, by way of FLOUTING.

    Each step leads to the headword that most sources derive the form from. A headword that derives from nothing at
    stake stays by itself.
    """
    seen = {form}
    while True:
        bases: dict[str, int] = defaultdict(int)
        for source in merged.source_claims:
            for claim in claims_of(source, form):
                bases[claim.base] += 1
        if not bases or (form in bases and not any(base in at_stake for base in bases if base != form)):
            return form
        base = min(bases, key=lambda base: (base == form, base not in at_stake, -bases[base], len(base), base))
        if base in seen:
            return form
        if base not in at_stake:
            return base
        seen.add(base)
        form = base


def find_listed_bases(merged: MergeResult, at_stake: frozenset[str]) -> dict[str, str]:
    """Return the base of each form that no dictionary has: another such word that it may be a regular form of.

    A list says nothing of bases, and TAILBONES would be put to the curators a second time beside TAILBONE. The guess
    decides no more than which forms are voted on together.
    """
    dictionaries = [source for source in merged.source_claims if source.options.kind == "dictionary"]
    defined = set[str]().union(*[{*each.licensed, *each.withheld, *each.barred} for each in dictionaries])
    listed = at_stake - defined
    bases: dict[str, str] = {}
    for word in sorted(listed, key=lambda word: (len(word), word)):
        for pos in _INFLECTED:
            for form, _ in regular_spellings(word, pos):
                if form in listed and form != word:
                    bases.setdefault(form, bases.get(word, word))
    return bases


def count_standings(families: Iterable[Family]) -> dict[str, int]:
    """Count queued families and their forms by standing, for the report."""
    counts: Counter[str] = Counter()
    for family in families:
        counts[f"{family.standing} families"] += 1
        counts[f"{family.standing} forms"] += len(family.candidates)
    return dict(counts)
