"""The merge of dictionaries: words that meet the quorum, and words that go to the curators.

Every source is expanded to its inflected forms before sources are compared, so that LOAVES, a headword of one source
and a plural in another, is one word. Sources vote for forms; curators vote for families (docs/dictionaries.md 9.3,
docs/rules.md 6.3, A-37, A-41).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from builders.entry import Entry, Label
from builders.inflect import InflectedForm, InflectionTable, Inflector
from builders.public_lists import PublicLists
from ordws.curation.family import Provenance
from ordws.fold import MAX_WORD_LENGTH, find_fold

FollowerKind: TypeAlias = Literal["inflection", "singular", "run-on", "variant", "compound", "met", "everyday"]
DropReason: TypeAlias = Literal["labelled", "rather a name", "attested twice"]
NON_WORD_LABELS: Final[frozenset[Label]] = frozenset({"proper", "affix"})
OFFENSIVE_LABELS: Final[frozenset[Label]] = frozenset({"offensive", "vulgar"})
UNINFLECTED_LABELS: Final[frozenset[Label]] = frozenset({"plural", "inflection"})
MIN_DEFINITIONS: Final = 2
"""Dictionaries that must define an abbreviation as a noun before it passes for a word."""
MIN_WORD_LENGTH: Final = 3
"""Two-letter words come from the published list of the rule set, never from dictionaries (docs/rules.md 6.6)."""


class SourceOptions(msgspec.Struct, frozen=True):
    """The options of a recipe that say how a source is read."""

    name: str
    kind: Literal["dictionary", "spelling-list"] = "dictionary"
    """`spelling-list`: every form is a word of its own, without a meaning, a part of speech or a label."""
    capitals: Literal["names", "all"] = "names"
    """`all`: the source capitalises every headword, so that its case says nothing."""
    alone: Literal["counts", "attested"] = "counts"
    """`attested`: words that this source alone has go to the curators only if the players' reference has them."""
    stated: Literal["attested", "trusted"] = "attested"
    """`trusted`: forms that this source prints are licensed even if the players' reference lacks them."""
    inflections: int = 0
    run_ons: int = 0
    variants: int = 0
    compounds: int = 0
    met: int = 0
    everyday: int = 0

    @property
    def sizes(self) -> Mapping[FollowerKind, int]:
        """By kind of follower: words of this source up to this size of SCOWL are settled where they follow from one.

        Empty where none do.
        """
        sizes: dict[FollowerKind, int] = {
            "inflection": self.inflections,
            "singular": self.inflections,
            "run-on": self.run_ons,
            "variant": self.variants,
            "compound": self.compounds,
            "met": self.met,
            "everyday": self.everyday,
        }
        return sizes if any(sizes.values()) else {}


class Follower(NamedTuple):
    """The settled word that a word follows from, how, and the part of speech that the affix gives, if one does."""

    kind: FollowerKind
    base: str
    pos: str = ""


class Claim(NamedTuple):
    """One source's reason for a form."""

    base: str
    slot: str
    provenance: Provenance
    entry: Entry


@dataclass(frozen=True)
class SourceClaims:
    """The claims of one source by form.

    Licensed claims count for the quorum. Withheld ones, described at `MergeResult.withheld`, and barred ones do not.
    """

    options: SourceOptions
    licensed: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    withheld: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    barred: dict[str, list[Claim]] = field(default_factory=lambda: defaultdict(list))
    """Claims to headwords whose every sense is labelled offensive or vulgar, and to their forms (Decision 7)."""
    dropped: dict[str, DropReason] = field(default_factory=dict)
    """Words of a spelling list that it does not second."""


@dataclass(frozen=True)
class MergeResult:
    """Forms that meet the quorum, and the sources' claims to all others that are at stake."""

    source_claims: tuple[SourceClaims, ...]
    settled: frozenset[str]
    borderline: frozenset[str]
    withheld: frozenset[str]
    """Plurals of uncountable nouns, and lower-case words that the public lists know as names alone."""
    followers: Mapping[str, Follower] = field(default_factory=dict)
    """The settled words that the quorum does not settle, and what they follow from (`builders.followers`)."""
    phrases: frozenset[str] = frozenset()
    """The headwords that are no word, as printed: vice versa, trash can, multi-."""


