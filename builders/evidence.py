"""What goes to the curators: borderline families with what each source says, and settled ones that bear a flag."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from builders.listing import Listing
from builders.merge import UNWANTED, Claim, Merged, claims_to
from ordws.curation.family import Candidate, Family, Standing, Witness

LONGEST_GLOSS: Final = 240
MOST_WITNESSES: Final = 6

Zipf = Callable[[str], float]


def families(merged: Merged, listing: Listing, zipf: Zipf) -> Iterator[Family]:
    """Every family with a form at stake, each form in one family only; a withheld plural is a family of its own."""
    members: dict[str, list[str]] = defaultdict(list)
    flags = flagged(merged)
    for form in sorted(merged.borderline | merged.withheld | flags):
        alone = form in merged.withheld and is_uncountable_plural(merged, form, listing)
        members[form if alone else base_of(merged, form)].append(form)
    for base, words in sorted(members.items()):
        standing: Standing = "flagged" if flags.issuperset(words) else "borderline"
        yield Family(base, standing, tuple(candidate(merged, listing, zipf, word) for word in words))


def is_uncountable_plural(merged: Merged, form: str, listing: Listing) -> bool:
    """Whether a withheld form is the plural of a noun without number, rather than of a name."""
    return all(claim.base not in listing.names for held in merged.holdings for claim in held.withheld.get(form, ()))


def base_of(merged: Merged, form: str) -> str:
    """The headword whose family a form belongs to: another one that inflects to it before the form itself."""
    bases = Counter(claim.base for _, claim in claims_to(merged, form))
    return min(bases, key=lambda base: (base == form, -bases[base], len(base), base))


def flagged(merged: Merged) -> frozenset[str]:
    """Settled forms of headwords that a source labels offensive or vulgar, in one sense or in all."""
    barred = {word for held in merged.holdings for word in held.barred}

    def is_flagged(claim: Claim) -> bool:
        return claim.base in barred or not UNWANTED.isdisjoint(claim.entry.labels | claim.entry.some)

    return frozenset(form for form in merged.settled if any(is_flagged(claim) for _, claim in claims_to(merged, form)))


def candidate(merged: Merged, listing: Listing, zipf: Zipf, word: str) -> Candidate:
    witnesses = tuple(dict.fromkeys(witness(source, claim) for source, claim in claims_to(merged, word)))
    return Candidate(word, witnesses[:MOST_WITNESSES], round(zipf(word.lower()), 2), listing.bands.get(word))


def witness(source: str, claim: Claim) -> Witness:
    entry = claim.entry
    labels = tuple(sorted(entry.labels)) + tuple(f"{label} (some senses)" for label in sorted(entry.some))
    gloss = entry.gloss if len(entry.gloss) <= LONGEST_GLOSS else entry.gloss[: LONGEST_GLOSS - 1] + "…"
    return Witness(source, claim.provenance, claim.slot, entry.pos, labels, gloss)


def count_standings(queued: Iterable[Family]) -> dict[str, int]:
    """How many families and forms are queued, for the report."""
    counts: Counter[str] = Counter()
    for family in queued:
        counts[f"{family.standing} families"] += 1
        counts[f"{family.standing} forms"] += len(family.candidates)
    return dict(counts)
