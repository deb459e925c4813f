"""Which words meet the quorum, and which go to the curators.

Every source is expanded to its inflected forms before sources are compared, so that LOAVES, a headword here and a
plural there, is one word. Sources vote for forms; curators will vote for families. (SOURCES, RULES 6.3, A-37, A-41)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from builders.entry import Entry, Label
from builders.inflect import Form, Inflector, Table
from builders.listing import Listing
from ordws.curation.family import Provenance
from ordws.fold import LONGEST, find_fold

NOT_WORDS: Final[frozenset[Label]] = frozenset({"proper", "affix"})
UNWANTED: Final[frozenset[Label]] = frozenset({"offensive", "vulgar"})
UNINFLECTED: Final[frozenset[Label]] = frozenset({"plural", "inflection"})
SHORTEST_DECIDED: Final = 3
"""Two-letter words come from the published list of the rule set, never from dictionaries. (RULES 6.6)"""


@dataclass(frozen=True)
class Traits:
    """How a source is to be read, from its recipe."""

    name: str
    capitals: Literal["names", "all"] = "names"
    """`all`: the source capitalises every headword, so that its case says nothing."""
    alone: Literal["counts", "attested"] = "counts"
    """`attested`: what this source alone has goes to the curators only where the players' reference has it."""
    stated: Literal["attested", "trusted"] = "attested"
    """`trusted`: forms that this source prints are licensed though the players' reference lacks them."""


class Claim(NamedTuple):
    """One source's reason for a form."""

    base: str
    slot: str
    provenance: Provenance
    entry: Entry


@dataclass(frozen=True)
class Holdings:
    """What one source holds: its claims by form, licensed or withheld, and the bases it labels unwanted."""

    traits: Traits
    licensed: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    withheld: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    barred: dict[str, list[Entry]] = field(default_factory=dict)
    """Headwords whose every sense is labelled offensive or vulgar: for these the source does not count."""


@dataclass(frozen=True)
class Merged:
    """Forms that meet the quorum, and the sources' claims to all others that are at stake."""

    holdings: tuple[Holdings, ...]
    settled: frozenset[str]
    borderline: frozenset[str]
    withheld: frozenset[str]
    """Plurals of nouns without number, and lower-case words that the public lists know as names alone."""


def merge(sources: Iterable[tuple[Traits, Iterable[Entry]]], quorum: int, table: Table, listing: Listing) -> Merged:
    """Expand every source and compare."""
    read = [(traits, by_word(entries)) for traits, entries in sources]
    singular = (word for _, heads in read for word, entries in heads.items() if is_singular(entries))
    inflector = Inflector(table, listing.reference, frozenset(singular))
    lower = frozenset(
        word
        for traits, heads in read
        if traits.capitals == "names"
        for word, entries in heads.items()
        if any(not entry.labels & NOT_WORDS and not is_abbreviation(word, entry, listing) for entry in entries)
    )
    holdings = tuple(expand(traits, heads, inflector, listing, lower) for traits, heads in read)
    return compare(holdings, quorum, listing)


