"""The inflected forms of a headword: stated by its source, tabled, or regular and attested. (SOURCES 3)

A form is licensed where the players' reference has it. Of a headword that the reference lacks, what its source or the
table states is, and of the rest the plain -S, -ED and -ING. A plural of a noun that the table marks uncountable is
withheld. No comparative that nobody states goes without a superlative: that is how LASTER and OWNER, agent nouns both,
stay out.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
from collections.abc import Container, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from builders.entry import Pos, Slot, StatedForm
from ordws.errors import BadSource, Missing
from ordws.fold import find_fold

InflectionProvenance: TypeAlias = Literal["stated", "table", "attested", "rule"]

TABLE_PATH: Final = "resources/infl_lu.csv.gz"
"""Where the inflection table lies inside the package lemminflect, whose code is never run."""

_SLOTS: Final[dict[str, tuple[Slot, ...]]] = {
    "noun": ("plural",),
    "verb": ("past", "participle", "gerund", "third"),
    "adj": ("comparative", "superlative"),
    "adv": ("comparative", "superlative"),
}
_POS: Final[dict[str, Pos]] = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}


class InflectedForm(NamedTuple):
    """One inflected form, folded: what it is, and how it comes to be licensed."""

    word: str
    slot: Slot
    provenance: InflectionProvenance


class Inflections(NamedTuple):
    """What a headword inflects to, and the plurals that are not licensed because the noun is uncountable."""

    licensed: tuple[InflectedForm, ...]
    withheld: tuple[InflectedForm, ...] = ()


class InflectionTable(NamedTuple):
    """Inflections of the commoner lemmas, from the NIH SPECIALIST lexicon."""

    forms: dict[tuple[str, Pos], tuple[StatedForm, ...]]
    uncountable: frozenset[str]

    def lookup(self, word: str, pos: Pos) -> tuple[StatedForm, ...]:
        return self.forms.get((word, pos), ())


def read_inflection_table(path: Path) -> InflectionTable:
    """Read `lemma,pos,slot[,slot...]`; variants within a slot are parted by `/`, an empty slot is regular or none."""
    forms: dict[tuple[str, Pos], tuple[StatedForm, ...]] = {}
    uncountable = set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            lemma, kind, *slots = line.rstrip("\n").split(",")
            if kind not in _SLOTS or len(slots) != len(_SLOTS[kind]):
                raise BadSource(str(path), f"line {number}", "expected lemma, part of speech and its forms")
            word = find_fold(lemma)
            if word is None or not lemma.islower():
                continue
            if kind == "noun" and slots == [lemma]:
                uncountable.add(word)
            stated = tuple(
                StatedForm(form, slot)
                for slot, variants in zip(_SLOTS[kind], slots, strict=True)
                for variant in variants.split("/")
                if (form := find_fold(variant)) and form != word
            )
            forms[word, _POS[kind]] = forms.get((word, _POS[kind]), ()) + stated
    return InflectionTable(forms, frozenset(uncountable))


def find_inflection_table() -> Path:
    """The inflection table inside an installed package; the package itself is not imported."""
    spec = importlib.util.find_spec("lemminflect")
    if spec is None or not spec.submodule_search_locations:
        raise Missing("the inflection table is not installed", hint="pip install '.[build]'")
    return Path(spec.submodule_search_locations[0]) / TABLE_PATH


class Inflector:
    """Inflects headwords by one table and one players' reference.

    A learned plural that is one of the `headwords` needs the table where an English one is attested too: GENUSES and a
    headword GENI leave GENI to itself; TRIVIA is the plural of TRIVIUM.
    """

    def __init__(self, table: InflectionTable, reference: Container[str], headwords: Container[str] = ()) -> None:
        self._table, self._reference, self._headwords = table, reference, headwords
        self._known: dict[tuple[str, Pos], Inflections] = {}

    def inflect(self, word: str, pos: Pos) -> Inflections:
        """What a folded headword inflects to, by the table and the regular spellings."""
        key = word, pos
        if key not in self._known:
            self._known[key] = self._inflect(word, pos)
        return self._known[key]

    def table_forms(self, word: str, pos: Pos) -> tuple[StatedForm, ...]:
        """What the table states of a folded headword, attested or not."""
        return self._table.lookup(word, pos)

    def license_stated(self, word: str, stated: Iterable[StatedForm], *, trusted: bool) -> Iterator[InflectedForm]:
        """The forms that a source prints for its headword.

        All of a trusted source and of a headword that the reference lacks, else those that the reference has.
        """
        trusted = trusted or word not in self._reference
        for text, slot in stated:
            form = find_fold(text)
            if form is not None and form != word and (trusted or form in self._reference):
                yield InflectedForm(form, slot, "stated")

    def _inflect(self, word: str, pos: Pos) -> Inflections:
        tabled = self._table.lookup(word, pos)
        known = word in self._reference
        found = {
            form: InflectedForm(form, slot, "table") for form, slot in tabled if form in self._reference or not known
        }
        chance = self._coincidental_plurals(word) if pos == "noun" else frozenset()
        for spelling, slot in regular_spellings(word, pos):
            if spelling in self._reference and spelling != word and spelling not in chance:
                found.setdefault(spelling, InflectedForm(spelling, slot, "attested"))
        slots = {form.slot for form in found.values()}
        for spelling, slot in () if known else default_spellings(word, pos):
            if slot not in slots:
                found.setdefault(spelling, InflectedForm(spelling, slot, "rule"))
        forms = tuple(found.values())
        if pos in ("adjective", "adverb"):
            return Inflections(drop_lone_comparisons(forms))
        if pos == "noun" and word in self._table.uncountable:
            return Inflections((), forms)
        return Inflections(forms)

    def _coincidental_plurals(self, word: str) -> frozenset[str]:
        """Words that look like a learned plural of this one, which has an English plural already."""
        if not any(plural in self._reference for plural in s_spellings(word)):
            return frozenset()
        learned = replace_ending(word, _LEARNED_PLURALS)
        return frozenset(p for p in learned if p in self._headwords or word.endswith(_MOSTLY_COINCIDENTAL))


def drop_lone_comparisons(forms: tuple[InflectedForm, ...]) -> tuple[InflectedForm, ...]:
    """Comparatives and superlatives of the same spelling pattern: a lone -ER is an agent noun, a lone -EST a chance."""
    words = {form.word for form in forms}
    return tuple(
        form
        for form in forms
        if form.provenance == "table"
        or (form.word[:-2] + "EST" if form.slot == "comparative" else form.word[:-3] + "ER") in words
    )


_VOWELS: Final = frozenset("AEIOU")
# One vowel, then one consonant of those that are doubled.
_CLOSED_SYLLABLE: Final = re.compile(r"(?:^|[^AEIOU])[AEIOUY][BDFGKLMNPRSTVZ]$")
_MONOSYLLABLE: Final = re.compile(r"Y?[^AEIOUY]*[AEIOUY][^AEIOUSY]")  # BUSED stands beside BUSSED

# Endings that Latin, Greek and French words bring their own plurals with; tried beside the English one.
PluralEndings: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
_LEARNED_PLURALS: Final[PluralEndings] = (
    ("US", ("I", "ERA", "ORA")),
    ("UM", ("A",)),
    ("ON", ("A",)),
    ("A", ("AE", "ATA")),
    ("SIS", ("SES",)),
    ("XIS", ("XES",)),
    ("EX", ("ICES",)),
    ("IX", ("ICES",)),
    ("EAU", ("EAUX",)),
    ("O", ("I",)),
)
_MOSTLY_COINCIDENTAL: Final = ("ON", "O")
"""CARTON has CARTONS, and CARTA is another word: beside an English plural these want the table's word."""
_NATIVE_PLURALS: Final[PluralEndings] = (("F", ("VES",)), ("FE", ("VES",)), ("MAN", ("MEN",)))


