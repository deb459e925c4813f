"""The account of a word that a recipe gives: which source has it as what, what withheld it, and what became of it.

It reads dictionaries and no edition, ledger or key: what curators decided is not in it (docs/dictionaries.md 9.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from builders.build import BuildLog, read_sources
from builders.entry import Entry
from builders.families import Zipf, group_families
from builders.followers import settle_followers
from builders.inflect import find_inflection_table, read_inflection_table
from builders.merge import MIN_WORD_LENGTH, Claim, MergeResult, SourceClaims, is_lexical, is_name, is_offensive, merge
from builders.public_lists import NEVER, PublicLists, read_public_lists
from builders.recipe import Recipe
from ordws.fold import find_fold
from ordws.instance import Sources

_STEPS: Final = {
    "headword": "an entry",
    "run-on": "an undefined word at the end of an entry",
    "stated": "a form that the entry states",
    "table": "a form of the inflection table",
    "attested": "a regular form that the players' reference has",
    "rule": "a regular form by rule",
    "listed": "a listed word",
}
_DROPPED: Final = {
    "labelled": "every dictionary that has it labels it offensive or vulgar, at least in some senses",
    "rather a name": "SCOWL has it with a capital at a smaller size",
    "attested twice": "a dictionary has it only as a regular form that SCOWL attests, and the others have no such form",
}


def explain(words: Iterable[str], recipe: Recipe, sources: Sources, zipf: Zipf, log: BuildLog) -> Iterator[str]:
    """Yield an account of each word, in lines. The words are folded already; the dictionaries are read first."""
    log("reading the public lists")
    public_lists = read_public_lists(sources.root / recipe.public.scowl)
    read = read_sources(recipe.source, sources, log, faults=None)
    asked, printed = list(words), dict[str, list[tuple[str, bool, Entry]]]()
    for options, entries in read:
        for entry in entries:
            if (word := find_fold(entry.word)) in asked:
                printed.setdefault(word, []).append((options.name, options.capitals == "all", entry))
    table = read_inflection_table(find_inflection_table())
    merged = settle_followers(merge(read, recipe.quorum, table, public_lists), public_lists, zipf)
    _, members = group_families(merged, public_lists)
    families = {form: base for base, forms in members.items() for form in forms}
    for word in asked:
        yield f"{word}: {tell_result(word, merged, recipe.quorum)}"
        size, name_size = public_lists.bands.get(word), public_lists.name_bands.get(word)
        sizes = [f"size {size}" if size else "not as a word", f"size {name_size} with a capital" if name_size else ""]
        yield f"  SCOWL: {', '.join(filter(None, sizes))}; Zipf frequency {zipf(word.lower()):.2f}"
        for source in merged.source_claims:
            yield from (f"  {source.options.name}: {line}" for line in tell_claims(source, word, public_lists))
        claimed = {source.options.name for source in merged.source_claims if word in tell_sources(source)}
        for name, is_capitalised, entry in printed.get(word, ()):
            if name not in claimed:
                yield f"  {name}: an entry, left out: {tell_omission(word, entry, is_capitalised, public_lists)}"
        if word in families:
            yield f"  family of the curators: {families[word]}"


def tell_result(word: str, merged: MergeResult, quorum: int) -> str:
    """Return what became of a word, and why."""
    follower = merged.followers.get(word)
    if follower and follower.kind == "everyday":
        return "in, since people write it every day, and the spelling list has it"
    if follower and follower.kind == "met":
        return "in, since people often write it, and the spelling list inflects it"
    if follower:
        return f"in, since it follows from {follower.base} ({follower.kind})"
    votes = [source.options.name for source in merged.source_claims if word in source.licensed]
    if word in merged.settled:
        return f"in by the quorum of {quorum}: {', '.join(votes)}"
    if word in merged.withheld:
        return "withheld, for the curators to decide"
    if word in merged.borderline and not votes:
        return "in no source, for the curators to decide, since people often write it"
    if word in merged.borderline:
        return f"below the quorum of {quorum}, for the curators to decide: only {', '.join(votes)}"
    return "out: no source counts for it" if not votes else f"out: only {', '.join(votes)}, and not by itself"


def tell_sources(source: SourceClaims) -> set[str]:
    """Return the words that a source makes any claim to, or that it lists and does not second."""
    return {*source.licensed, *source.withheld, *source.barred, *source.dropped}


def tell_claims(source: SourceClaims, word: str, public_lists: PublicLists) -> Iterator[str]:
    """Yield what one source says of a word, and which rule withheld it."""
    if reason := source.dropped.get(word):
        yield f"a listed word, not counted: {_DROPPED[reason]}"
    for claims, rule in (
        (source.licensed.get(word, ()), ""),
        (source.withheld.get(word, ()), "withheld"),
        (source.barred.get(word, ()), "not counted: every sense is labelled offensive or vulgar"),
    ):
        yield from dict.fromkeys(tell_claim(claim, word, rule, public_lists) for claim in claims)
    sizes = {
        kind: size for kind, size in source.options.sizes.items() if public_lists.northern_bands.get(word, NEVER) > size
    }
    if sizes and word in {*source.licensed, *source.dropped}:
        yield f"too large a size to follow as {', '.join(sizes)}"


def tell_claim(claim: Claim, word: str, rule: str, public_lists: PublicLists) -> str:
    """Return one claim: by which step, as what of which headword, and which rule withheld it."""
    if rule == "withheld":
        is_known_name = claim.base in public_lists.names
        rule = "withheld: " + (
            f"SCOWL has {claim.base} as a name alone" if is_known_name else f"the table calls {claim.base} uncountable"
        )
    kind = ("" if claim.base == word else f"{claim.slot} of {claim.base}, ") + _STEPS[claim.provenance]
    pos = "" if claim.entry.pos == "other" else f", {claim.entry.pos}"
    label = ", labelled offensive or vulgar" if is_offensive(claim) else ""
    return f"{kind}{pos}{label}{f', {rule}' if rule else ''}"


def tell_omission(word: str, entry: Entry, is_capitalised: bool, public_lists: PublicLists) -> str:
    """Return why a source makes no claim to a word of which it has an entry."""
    if len(word) < MIN_WORD_LENGTH:
        return "words of two letters come from the published list"
    if public_lists.is_symbol(word):
        return "the spelling cannot be read as a word"
    if not is_lexical(word, entry, public_lists):
        labels = entry.labels & {"proper", "affix", "abbreviation", "shortened"}
        return f"labelled {', '.join(sorted(labels))}"
    return "a name" if is_capitalised and is_name(word, entry, public_lists) else "a reading that counts for nothing"
