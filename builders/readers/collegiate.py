"""Merriam-Webster's Collegiate Dictionary as its API hands it out, in JSON. (SOURCES 7)

A file holds one array of entries, an array for each word, or an array a line. What stands in an array as plain text
are suggestions for a word that the dictionary lacks.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from builders.entry import Entry, Label, Pos, Slot, StatedForm
from builders.readers.forms import complete_form, guess_slot
from builders.readers.letter_case import case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, read_decompressed, require_file
from builders.readers.terms import SenseLabels, is_word, parse_gloss_labels, parse_labels, parse_parts_of_speech
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
"""What the label before a form makes of it; the first that fits."""

_FUNCTIONAL_LABELS: Final[tuple[tuple[str, Label], ...]] = (
    (" name", "proper"),
    ("combining form", "affix"),
    (" mark", "trademark"),
)
"""What is not a part of speech: "geographical name", "noun combining form"."""

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
    """One meaning: the labels it bears, its gloss, and the forms that it alone has."""

    labels: SenseLabels
    gloss: str = ""
    ins: tuple[_Inflection, ...] = ()


def files(path: Path) -> tuple[Path, ...]:
    """The file that is named, or all JSON files under a folder."""
    if not path.is_dir():
        return (require_file(path, "a Collegiate dictionary"),)
    found = tuple(sorted(file for file in path.rglob("*.json*") if file.is_file()))
    if not found:
        raise Missing(f'a Collegiate dictionary is missing: expected files "*.json" in "{path}"')
    return found


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the files, each followed by its variants and run-ons."""
    yield from merge_senses(sense for file in files for sense in _read_file(file, report))


def _read_file(file: Path, report: FaultHandler) -> Iterator[Sense]:
    for line, text in _json_documents(read_decompressed(file).removeprefix(codecs.BOM_UTF8)):
        yield from _read_value(text, file, f"line {line}", report)