def regular_spellings(word: str, pos: Pos) -> Iterator[tuple[str, Slot]]:
    """Every spelling that a regular inflection may take: TRAVELED and TRAVELLED, CARGOS and CARGOES."""
    match pos:
        case "noun":
            for spelling in (
                *s_spellings(word),
                *replace_ending(word, _NATIVE_PLURALS),
                *replace_ending(word, _LEARNED_PLURALS),
            ):
                yield spelling, "plural"
        case "verb":
            for spelling in s_spellings(word):
                yield spelling, "third"
            for stem in stems_before_vowel(word):
                yield (stem + "D" if stem.endswith("E") else stem + "ED"), "past"
            for stem in stems_before_ing(word):
                yield stem + "ING", "gerund"
        case "adjective" | "adverb":
            for stem in stems_before_vowel(word):
                stem = stem.removesuffix("E")
                yield stem + "ER", "comparative"
                yield stem + "EST", "superlative"
        case _:
            return


def default_spellings(word: str, pos: Pos) -> Iterator[tuple[str, Slot]]:
    """The one regular -S, -ED and -ING of a word that no list attests; of adjectives nothing."""
    match pos:
        case "noun" if not word.endswith("ICS"):
            yield default_plural(word), "plural"
        case "verb":
            stem = next(stems_before_vowel(word))
            yield s_spellings(word)[0], "third"
            yield (stem + "D" if stem.endswith("E") else stem + "ED"), "past"
            yield next(stems_before_ing(word)) + "ING", "gerund"
        case _:
            return


