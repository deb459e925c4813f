"""The words that the sources label offensive or vulgar in every sense (docs/dictionaries.md 8, docs/rules.md 6.7)."""

from __future__ import annotations

from collections.abc import Iterable

from builders.merge import OFFENSIVE_LABELS, SourceClaims, claims_of


def find_labelled(source_claims: Iterable[SourceClaims]) -> frozenset[str]:
    """Return the words that at least one dictionary has, and every dictionary that has them labels in every sense.

    A form is labelled where everything is that it is a form of: PISSES is a form of a labelled noun and of a verb that
    is not. Names and abbreviations make no claims, and spelling lists print no labels.
    """
    dictionaries = [source for source in source_claims if source.options.kind == "dictionary"]
    candidates = {
        form
        for source in dictionaries
        for claims_by_form in (source.licensed, source.withheld, source.barred)
        for form, claims in claims_by_form.items()
        if any(claim.entry.labels & OFFENSIVE_LABELS for claim in claims)
    }
    return frozenset(
        form
        for form in candidates
        if all(claim.entry.labels & OFFENSIVE_LABELS for source in dictionaries for claim in claims_of(source, form))
    )
