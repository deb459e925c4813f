"""The inflected forms of a headword: stated by its source, tabled, or regular and attested (docs/dictionaries.md 3).

A form is licensed if the players' reference has it. A headword that the reference lacks takes what its source or the
table states, and otherwise the plain -S, -ED and -ING. The plural of a noun that the table marks as uncountable is
withheld. A comparative that nothing states needs its superlative: that keeps out the agent nouns LASTER and OWNER.
"""

from __future__ import annotations

import gzip
import importlib.util
import re
from collections.abc import Container, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from builders.entry import Pos, Slot, StatedForm
from ordws.errors import BadSource, Missing
from ordws.fold import find_fold

InflectionProvenance: TypeAlias = Literal["stated", "table", "attested", "rule"]

TABLE_PATH: Final = "resources/infl_lu.csv.gz"
"""The path of the inflection table inside the package lemminflect, whose code is never run."""

_SLOTS: Final[dict[str, tuple[Slot, ...]]] = {
    "noun": ("plural",),
    "verb": ("past", "participle", "gerund", "third"),
    "adj": ("comparative", "superlative"),
    "adv": ("comparative", "superlative"),
}
_POS: Final[dict[str, Pos]] = {"noun": "noun", "verb": "verb", "adj": "adjective", "adv": "adverb"}


class InflectedForm(NamedTuple):
    """One inflected form, folded, with its inflection and the reason why it is licensed."""

    word: str
    slot: Slot
    provenance: InflectionProvenance


class Inflections(NamedTuple):
    """The forms of a headword, and the plurals that are withheld because the noun is uncountable."""

    licensed: tuple[InflectedForm, ...]
    withheld: tuple[InflectedForm, ...] = ()


class InflectionTable(NamedTuple):
    """Inflected forms of the commoner lemmas, from the NIH SPECIALIST lexicon."""

    forms: dict[tuple[str, Pos], tuple[StatedForm, ...]]
    uncountable: frozenset[str]

    def lookup(self, word: str, pos: Pos) -> tuple[StatedForm, ...]:
        return self.forms.get((word, pos), ())


@cache
def read_inflection_table(path: Path) -> InflectionTable:
    """Read lines of `lemma,pos,slot[,slot...]`; raises BadSource.

    Variants within a slot are separated by `/`; an empty slot is regular or has no form. A noun whose plural slot
    repeats the lemma is uncountable.
    """
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
    """Return the path of the inflection table in its installed package, which is not imported; raises Missing."""
    spec = importlib.util.find_spec("lemminflect")
    if spec is None or not spec.submodule_search_locations:
        raise Missing("the inflection table is not installed", hint="pip install '.[build]'")
    return Path(spec.submodule_search_locations[0]) / TABLE_PATH


class Inflector:
    """An inflector of headwords, by one table and one players' reference.

    Beside an attested English plural, a learned plural that is one of the `headwords` counts only if the table has it:
    GENI is a headword and no plural of GENUS, which has GENUSES; TRIVIA is the plural of TRIVIUM.
    """

    def __init__(
        self,
        table: InflectionTable,
        reference: Container[str],
        headwords: Container[str] = (),
    ) -> None:
        self._table, self._reference, self._headwords = table, reference, headwords
        self._known: dict[tuple[str, Pos], Inflections] = {}

    def inflect(self, word: str, pos: Pos) -> Inflections:
        """Return the forms of a folded headword, by the table and the regular spellings."""
        if (word, pos) in self._known:
            return self._known[word, pos]
        is_known = word in self._reference
        found = {
            form: InflectedForm(form, slot, "table")
            for form, slot in self._table.lookup(word, pos)
            if form in self._reference or not is_known
        }
        coincidental = set()
        has_plural = any(plural in self._reference for plural in s_spellings(word))
        is_coincidence = word.endswith(_MOSTLY_COINCIDENTAL) and (has_plural or not is_known)
        if pos == "noun" and (has_plural or is_coincidence):
            # The noun has an English plural: another word may look like its learned one, as MOMI like that of MOMO.
            learned = replace_ending(word, _LEARNED_PLURALS)
            coincidental = {plural for plural in learned if is_coincidence or plural in self._headwords}
        for spelling, slot in regular_spellings(word, pos):
            if spelling in self._reference and spelling != word and spelling not in coincidental:
                found.setdefault(spelling, InflectedForm(spelling, slot, "attested"))
        slots = {form.slot for form in found.values()}
        is_plural = word.endswith("S") and word[:-1] in self._reference  # FINANCIALS
        for spelling, slot in () if is_known or is_plural else default_spellings(word, pos):
            if slot not in slots:
                found.setdefault(spelling, InflectedForm(spelling, slot, "rule"))
        if pos in ("adjective", "adverb"):
            # A lone -ER is an agent noun, a lone -EST a coincidence: what the table lacks must be attested as a pair.
            attested = frozenset(found)
            for form in tuple(found.values()):
                counterpart = form.word[:-2] + "EST" if form.slot == "comparative" else form.word[:-3] + "ER"
                if form.provenance != "table" and counterpart not in attested:
                    del found[form.word]
        is_uncountable = pos == "noun" and word in self._table.uncountable
        forms = tuple(found.values())
        self._known[word, pos] = inflections = Inflections((), forms) if is_uncountable else Inflections(forms)
        return inflections

    def license_stated(self, word: str, stated: Iterable[StatedForm], *, trusted: bool) -> Iterator[InflectedForm]:
        """Yield the forms that a source prints for its headword and that are licensed.

        All forms of a trusted source are, and of a headword that the reference lacks; else those in the reference.
        """
        trusted = trusted or word not in self._reference
        for text, slot in stated:
            form = find_fold(text)
            if form is not None and form != word and (trusted or form in self._reference):
                yield InflectedForm(form, slot, "stated")


