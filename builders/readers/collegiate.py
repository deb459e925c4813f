"""Merriam-Webster's Collegiate Dictionary as its API delivers it, in JSON (docs/dictionaries.md 7).

A file holds one array of entries, an array for each word, or an array a line. Strings in an array are suggestions for a
word that the dictionary lacks.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from builders.entry import Label, Pos, Slot, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, read_decompressed, require_file
from builders.readers.terms import (
    UNLABELLED,
    SenseLabels,
    case_labels,
    complete_form,
    guess_slot,
    is_word,
    parse_gloss_labels,
    parse_labels,
    parse_parts_of_speech,
)
from ordws.errors import BadSource, Missing

_SLOTS: Final[tuple[tuple[str, Slot], ...]] = (
    ("present participle", "gerund"),
    ("past tense", "past"),
    ("past participle", "participle"),
    ("past", "past"),
    ("present", "third"),
    ("third", "third"),
    ("plural", "plural"),
    ("comparative", "comparative"),
    ("superlative", "superlative"),
)
"""Inflections by a part of the label before a form; the first that fits counts."""

_FUNCTIONAL_LABELS: Final[tuple[tuple[str, Label], ...]] = (
    (" name", "proper"),
    ("combining form", "affix"),
    (" mark", "trademark"),
)
"""Labels by a part of the functional label that is no part of speech: "geographical name", "noun combining form"."""

_INFLECTION_NAME: Final = re.compile(r"\b(?:past|present|plural|participle|tense|comparative|superlative)\b")
_OUTDATED: Final[frozenset[Label]] = frozenset({"obsolete", "archaic"})
_OFFENSIVE_LABELS: Final[frozenset[Label]] = frozenset({"offensive", "vulgar"})
_LINK: Final = re.compile(r"\{\w+\|([^|{}]*+)[^{}]*+\}")  # {sx|strike||} shows "strike"
_MARK: Final = re.compile(r"\{[^{}]*\}")  # {it}, {bc}


class _Labelled(msgspec.Struct, kw_only=True):
    lbs: list[str] = []
    sls: list[str] = []


class _Meta(msgspec.Struct):
    id: str
    offensive: bool = False


class _Headword(msgspec.Struct):
    hw: str = ""


class _Inflection(msgspec.Struct):
    il: str = ""
    whole: str = msgspec.field(default="", name="if")
    ending: str = msgspec.field(default="", name="ifc")


class _Variant(msgspec.Struct):
    va: str
    vl: str = ""


class _Meaning(_Labelled, kw_only=True):
    dt: list[Any] = []
    ins: list[_Inflection] = []
    sdsense: _Meaning | None = None


class _Substitute(msgspec.Struct):
    sense: _Meaning


class _Definition(_Labelled, kw_only=True):
    sseq: list[list[tuple[str, msgspec.Raw]]] = []


class _RunOn(_Labelled, kw_only=True):
    ure: str
    fl: str = ""
    ins: list[_Inflection] = []
    vrs: list[_Variant] = []


class _Phrase(_Labelled, kw_only=True):
    definitions: list[_Definition] = msgspec.field(default_factory=list, name="def")


class _Reference(msgspec.Struct):
    cxl: str = ""


class _Entry(_Labelled, kw_only=True):
    meta: _Meta
    hwi: _Headword = msgspec.field(default_factory=_Headword)
    ahws: list[_Headword] = []
    fl: str = ""
    ins: list[_Inflection] = []
    vrs: list[_Variant] = []
    cxs: list[_Reference] = []
    uros: list[_RunOn] = []
    dros: list[_Phrase] = []
    shortdef: list[str] = []
    definitions: list[_Definition] = msgspec.field(default_factory=list, name="def")


class _DefinedSense(NamedTuple):
    """One meaning: its labels, its gloss, and the forms that it alone has."""

    labels: SenseLabels
    gloss: str = ""
    ins: tuple[_Inflection, ...] = ()


def files(path: Path) -> tuple[Path, ...]:
    """Return the file at the path, or all JSON files under a folder; raises Missing."""
    if not path.is_dir():
        return (require_file(path, "a Collegiate dictionary"),)
    found = tuple(sorted(file for file in path.rglob("*.json*") if file.is_file()))
    if not found:
        raise Missing(f'a Collegiate dictionary is missing: expected files "*.json" in "{path}"')
    return found


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the files, those of an entry followed by those of its variants and run-ons."""
    for file in files:
        data = read_decompressed(file).removeprefix(codecs.BOM_UTF8)
        lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
        documents = [(1, data)]
        if len(lines) > 1:
            # There is a document a line where the first line is one by itself.
            with suppress(msgspec.DecodeError, RecursionError):
                msgspec.json.decode(lines[0][1], type=msgspec.Raw)
                documents = lines
        for line, text in documents:
            yield from _read_value(text, file, f"line {line}", report)


