"""The words that the sources label offensive or vulgar (docs/dictionaries.md 9.6, docs/rules.md 6.7).

The law is the label of every sense. Open sources label some senses and forget others, so that their agreement stands
for it in a recipe that says so. The public lists, on which prices rest, go by every sense.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Set
from typing import Final

from builders.derivations import BY_SUFFIX, suffixed_spellings
from builders.entry import Entry
from builders.merge import OFFENSIVE_LABELS, Claim, SourceClaims, claims_of, is_offensive
from builders.readers.senses import SENSE_SEPARATOR
from builders.readers.terms import parse_gloss_labels

MIN_ROOT_LENGTH: Final = 4
"""Too many words have a shorter one in them by chance."""


def find_labelled(source_claims: Iterable[SourceClaims]) -> frozenset[str]:
    """Return the words that at least one dictionary has, and every dictionary that has them labels in every sense.

    A form is labelled where everything is that it is a form of: PISSES is a form of a labelled noun and of a verb that
    is not. Names and abbreviations make no claims, and spelling lists print no labels.
    """
    dictionaries = [source for source in source_claims if source.options.kind == "dictionary"]
    return frozenset(
        form
        for form in _find_candidates(dictionaries, _is_offensive_throughout)
        if all(claim.entry.labels & OFFENSIVE_LABELS for source in dictionaries for claim in claims_of(source, form))
    )


def find_mostly_labelled(source_claims: Iterable[SourceClaims]) -> frozenset[str]:
    """Return the words that the agreement of dictionaries labels, and their inflected forms.

    At least one entry is labelled in every sense, or in each definition shown, and as many are labelled, in every sense
    or in some, as are not. Interjections, which have no sense of their own, are not counted against. A dictionary that
    defines a word under two parts of speech without a label clears it: BALL. What is made of a labelled word is so too,
    where each dictionary that has that word calls it vulgar: SHITTY, FUCKER.
    """
    dictionaries = [source for source in source_claims if source.options.kind == "dictionary"]
    candidates = _find_candidates(dictionaries, is_offensive)
    labelled = {form for form in candidates if _is_mostly_labelled(form, dictionaries)}
    roots = {word for word in labelled if len(word) >= MIN_ROOT_LENGTH and _is_vulgar(word, dictionaries)}
    known = {form for source in dictionaries for form in source.licensed}
    labelled |= {word for word in known for root in filter(word.__contains__, roots) if _is_made_of(word, root, known)}
    bases = defaultdict[str, set[str]](set)
    for source in dictionaries:
        for claims_by_form in (source.licensed, source.withheld, source.barred):
            for form, claims in claims_by_form.items():
                bases[form].update(claim.base for claim in claims if claim.slot != "base")
    inflected = {form for form, each in bases.items() if each and each <= labelled}
    return find_labelled(dictionaries) | labelled | inflected


def _is_mostly_labelled(form: str, dictionaries: Iterable[SourceClaims]) -> bool:
    in_all = in_some = unlabelled = 0
    for source in dictionaries:
        # A form may have several claims by one entry, such as those of two spellings.
        entries = {id(claim.entry): claim.entry for claim in claims_of(source, form)}.values()
        labelled = [entry for entry in entries if OFFENSIVE_LABELS & (entry.labels | entry.partial_labels)]
        others = [entry for entry in entries if entry not in labelled and entry.pos != "interjection"]
        if not labelled and len([entry for entry in others if entry.gloss]) > 1:
            return False
        in_all += len([entry for entry in labelled if _is_labelled_throughout(entry)])
        in_some += len(labelled)
        unlabelled += len(others)
    return in_all > 0 and in_some >= unlabelled


def _is_labelled_throughout(entry: Entry) -> bool:
    """Tell whether an entry is labelled in every sense, in each definition shown, or as offensive and as vulgar."""
    definitions = entry.gloss.split(SENSE_SEPARATOR)
    is_shown = all(OFFENSIVE_LABELS & parse_gloss_labels(definition).labels for definition in definitions)
    return is_shown or bool(OFFENSIVE_LABELS & entry.labels) or entry.labels | entry.partial_labels >= OFFENSIVE_LABELS


def _is_vulgar(word: str, dictionaries: Iterable[SourceClaims]) -> bool:
    """Tell whether each dictionary that has an entry of a word labels one, and a label is that of vulgar words."""
    by_source = [
        claims
        for source in dictionaries
        if (claims := [claim for claim in claims_of(source, word) if claim.slot == "base"])
    ]
    labels = {label for claims in by_source for claim in claims for label in claim.entry.labels}
    return "vulgar" in labels and all(any(map(is_offensive, claims)) for claims in by_source)


def _is_made_of(word: str, root: str, known: Set[str]) -> bool:
    """Tell whether a word is made of a root, by an affix or with another word before or behind it."""
    before, _, after = word.partition(root)
    if before and before not in known:
        return False
    return (
        after in known
        or after in ("", "UP")
        or any(word.endswith(suffix) and word in suffixed_spellings(before + root, suffix) for suffix in BY_SUFFIX)
    )


def _find_candidates(dictionaries: Iterable[SourceClaims], is_candidate: Callable[[Claim], bool]) -> set[str]:
    """Return the forms that some claim makes candidates."""
    return {
        form
        for source in dictionaries
        for claims_by_form in (source.licensed, source.withheld, source.barred)
        for form, claims in claims_by_form.items()
        if any(map(is_candidate, claims))
    }


def _is_offensive_throughout(claim: Claim) -> bool:
    return bool(claim.entry.labels & OFFENSIVE_LABELS)
