"""What goes to the curators: borderline families with what each source says, and settled ones that bear a flag."""

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


def collect_families(merged: MergeResult, public_lists: PublicLists, zipf: Zipf) -> Iterator[Family]:
    """Every family with a form at stake, each form in one family only."""
    flags = find_flagged(merged)
    members: dict[str, list[str]] = defaultdict(list)
    for form, base in FamilyAssigner(merged, public_lists, flags).assign():
        members[base].append(form)
    lineage = DerivationFinder(merged, members)
    for base, words in sorted(members.items()):
        standing: FamilyStanding = "flagged" if flags.issuperset(words) else "borderline"
        yield Family(
            base, standing, tuple([make_candidate(merged, public_lists, zipf, lineage, base, word) for word in words])
        )


class FamilyAssigner:
    """Which family a form at stake belongs to."""

    def __init__(self, merged: MergeResult, public_lists: PublicLists, flagged_forms: frozenset[str]) -> None:
        self._merged, self._public_lists, self._flagged = merged, public_lists, flagged_forms
        self._at_stake = merged.borderline | merged.withheld | flagged_forms

    def assign(self) -> Iterator[tuple[str, str]]:
        """Each form with the name of its family.

        A plural without number is a family of its own, and so is a borderline form whose base is settled and flagged:
        a vote against it must not put the base out.
        """
        for form in sorted(self._at_stake):
            base = self._root(form)
            alone = self._is_uncountable_plural(form) or (base in self._flagged and form not in self._flagged)
            yield form, form if alone else base

    def _root(self, form: str) -> str:
        """The headword that a form comes from in the end: FLOUTINGS from FLOUTING from FLOUT."""
        seen = {form}
        while (base := self._base(form)) not in seen and base in self._at_stake:
            seen.add(base)
            form = base
        return base if base not in seen else form

    def _base(self, form: str) -> str:
        """The headword that most sources derive a form from; itself where it is one and no other is at stake."""
        bases = Counter(claim.base for _, claim in claims_for(self._merged, form))
        if form in bases and not any(base in self._at_stake for base in bases if base != form):
            return form
        return min(bases, key=lambda base: (base == form, base not in self._at_stake, -bases[base], len(base), base))

    def _is_uncountable_plural(self, form: str) -> bool:
        """Whether a form is withheld as the plural of a noun without number, rather than as a name."""
        claims = [claim for held in self._merged.source_claims for claim in held.withheld.get(form, ())]
        return form in self._merged.withheld and all(claim.base not in self._public_lists.names for claim in claims)


def find_flagged(merged: MergeResult) -> frozenset[str]:
    """Settled forms of headwords that a source labels offensive or vulgar, in one sense or in all."""
    barred = {word for held in merged.source_claims for word in held.barred}

    def is_flagged(claim: Claim) -> bool:
        return claim.base in barred or not OFFENSIVE_LABELS.isdisjoint(claim.entry.labels | claim.entry.partial_labels)

    return frozenset(form for form in merged.settled if any(is_flagged(claim) for _, claim in claims_for(merged, form)))


def make_candidate(
    merged: MergeResult, public_lists: PublicLists, zipf: Zipf, derivations: DerivationFinder, base: str, word: str
) -> Candidate:
    """A form at stake in the family of that base, with what its sources and its kin say for it."""
    by_source: dict[str, dict[Witness, None]] = defaultdict(dict)
    for source, claim in claims_for(merged, word):
        by_source[source][make_witness(source, claim)] = None
    return Candidate(
        word,
        witnesses=tuple([each for said in by_source.values() for each in list(said)[:MAX_WITNESSES_PER_SOURCE]]),
        zipf=round(zipf(word.lower()), 2),
        band=public_lists.bands.get(word),
        derivations=derivations.derivations(word) if word == base else (),
        related=tuple([form for form in derivations.related_forms(base) if form != word]),
    )


def make_witness(source: str, claim: Claim) -> Witness:
    entry = claim.entry
    labels = tuple(sorted(entry.labels)) + tuple(f"{label} (some senses)" for label in sorted(entry.partial_labels))
    return Witness(source, claim.provenance, claim.slot, entry.pos, labels, entry.gloss)


def count_standings(families_queued: Iterable[Family]) -> dict[str, int]:
    """How many families and forms are queued, for the report."""
    counts: Counter[str] = Counter()
    for family in families_queued:
        counts[f"{family.standing} families"] += 1
        counts[f"{family.standing} forms"] += len(family.candidates)
    return dict(counts)