def _read_value(text: bytes | msgspec.Raw, file: Path, place: str, report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses of an entry, or of all entries of an array; nothing for a suggestion, which is a string."""
    first = bytes(text).lstrip()[:1]
    try:
        if first == b"[":
            for number, value in enumerate(msgspec.json.decode(text, type=list[msgspec.Raw]), 1):
                yield from _read_value(value, file, f"{place}, item {number}", report)
        elif first != b'"':
            yield from _entry_senses(msgspec.json.decode(text, type=_Entry))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        report(BadSource(str(file), place, f"expected an array of entries or an entry, {error}"))


def _entry_senses(entry: _Entry) -> Iterator[Sense]:
    """Yield a sense for each cross reference and definition of an entry, or, without either, each short definition.

    There is always one sense at least. A cross reference of an inflection ("past tense of") labels it as such; that of
    a variant does not, since a variant is a headword.
    """
    word = _strip_syllable_dots(entry.hwi.hw) or entry.meta.id.partition(":")[0]
    shared = _labels_of_part(entry).union(_labels_of_function(entry.fl))
    senses = []
    for reference in entry.cxs:
        labels = _parse_label_texts([reference.cxl])
        if _INFLECTION_NAME.search(reference.cxl):
            labels = labels._replace(labels=labels.labels | {"inflection"})
        senses.append(_DefinedSense(labels, reference.cxl))
    senses += [sense for definition in entry.definitions for sense in _senses_in_definition(definition)]
    senses = senses or [_DefinedSense(parse_gloss_labels(gloss), gloss) for gloss in entry.shortdef]
    senses = senses or [_DefinedSense(UNLABELLED)]
    # The entry is offensive as a whole unless a label says which sense, run-on or phrase is.
    in_phrases = [
        sense for phrase in entry.dros for part in phrase.definitions for sense in _senses_in_definition(part)
    ]
    stated_labels = [shared, *[sense.labels for sense in (*senses, *in_phrases)]]
    stated_labels += [_labels_of_part(part) for part in (*entry.uros, *entry.dros)]
    if entry.meta.offensive and not any("offensive" in each.labels | each.partial for each in stated_labels):
        shared = shared.union(SenseLabels(frozenset({"offensive"})))
    heads = [
        (word, UNLABELLED),
        *_variant_spellings(word, entry.vrs),
        *[(_strip_syllable_dots(head.hw), UNLABELLED) for head in entry.ahws],
    ]
    for head, labels in heads:
        for pos in parse_parts_of_speech(entry.fl) or ("other",):
            for sense in senses:
                stated = tuple(_stated_forms(word, pos, [*entry.ins, *sense.ins])) if head == word else ()
                yield from _word_senses(head, pos, shared.union(labels).union(sense.labels), sense.gloss, stated)
    # A run-on is undefined: it is offensive where all senses of the headword are.
    of_all_senses = frozenset.intersection(*[sense.labels.labels for sense in senses]) & _OFFENSIVE_LABELS
    shared = shared.union(SenseLabels(of_all_senses))
    for run_on in entry.uros:
        own = _strip_syllable_dots(run_on.ure)
        run_on_labels = shared.union(_labels_of_part(run_on)).union(_labels_of_function(run_on.fl))
        for head, labels in [(own, UNLABELLED), *_variant_spellings(own, run_on.vrs)]:
            for pos in parse_parts_of_speech(run_on.fl) or ("other",):
                stated = tuple(_stated_forms(own, pos, run_on.ins)) if head == own else ()
                yield from _word_senses(head, pos, run_on_labels.union(labels), "", stated, run_on=True)


def _word_senses(
    word: str, pos: Pos, labels: SenseLabels, gloss: str, forms: tuple[StatedForm, ...], run_on: bool = False
) -> Iterator[Sense]:
    if is_word(word):
        yield Sense(word, pos, labels.labels | case_labels(word), labels.partial, gloss, forms, run_on)


def _variant_spellings(word: str, variants: Iterable[_Variant]) -> Iterator[tuple[str, SenseLabels]]:
    for variant in variants:
        if whole := complete_form(word, _strip_syllable_dots(variant.va)):
            yield whole, _parse_label_texts([variant.vl])


def _stated_forms(word: str, pos: Pos, inflections: Iterable[_Inflection]) -> Iterator[StatedForm]:
    """Yield the forms that are words; a form labelled "or" or "also" is the same inflection as the form before it."""
    last_slot: Slot | None = None
    for inflection in inflections:
        label = inflection.il
        slot = next((slot for part, slot in _SLOTS if part in label), None)
        last_slot = slot or (last_slot if label.startswith(("or", "also")) else None)
        form = complete_form(word, _strip_syllable_dots(inflection.whole or inflection.ending))
        if form and form != word and is_word(form) and not parse_labels(label).labels & _OUTDATED:
            yield StatedForm(form, last_slot or guess_slot(pos, form))


def _senses_in_definition(definition: _Definition) -> Iterator[_DefinedSense]:
    for group in definition.sseq:
        yield from _senses_in_sequence(group, _labels_of_part(definition))


def _senses_in_sequence(items: Iterable[tuple[str, msgspec.Raw]], inherited: SenseLabels) -> Iterator[_DefinedSense]:
    """Yield the senses of a numbered group; labels of a truncated sense or a substitute apply to those behind it."""
    for kind, content in items:
        match kind:
            case "sense":
                yield from _sense_and_subsenses(msgspec.json.decode(content, type=_Meaning), inherited)
            case "sen":
                inherited = inherited.union(_labels_of_part(msgspec.json.decode(content, type=_Meaning)))
            case "bs":
                substitute = msgspec.json.decode(content, type=_Substitute).sense
                yield from _sense_and_subsenses(substitute, inherited)
                inherited = inherited.union(_labels_of_part(substitute))
            case "pseq":
                yield from _senses_in_sequence(
                    msgspec.json.decode(content, type=list[tuple[str, msgspec.Raw]]), inherited
                )


def _sense_and_subsenses(meaning: _Meaning, inherited: SenseLabels) -> Iterator[_DefinedSense]:
    """Yield a sense, and behind it the sense that divides it: "also", "broadly"."""
    texts = [part[1] for part in meaning.dt if isinstance(part, list) and part[:1] == ["text"] and len(part) == 2]
    gloss = " ".join(_MARK.sub(" ", _LINK.sub(r"\1", " ".join(map(str, texts)))).split())
    yield _DefinedSense(inherited.union(_labels_of_part(meaning)), gloss, tuple(meaning.ins))
    if meaning.sdsense:
        yield from _sense_and_subsenses(meaning.sdsense, inherited)


def _labels_of_part(part: _Labelled) -> SenseLabels:
    return _parse_label_texts([*part.lbs, *part.sls])


def _parse_label_texts(texts: Iterable[str]) -> SenseLabels:
    """Return the labels of label texts.

    "Usually plural" says how a word is used; only "plural in form" says that it is a plural.
    """
    union = UNLABELLED
    for text in texts:
        labels, partial = parse_labels(text)
        if "plural in form" not in text:
            labels -= {"plural"}
        if text.startswith("capitalized"):
            labels |= {"proper"}
        union = union.union(SenseLabels(labels, partial))
    return union


def _labels_of_function(functional_label: str) -> SenseLabels:
    named: frozenset[Label] = frozenset(label for text, label in _FUNCTIONAL_LABELS if text in functional_label)
    return SenseLabels(named | parse_labels(functional_label).labels)


def _strip_syllable_dots(text: str) -> str:
    return text.replace("*", "").strip()
