"""Families for the curators: borderline forms with what each source says, and settled forms that are flagged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from builders.derivations import DerivationFinder
from builders.merge import OFFENSIVE_LABELS, Claim, MergeResult, claims_for
from builders.public_lists import PublicLists
from ordws.curation.family import Candidate, Family, FamilyStanding, Witness

MAX_WITNESSES_PER_SOURCE: Final = 3

Zipf = Callable[[str], float]
"""A function that returns the Zipf frequency of a lower-case word; 0 for a word that it does not know."""


def collect_families(merged: MergeResult, public_lists: PublicLists, zipf: Zipf) -> Iterator[Family]:
    """Yield every family with a form at stake, each form in one family only (docs/dictionaries.md 9.4).

    Flagged are settled forms of headwords that a source labels offensive or vulgar, in some senses or in all.
    """
    barred = {word for source in merged.source_claims for word in source.barred}

    def is_flagged(claim: Claim) -> bool:
        return claim.base in barred or not OFFENSIVE_LABELS.isdisjoint(claim.entry.labels | claim.entry.partial_labels)

    flagged = {form for form in merged.settled if any(is_flagged(claim) for _, claim in claims_for(merged, form))}
    at_stake = merged.borderline | merged.withheld | flagged
    members: dict[str, list[str]] = defaultdict(list)
    for form in sorted(at_stake):
        base = find_family_base(merged, form, at_stake)
        withheld = [claim for source in merged.source_claims for claim in source.withheld.get(form, ())]
        is_uncountable_plural = form in merged.withheld and all(
            claim.base not in public_lists.names for claim in withheld
        )
        # A vote against a borderline form must not put out a base that is settled and flagged.
        has_own_family = is_uncountable_plural or (base in flagged and form not in flagged)
        members[form if has_own_family else base].append(form)
    derivations = DerivationFinder(merged, members)
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
            witnesses = [each for seen in by_source.values() for each in list(seen)[:MAX_WITNESSES_PER_SOURCE]]
            candidate = Candidate(
                word,
                witnesses=tuple(witnesses),
                zipf=round(zipf(word.lower()), 2),
                band=public_lists.bands.get(word),
                derivations=derivations.derivations(word) if word == base else (),
                related=tuple([form for form in derivations.related_forms(base) if form != word]),
            )
            candidates.append(candidate)
        yield Family(base, standing, tuple(candidates))


def find_family_base(merged: MergeResult, form: str, at_stake: frozenset[str]) -> str:
    """Return the headword that a form comes from in the end: FLOUT for FLOUTINGS, by way of FLOUTING.

    Each step leads to the headword that most sources derive the form from. A headword that derives from nothing at
    stake stays by itself.
    """
    seen = {form}
    while True:
        bases = Counter(claim.base for _, claim in claims_for(merged, form))
        if form in bases and not any(base in at_stake for base in bases if base != form):
            return form
        base = min(bases, key=lambda base: (base == form, base not in at_stake, -bases[base], len(base), base))
        if base in seen:
            return form
        if base not in at_stake:
            return base
        seen.add(base)
        form = base


def count_standings(families: Iterable[Family]) -> dict[str, int]:
    """Count queued families and their forms by standing, for the report."""
    counts: Counter[str] = Counter()
    for family in families:
        counts[f"{family.standing} families"] += 1
        counts[f"{family.standing} forms"] += len(family.candidates)
    return dict(counts)