def by_word(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries by the word that they fold to; what does not fold is no word."""
    heads: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if (word := find_fold(entry.word)) is not None:
            heads[word].append(entry)
    return heads


def is_singular(entries: Iterable[Entry]) -> bool:
    """Whether a headword is more than the plural, or another form, of one."""
    return any(entry.labels.isdisjoint(UNINFLECTED) for entry in entries)


def expand(
    traits: Traits, heads: Mapping[str, list[Entry]], inflector: Inflector, listing: Listing, lower: frozenset[str]
) -> Holdings:
    """A source's headwords and the forms they inflect to, less names, affixes, abbreviations and barred words."""
    holdings = Holdings(traits)
    for word, entries in heads.items():
        if listing.is_symbol(word):
            continue
        counting = [entry for entry in entries if is_word(traits, word, entry, listing, lower)]
        if counting and all(entry.labels & UNWANTED for entry in counting):
            holdings.barred[word] = counting
            continue
        for entry in counting:
            claim_forms(holdings, word, entry, inflector, withhold=word in listing.names)
    return holdings


def is_word(traits: Traits, word: str, entry: Entry, listing: Listing, lower: frozenset[str]) -> bool:
    """Whether an entry is neither name, affix nor abbreviation. (RULES A-37)"""
    if entry.labels & NOT_WORDS or is_abbreviation(word, entry, listing):
        return False
    return traits.capitals == "names" or word in lower or not is_name(word, entry, listing)


def is_abbreviation(word: str, entry: Entry, listing: Listing) -> bool:
    """Whether an entry is an abbreviation, or a short form that the lists have as one alone.

    An acronym that is printed in lower case and stands among the ordinary words is a word by now: LASER.
    """
    if "shortened" in entry.labels and word in listing.symbols:
        return True
    return "abbreviation" in entry.labels and not (entry.word.islower() and word in listing.reference)


def is_name(word: str, entry: Entry, listing: Listing) -> bool:
    """Whether a headword is a name though its own case says nothing: MARY, HUNGARIAN. (SOURCES 1c)"""
    return word in listing.names or ("capitalised" in entry.labels and word not in listing.reference)


def claim_forms(holdings: Holdings, word: str, entry: Entry, inflector: Inflector, *, withhold: bool) -> None:
    """Note the headword, the forms that the entry states, and those that it inflects to.

    All are withheld of a headword that the public lists know as a name alone: TROJAN, though two dictionaries print it
    in lower case, is for the curators to decide.
    """
    claims = holdings.withheld if withhold else holdings.licensed
    if len(word) >= SHORTEST_DECIDED:
        claims[word].append(Claim(word, "base", "run-on" if entry.run_on else "headword", entry))
    stated = list(inflector.admit_stated(word, entry.forms, trusted=holdings.traits.stated == "trusted"))
    for form in stated:
        claim(claims, word, form, entry)
    if entry.labels & UNINFLECTED:
        return
    known, slots = {form.word for form in stated}, {form.slot for form in stated}
    licensed, withheld = inflector.inflect(word, entry.pos)
    for form in licensed:
        if form.provenance != "rule" or form.slot not in slots:
            claim(claims, word, form, entry)
    for form in withheld:
        if form.word not in known:
            claim(holdings.withheld, word, form, entry)


def claim(claims: dict[str, list[Claim]], base: str, form: Form, entry: Entry) -> None:
    if SHORTEST_DECIDED <= len(form.word) <= LONGEST and form.word != base:
        claims[form.word].append(Claim(base, form.slot, form.provenance, entry))


def compare(holdings: tuple[Holdings, ...], quorum: int, listing: Listing) -> Merged:
    """Count the sources that have a form: below the quorum borderline; withheld by all that know it, a case apart."""
    votes: dict[str, int] = defaultdict(int)
    strong: set[str] = set()
    for held in holdings:
        for form in held.licensed:
            votes[form] += 1
            if held.traits.alone == "counts":
                strong.add(form)
    settled = frozenset(form for form, count in votes.items() if count >= quorum)
    borderline = frozenset(form for form in votes if form in strong or form in listing.reference) - settled
    withheld = {
        form
        for held in holdings
        for form in held.withheld
        if held.traits.alone == "counts" or form in listing.reference
    }
    return Merged(holdings, settled, borderline, frozenset(withheld - settled - borderline))


def claims_to(merged: Merged, form: str) -> Iterator[tuple[str, Claim]]:
    """Every source's claims to a form, with the source's name; also of sources that withhold it or do not count."""
    for held in merged.holdings:
        for claims in (held.licensed.get(form, ()), held.withheld.get(form, ())):
            for claim in claims:
                yield held.traits.name, claim
        for entry in held.barred.get(form, ()):
            yield held.traits.name, Claim(form, "base", "headword", entry)
