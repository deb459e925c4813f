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
from builders.inflect import InflectedForm, InflectionTable, Inflector
from builders.public_lists import PublicLists
from ordws.curation.family import Provenance
from ordws.fold import MAX_WORD_LENGTH, find_fold

NON_WORD_LABELS: Final[frozenset[Label]] = frozenset({"proper", "affix"})
OFFENSIVE_LABELS: Final[frozenset[Label]] = frozenset({"offensive", "vulgar"})
UNINFLECTED_LABELS: Final[frozenset[Label]] = frozenset({"plural", "inflection"})
MIN_WORD_LENGTH: Final = 3
"""Two-letter words come from the published list of the rule set, never from dictionaries. (RULES 6.6)"""


@dataclass(frozen=True)
class SourceOptions:
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
class SourceClaims:
    """What one source holds: its claims by form, licensed or withheld, and the bases it labels unwanted."""

    options: SourceOptions
    licensed: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    withheld: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    barred: dict[str, list[Entry]] = field(default_factory=dict)
    """Headwords whose every sense is labelled offensive or vulgar: for these the source does not count."""


@dataclass(frozen=True)
class MergeResult:
    """Forms that meet the quorum, and the sources' claims to all others that are at stake."""

    source_claims: tuple[SourceClaims, ...]
    settled: frozenset[str]
    borderline: frozenset[str]
    withheld: frozenset[str]
    """Plurals of nouns without number, and lower-case words that the public lists know as names alone."""


def merge(
    sources: Iterable[tuple[SourceOptions, Iterable[Entry]]],
    quorum: int,
    table: InflectionTable,
    public_lists: PublicLists,
) -> MergeResult:
    """Expand every source and compare."""
    read = [(traits, group_by_word(entries)) for traits, entries in sources]
    singular = (word for _, heads in read for word, entries in heads.items() if is_singular(entries))
    inflector = Inflector(table, public_lists.reference, frozenset(singular))
    lower = frozenset(
        word
        for traits, heads in read
        if traits.capitals == "names"
        for word, entries in heads.items()
        if any(
            not entry.labels & NON_WORD_LABELS and not is_abbreviation(word, entry, public_lists) for entry in entries
        )
    )
    holdings = tuple(expand_source(traits, heads, inflector, public_lists, lower) for traits, heads in read)
    return apply_quorum(holdings, quorum, public_lists)


def group_by_word(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries by the word that they fold to; what does not fold is no word."""
    heads: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if (word := find_fold(entry.word)) is not None:
            heads[word].append(entry)
    return heads


def is_singular(entries: Iterable[Entry]) -> bool:
    """Whether a headword is more than the plural, or another form, of one."""
    return any(entry.labels.isdisjoint(UNINFLECTED_LABELS) for entry in entries)


def expand_source(
    options: SourceOptions,
    entries_by_word: Mapping[str, list[Entry]],
    inflector: Inflector,
    public_lists: PublicLists,
    lowercase_words: frozenset[str],
) -> SourceClaims:
    """A source's headwords and the forms they inflect to, less names, affixes, abbreviations and barred words."""
    holdings = SourceClaims(options)
    for word, entries in entries_by_word.items():
        if public_lists.is_symbol(word):
            continue
        counting = [entry for entry in entries if counts_as_word(options, word, entry, public_lists, lowercase_words)]
        if counting and all(entry.labels & OFFENSIVE_LABELS for entry in counting):
            holdings.barred[word] = counting
            continue
        for entry in counting:
            add_claims(holdings, word, entry, inflector, withhold=word in public_lists.names)
    return holdings


def counts_as_word(
    options: SourceOptions, word: str, entry: Entry, public_lists: PublicLists, lowercase_words: frozenset[str]
) -> bool:
    """Whether an entry is neither name, affix nor abbreviation. (RULES A-37)"""
    if entry.labels & NON_WORD_LABELS or is_abbreviation(word, entry, public_lists):
        return False
    return options.capitals == "names" or word in lowercase_words or not is_name(word, entry, public_lists)


def is_abbreviation(word: str, entry: Entry, public_lists: PublicLists) -> bool:
    """Whether an entry is an abbreviation, or a short form that the lists have as one alone.

    An acronym that is printed in lower case and stands among the ordinary words is a word by now: LASER.
    """
    if "shortened" in entry.labels and word in public_lists.symbols:
        return True
    return "abbreviation" in entry.labels and not (entry.word.islower() and word in public_lists.reference)


def is_name(word: str, entry: Entry, public_lists: PublicLists) -> bool:
    """Whether a headword is a name though its own case says nothing: MARY, HUNGARIAN. (SOURCES 1c)"""
    return word in public_lists.names or ("capitalised" in entry.labels and word not in public_lists.reference)


def add_claims(source_claims: SourceClaims, word: str, entry: Entry, inflector: Inflector, *, withhold: bool) -> None:
    """Note the headword, the forms that the entry states, and those that it inflects to.

    All are withheld of a headword that the public lists know as a name alone: TROJAN, though two dictionaries print it
    in lower case, is for the curators to decide.
    """
    claims = source_claims.withheld if withhold else source_claims.licensed
    if len(word) >= MIN_WORD_LENGTH:
        claims[word].append(Claim(word, "base", "run-on" if entry.run_on else "headword", entry))
    stated = list(inflector.license_stated(word, entry.forms, trusted=source_claims.options.stated == "trusted"))
    for form in stated:
        add_claim(claims, word, form, entry)
    if entry.labels & UNINFLECTED_LABELS:
        return
    known, slots = {form.word for form in stated}, {form.slot for form in stated}
    licensed, withheld = inflector.inflect(word, entry.pos)
    for form in licensed:
        if form.provenance != "rule" or form.slot not in slots:
            add_claim(claims, word, form, entry)
    for form in withheld:
        if form.word not in known:
            add_claim(source_claims.withheld, word, form, entry)


def add_claim(claims: dict[str, list[Claim]], base: str, form: InflectedForm, entry: Entry) -> None:
    if MIN_WORD_LENGTH <= len(form.word) <= MAX_WORD_LENGTH and form.word != base:
        claims[form.word].append(Claim(base, form.slot, form.provenance, entry))


def apply_quorum(source_claims: tuple[SourceClaims, ...], quorum: int, public_lists: PublicLists) -> MergeResult:
    """Count the sources that have a form: below the quorum borderline; withheld by all that know it, a case apart."""
    votes: dict[str, int] = defaultdict(int)
    strong: set[str] = set()
    for held in source_claims:
        for form in held.licensed:
            votes[form] += 1
            if held.options.alone == "counts":
                strong.add(form)
    settled = frozenset(form for form, count in votes.items() if count >= quorum)
    borderline = frozenset(form for form in votes if form in strong or form in public_lists.reference) - settled
    withheld = {
        form
        for held in source_claims
        for form in held.withheld
        if held.options.alone == "counts" or form in public_lists.reference
    }
    return MergeResult(source_claims, settled, borderline, frozenset(withheld - settled - borderline))


def claims_for(merged: MergeResult, form: str) -> Iterator[tuple[str, Claim]]:
    """Every source's claims to a form, with the source's name; also of sources that withhold it or do not count."""
    for held in merged.source_claims:
        for claims in (held.licensed.get(form, ()), held.withheld.get(form, ())):
            for claim in claims:
                yield held.options.name, claim
        for entry in held.barred.get(form, ()):
            yield held.options.name, Claim(form, "base", "headword", entry)