def merge(
    sources: Iterable[tuple[SourceOptions, Iterable[Entry]]],
    quorum: int,
    table: InflectionTable,
    public_lists: PublicLists,
) -> MergeResult:
    """Expand every source, count the sources of each form, and sort the forms into settled, borderline and withheld.

    A form below the quorum is at stake if a source that counts alone has it, or the reference does. It is withheld if
    no dictionary licenses it and one withholds it.
    """
    read: list[tuple[SourceOptions, dict[str, list[Entry]]]] = []
    singular, lowercase_words, phrases = set[str](), set[str](), set[str]()
    for options, entries in sources:
        entries_by_word: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            if (word := find_fold(entry.word)) is None:
                phrases.add(entry.word)
                continue
            entries_by_word[word].append(entry)
            if options.kind == "dictionary" and entry.labels.isdisjoint(UNINFLECTED_LABELS):
                singular.add(word)
            # Only a source that capitalises as running text does can tell that a word is no name.
            if options.capitals == "names" and is_lexical(word, entry, public_lists):
                lowercase_words.add(word)
        read.append((options, entries_by_word))
    public_lists = admit_short_forms(read, public_lists)
    inflector = Inflector(table, public_lists.reference, frozenset(singular))
    source_claims = tuple(
        expand_source(options, entries_by_word, inflector, public_lists, frozenset(lowercase_words))
        for options, entries_by_word in read
    )
    drop_weak_listings(source_claims, quorum, public_lists)
    votes: dict[str, int] = defaultdict(int)
    strong, defined = set[str](), set[str]()
    for source in source_claims:
        for form in source.licensed:
            votes[form] += 1
        if source.options.alone == "counts":
            # Whether an abbreviation is inflected at all nobody attests: TEXES.
            strong.update(
                form
                for form, claims in source.licensed.items()
                if any(claim.provenance != "rule" or claim.base not in public_lists.symbols for claim in claims)
            )
        if source.options.kind == "dictionary":
            defined.update(source.licensed)
    settled = frozenset(form for form, count in votes.items() if count >= quorum)
    withheld = {
        form
        for source in source_claims
        for form in source.withheld.keys() - defined - settled
        if source.options.alone == "counts" or form in public_lists.reference
    }
    borderline = {form for form in votes if form in strong or form in public_lists.reference}
    return MergeResult(
        source_claims,
        settled,
        frozenset(borderline - settled - withheld),
        frozenset(withheld),
        phrases=frozenset(phrases),
    )


def expand_source(
    options: SourceOptions,
    entries_by_word: Mapping[str, list[Entry]],
    inflector: Inflector,
    public_lists: PublicLists,
    lowercase_words: frozenset[str],
) -> SourceClaims:
    """Return a source's claims to its headwords and to their forms; names, affixes and abbreviations make none."""
    source_claims, is_list = SourceClaims(options), options.kind == "spelling-list"
    for word, entries in entries_by_word.items():
        if public_lists.is_symbol(word):
            continue
        may_be_name = options.capitals == "all" and word not in lowercase_words
        counting = [
            entry
            for entry in entries
            if is_lexical(word, entry, public_lists) and not (may_be_name and is_name(word, entry, public_lists))
        ]
        is_barred = all(entry.labels & OFFENSIVE_LABELS for entry in counting)
        # Where the public lists know a headword as a name alone, its forms are withheld: whether TROJAN is a word,
        # which two dictionaries print in lower case, is for the curators to decide.
        withheld = source_claims.barred if is_barred else source_claims.withheld
        claims = withheld if is_barred or word in public_lists.names else source_claims.licensed
        for entry in counting:
            if len(word) >= MIN_WORD_LENGTH:
                provenance: Provenance = "run-on" if entry.run_on else "headword"
                claims[word].append(Claim(word, "base", "listed" if is_list else provenance, entry))
            stated = list(inflector.license_stated(word, entry.forms, trusted=options.stated == "trusted"))
            for form in stated:
                add_claim(claims, word, form, entry)
            if entry.labels & UNINFLECTED_LABELS:
                continue
            known, slots = {form.word for form in stated}, {form.slot for form in stated}
            inflections = inflector.inflect(word, entry.pos)
            for form in inflections.licensed:
                # A default spelling fills only a slot that the source leaves open.
                if form.provenance != "rule" or form.slot not in slots:
                    add_claim(claims, word, form, entry)
            for form in inflections.withheld:
                if form.word not in known:
                    add_claim(withheld, word, form, entry)
    return source_claims