def default_plural(word: str) -> str:
    for ending, plural in (("SIS", "SES"), ("MAN", "MEN")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + plural
    return s_spellings(word)[0]


def s_spellings(word: str) -> tuple[str, ...]:
    if word.endswith(("S", "X", "Z")):
        single = word[-1] in "SZ" and len(word) > 2 and word[-2] in _VOWELS
        return (word + "ES", word + word[-1] + "ES") if single else (word + "ES",)
    if word.endswith(("SH", "CH")):
        return (word + "ES", word + "S") if word.endswith("CH") else (word + "ES",)
    if word.endswith("Y") and len(word) > 1 and word[-2] not in _VOWELS:
        return word[:-1] + "IES", word + "S"
    if word.endswith("QUY"):
        return (word[:-1] + "IES",)
    if word.endswith("O"):
        return word + "S", word + "ES"
    return (word + "S",)


def replace_ending(word: str, endings: PluralEndings) -> Iterator[str]:
    """The word with its ending turned into each of the plurals that go with it."""
    for ending, plurals in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            for plural in plurals:
                yield word.removesuffix(ending) + plural


def stems_before_vowel(word: str) -> Iterator[str]:
    """What -ED, -ER and -EST are put to; the likeliest first. A stem on E takes their bare consonants."""
    if word.endswith("E"):
        yield word
    elif word.endswith("Y") and len(word) > 1 and word[-2] not in _VOWELS:
        yield word[:-1] + "I"
    elif word.endswith("C"):
        yield word + "K"
        yield word
    else:
        yield from double_final_consonant(word)


def stems_before_ing(word: str) -> Iterator[str]:
    if word.endswith("IE"):
        yield word[:-2] + "Y"
        yield word
    elif word.endswith(("EE", "OE", "YE")):
        yield word
    elif word.endswith("E"):
        yield word[:-1]
        yield word
    elif word.endswith("C"):
        yield word + "K"
        yield word
    else:
        yield from double_final_consonant(word)


def double_final_consonant(word: str) -> Iterator[str]:
    """The stem with its last consonant doubled or not; of one closed syllable only doubled: SCRAPPED, PALLED."""
    shape = word.replace("QU", "QW")
    if not _CLOSED_SYLLABLE.search(shape):
        yield word
    elif _MONOSYLLABLE.fullmatch(shape):
        yield word + word[-1]
    else:
        yield word
        yield word + word[-1]