def _json_documents(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The whole with its first line's number, or each line where the first is a document of its own."""
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if len(lines) > 1 and _is_document(lines[0][1]):
        yield from lines
    else:
        yield 1, data


def _is_document(text: bytes) -> bool:
    try:
        msgspec.json.decode(text, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _read_value(text: bytes | msgspec.Raw, file: Path, place: str, report: FaultHandler) -> Iterator[Sense]:
    """The senses of an entry, or of all entries of an array; none of a suggestion."""
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
    word = _strip_syllable_dots(entry.hwi.hw) or entry.meta.id.partition(":")[0]
    shared = _labels_of_part(entry).union(_labels_of_function(entry.fl))
    meanings = _defined_senses(entry)
    if entry.meta.offensive and not _has_offensive_label(entry, shared, meanings):
        shared = shared.union(SenseLabels(frozenset({"offensive"})))
    heads = [
        (word, SenseLabels()),
        *_variant_spellings(word, entry.vrs),
        *[(_strip_syllable_dots(head.hw), SenseLabels()) for head in entry.ahws],
    ]
    for head, said in heads:
        for pos in parse_parts_of_speech(entry.fl) or ("other",):
            for meaning in meanings:
                stated = tuple(_stated_forms(word, pos, [*entry.ins, *meaning.ins])) if head == word else ()
                yield from _word_senses(head, pos, shared.union(said).union(meaning.labels), meaning.gloss, stated)
    by_all = frozenset.intersection(*[meaning.labels.labels for meaning in meanings]) & _OFFENSIVE_LABELS
    for run_on in entry.uros:
        yield from _run_on_senses(run_on, shared.union(SenseLabels(by_all)))


def _word_senses(
    word: str, pos: Pos, labels: SenseLabels, gloss: str, forms: tuple[StatedForm, ...], run_on: bool = False
) -> Iterator[Sense]:
    if is_word(word):
        yield Sense(word, pos, labels.labels | case_labels(word), labels.partial, gloss, forms, run_on)


def _run_on_senses(run_on: _RunOn, shared: SenseLabels) -> Iterator[Sense]:
    own = _strip_syllable_dots(run_on.ure)
    shared = shared.union(_labels_of_part(run_on)).union(_labels_of_function(run_on.fl))
    for head, said in [(own, SenseLabels()), *_variant_spellings(own, run_on.vrs)]:
        for pos in parse_parts_of_speech(run_on.fl) or ("other",):
            stated = tuple(_stated_forms(own, pos, run_on.ins)) if head == own else ()
            yield from _word_senses(head, pos, shared.union(said), "", stated, run_on=True)


def _variant_spellings(word: str, variants: Iterable[_Variant]) -> Iterator[tuple[str, SenseLabels]]:
    for variant in variants:
        if whole := complete_form(word, _strip_syllable_dots(variant.va)):
            yield whole, _parse_label_texts([variant.vl])


def _stated_forms(word: str, pos: Pos, inflections: Iterable[_Inflection]) -> Iterator[StatedForm]:
    """The forms that are words; "or" goes on with what the form before it was."""
    named: Slot | None = None
    for inflection in inflections:
        label = inflection.il
        slot = next((slot for part, slot in _SLOTS if part in label), None)
        named = slot or (named if label.startswith(("or", "also")) else None)
        form = complete_form(word, _strip_syllable_dots(inflection.whole or inflection.ending))
        if form and form != word and is_word(form) and not parse_labels(label).labels & _OUTDATED:
            yield StatedForm(form, named or guess_slot(pos, form))


def _defined_senses(entry: _Entry) -> list[_DefinedSense]:
    """What an entry says of its word: whose form it is, and its senses; in short where there is no more."""
    found = [_DefinedSense(_cross_reference_labels(reference.cxl), reference.cxl) for reference in entry.cxs]
    found += [meaning for definition in entry.definitions for meaning in _senses_in_definition(definition)]
    found = found or [_DefinedSense(parse_gloss_labels(gloss), gloss) for gloss in entry.shortdef]
    return found or [_DefinedSense(SenseLabels())]


def _senses_in_definition(definition: _Definition) -> Iterator[_DefinedSense]:
    for group in definition.sseq:
        yield from _senses_in_sequence(group, _labels_of_part(definition))


def _senses_in_sequence(items: Iterable[tuple[str, msgspec.Raw]], inherited: SenseLabels) -> Iterator[_DefinedSense]:
    """The senses of a numbered group; what a truncated sense or a substitute bears holds for those behind it."""
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
    """A sense, and behind it the one that divides it: "also", "broadly"."""
    yield _DefinedSense(inherited.union(_labels_of_part(meaning)), _gloss_text(meaning.dt), tuple(meaning.ins))
    if meaning.sdsense:
        yield from _sense_and_subsenses(meaning.sdsense, inherited)


def _gloss_text(parts: Iterable[Any]) -> str:
    texts = [part[1] for part in parts if isinstance(part, list) and part[:1] == ["text"] and len(part) == 2]
    return " ".join(_MARK.sub(" ", _LINK.sub(r"\1", " ".join(map(str, texts)))).split())


def _labels_of_part(part: _Labelled) -> SenseLabels:
    return _parse_label_texts([*part.lbs, *part.sls])


def _parse_label_texts(texts: Iterable[str]) -> SenseLabels:
    """The labels of label texts. "Usually plural" says how a word is used, "plural in form" that it is one."""
    said = SenseLabels()
    for text in texts:
        labels, some = parse_labels(text)
        if "plural in form" not in text:
            labels -= {"plural"}
        if text.startswith("capitalized"):
            labels |= {"proper"}
        said = said.union(SenseLabels(labels, some))
    return said


def _labels_of_function(functional_label: str) -> SenseLabels:
    named: frozenset[Label] = frozenset(label for text, label in _FUNCTIONAL_LABELS if text in functional_label)
    return SenseLabels(named | parse_labels(functional_label).labels)


def _cross_reference_labels(label: str) -> SenseLabels:
    """What a cross reference makes of its entry: "past tense of" an inflected form, "variant of" nothing."""
    said = _parse_label_texts([label])
    return said._replace(labels=said.labels | {"inflection"}) if _INFLECTION_NAME.search(label) else said


def _has_offensive_label(entry: _Entry, shared: SenseLabels, meanings: list[_DefinedSense]) -> bool:
    """Whether the label that made the entry count as offensive stands at a sense, a run-on or a phrase of it."""
    said = [shared, *[meaning.labels for meaning in meanings]]
    said += [_labels_of_part(part) for part in (*entry.uros, *entry.dros)]
    said += [
        meaning.labels for dro in entry.dros for part in dro.definitions for meaning in _senses_in_definition(part)
    ]
    return any("offensive" in borne.labels | borne.partial for borne in said)


def _strip_syllable_dots(text: str) -> str:
    """A headword or form without the dots between its syllables."""
    return text.replace("*", "").strip()