def drop_weak_listings(source_claims: Iterable[SourceClaims], quorum: int, public_lists: PublicLists) -> None:
    """Remove from spelling lists what they cannot second, since they print no labels, names or parts of speech.

    That is what every dictionary that has it labels offensive or vulgar, if only in some senses; what SCOWL has rather
    as a name; and a regular form that one dictionary takes from the reference, which is SCOWL too, while the others
    have its headword without it: MUTTERINGS (docs/dictionaries.md 9.3).
    """
    dictionaries = [source for source in source_claims if source.options.kind == "dictionary"]
    votes = Counter(form for source in dictionaries for form in source.licensed)
    for spelling_list in source_claims:
        if spelling_list.options.kind == "dictionary":
            continue
        for form in tuple(spelling_list.licensed):
            licensed = [claim for source in dictionaries for claim in source.licensed.get(form, ())]
            is_attested_twice = bool(licensed) and all(
                claim.provenance == "attested" and votes[claim.base] >= quorum for claim in licensed
            )
            claims_by_source = [claims for source in dictionaries if (claims := claims_of(source, form))]
            is_labelled = bool(claims_by_source) and all(any(map(is_offensive, claims)) for claims in claims_by_source)
            reasons: dict[DropReason, bool] = {
                "labelled": is_labelled,
                "rather a name": public_lists.is_rather_name(form),
                "attested twice": is_attested_twice,
            }
            if reason := next((reason for reason, holds in reasons.items() if holds), None):
                del spelling_list.licensed[form]
                spelling_list.dropped[form] = reason


def is_offensive(claim: Claim) -> bool:
    """Tell whether a claim's entry is labelled offensive or vulgar, in all senses or in some."""
    entry = claim.entry
    return not (OFFENSIVE_LABELS.isdisjoint(entry.labels) and OFFENSIVE_LABELS.isdisjoint(entry.partial_labels))


def is_lexical(word: str, entry: Entry, public_lists: PublicLists) -> bool:
    """Tell whether an entry is neither a name by its label, nor an affix, nor an abbreviation (docs/rules.md A-37).

    A short form is an abbreviation if the public lists have it as one alone. An acronym that is printed in lower case
    and stands in the reference has become a word: LASER.
    """
    if entry.labels & NON_WORD_LABELS or ("shortened" in entry.labels and word in public_lists.symbols):
        return False
    return "abbreviation" not in entry.labels or (entry.word.islower() and word in public_lists.reference)


def admit_short_forms(
    sources: Iterable[tuple[SourceOptions, Mapping[str, list[Entry]]]], public_lists: PublicLists
) -> PublicLists:
    """Return the lists without the abbreviations and names that have become words: MATHS, RAD (docs/rules.md A-37).

    SCOWL has them as an abbreviation and never as a word, but at least two dictionaries define them as nouns, not all
    of these by a longer word that they are short for.
    """
    definitions: dict[str, list[Entry]] = defaultdict(list)
    for options, entries_by_word in sources:
        for word in entries_by_word.keys() & public_lists.symbols if options.kind == "dictionary" else ():
            nouns = [
                entry
                for entry in entries_by_word[word]
                if entry.pos == "noun"
                and entry.labels.isdisjoint(NON_WORD_LABELS | {"abbreviation"})
                and (entry.word.islower() or (options.capitals == "all" and "capitalised" not in entry.labels))
            ]
            definitions[word] += nouns[:1]
    words = {
        word
        for word, entries in definitions.items()
        if len(entries) >= MIN_DEFINITIONS and any("shortened" not in entry.labels for entry in entries)
    }
    return replace(public_lists, names=public_lists.names - words, symbols=public_lists.symbols - words)


def is_name(word: str, entry: Entry, public_lists: PublicLists) -> bool:
    """Tell whether a headword is a name though its own case says nothing: MARY, HUNGARIAN (docs/dictionaries.md 1c)."""
    return word in public_lists.names or ("capitalised" in entry.labels and word not in public_lists.reference)


def add_claim(claims: dict[str, list[Claim]], base: str, form: InflectedForm, entry: Entry) -> None:
    """Add one claim, unless the form is the base itself, too short, or longer than the larger board."""
    if MIN_WORD_LENGTH <= len(form.word) <= MAX_WORD_LENGTH and form.word != base:
        claims[form.word].append(Claim(base, form.slot, form.provenance, entry))


def claims_of(source: SourceClaims, form: str) -> list[Claim]:
    """Return a source's claims to a form, also where it withholds it or does not count."""
    return [*source.licensed.get(form, ()), *source.withheld.get(form, ()), *source.barred.get(form, ())]
