"""Families for the curators: borderline forms with what each source says, and settled forms that are flagged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from builders.derivations import DerivationFinder
from builders.entry import Pos
from builders.inflect import regular_spellings
from builders.merge import MergeResult, claims_for, claims_of, is_offensive
from builders.public_lists import NEVER, PublicLists
from ordws.curation.family import ALSO_NAME_LABEL, NAME_LABEL, Candidate, Family, FamilyStanding, Witness

MAX_WITNESSES_PER_SOURCE: Final = 3
LARGE_SIZE: Final = 70
"""SCOWL's size of words that are seldom met: what is met often in their letters is a name or an abbreviation."""
_SHORT_PLURAL: Final = 5
"""The length up to which what is a name without its S is a word by chance: MEDS."""
_SHORT_OLD, _SHORT_UNKNOWN = 6, 4
"""The lengths up to which a rare word's letters, of an old dictionary alone or of none, are met as something else."""
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
            for source_name, claim in claims_for(merged, word):
                entry = claim.entry
                labels = [*sorted(entry.labels), *[f"{label} (some senses)" for label in sorted(entry.partial_labels)]]
                witness = Witness(source_name, claim.provenance, claim.slot, entry.pos, tuple(labels), entry.gloss)
                by_source[source_name][witness] = None
            is_large = public_lists.northern_bands.get(word, NEVER) >= LARGE_SIZE
            # The letters of SAM and GIF are met as a name and an abbreviation, not as what an old dictionary alone has.
            is_short = len(word) <= (_SHORT_OLD if by_source else _SHORT_UNKNOWN)
            is_misleading = is_large and is_short and not by_source.keys() & strong
            if name_label := find_name_label(word, public_lists):
                by_source["scowl"] = {Witness("scowl", "listed", "base", "other", (name_label,)): None}
            witnesses = [each for seen in by_source.values() for each in list(seen)[:MAX_WITNESSES_PER_SOURCE]]
            candidate = Candidate(
                word,
                witnesses=tuple(witnesses),
                zipf=None if is_misleading else round(zipf(word.lower()), 2),
                band=public_lists.bands.get(word),
                derivations=derivations.derivations(word) if word == base else (),
                related=tuple([form for form in derivations.related_forms(base) if form != word]),
            )
            candidates.append(candidate)
        yield Family(base, standing, tuple(candidates))


def find_name_label(word: str, public_lists: PublicLists) -> str:
    """Return what SCOWL says of a word that it has with a capital too; empty for a word that is met as one itself."""
    if word in public_lists.names or public_lists.is_rather_name(word):
        return NAME_LABEL
    is_large = public_lists.northern_bands.get(word, NEVER) >= LARGE_SIZE
    # KNICKS are met as the plural of a name.
    singular = word.removesuffix("S") if len(word) > _SHORT_PLURAL else word
    return ALSO_NAME_LABEL if is_large and not public_lists.name_bands.keys().isdisjoint({word, singular}) else ""


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