_VOWELS: Final = frozenset("AEIOU")
# The word ends in one vowel and one of the consonants that are doubled.
_CLOSED_SYLLABLE: Final = re.compile(r"(?:^|[^AEIOU])[AEIOUY][BDFGKLMNPRSTVZ]$")
_MONOSYLLABLE: Final = re.compile(r"Y?[^AEIOUY]*[AEIOUY][^AEIOUSY]")  # a final S may stay single: BUSED beside BUSSED

# Plurals of Latin, Greek and French words by their endings; tried beside the English plural.
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
"""CARTON has CARTONS, and CARTA is another word: beside an English plural the table must have these."""
_NATIVE_PLURALS: Final[PluralEndings] = (("F", ("VES",)), ("FE", ("VES",)), ("MAN", ("MEN",)))


def regular_spellings(word: str, pos: Pos) -> Iterator[tuple[str, Slot]]:
    """Yield every spelling that a regular inflection may take: TRAVELED and TRAVELLED, CARGOS and CARGOES."""
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
            for stem in (*stems_before_vowel(word), *replace_ending(word, (("EY", ("I",)),))):
                stem = stem.removesuffix("E")
                yield stem + "ER", "comparative"
                yield stem + "EST", "superlative"
        case _:
            return


def default_spellings(word: str, pos: Pos) -> Iterator[tuple[str, Slot]]:
    """Yield the plain -S, -ED and -ING of a word that no list attests; nothing for adjectives and nouns on -ICS."""
    match pos:
        case "noun" if not word.endswith("ICS"):
            plurals = replace_ending(word, (("SIS", ("SES",)), ("MAN", ("MEN",))))
            yield next(plurals, s_spellings(word)[0]), "plural"
        case "verb":
            stem = next(stems_before_vowel(word))
            yield s_spellings(word)[0], "third"
            yield (stem + "D" if stem.endswith("E") else stem + "ED"), "past"
            yield next(stems_before_ing(word)) + "ING", "gerund"
        case _:
            return


def s_spellings(word: str) -> tuple[str, ...]:
    """Return the spellings of a word with -S, the likeliest first: QUIZES and QUIZZES, FLIES and FLYS."""
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
    """Yield the word with its ending replaced by each plural ending; at least two letters stand before the ending."""
    for ending, plurals in endings:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            for plural in plurals:
                yield word.removesuffix(ending) + plural


def irregular_singulars(word: str) -> Iterator[str]:
    """Yield the words whose native or learned plural a word may be: CELLO of CELLI, BASEMAN of BASEMEN."""
    for ending, plurals in (*_NATIVE_PLURALS, *_LEARNED_PLURALS):
        for plural in plurals:
            if word.endswith(plural) and len(word) > len(plural) + 1:
                yield word.removesuffix(plural) + ending


def stems_before_vowel(word: str) -> Iterator[str]:
    """Yield the stems before -ED, -ER and -EST, the likeliest first. A stem on E takes their consonants alone."""
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
    """Yield the stems before -ING, the likeliest first: DYING and DIEING, MAKING and MAKEING, PANICKING."""
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
    """Yield a stem with its last consonant single and doubled; of one closed syllable only doubled: SCRAPPED."""
    shape = word.replace("QU", "QW")
    if not _CLOSED_SYLLABLE.search(shape):
        yield word
    elif _MONOSYLLABLE.fullmatch(shape):
        yield word + word[-1]
    else:
        yield word
        yield word + word[-1]
