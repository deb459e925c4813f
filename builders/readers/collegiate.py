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

from builders.entry import Entry, Label, Pos, Slot, Stated
from builders.readers.forms import completed, slot_by_shape
from builders.readers.letter_case import labels_of_case
from builders.readers.senses import Sense, entries_of
from builders.readers.source_files import Report, contents, existing
from builders.readers.terms import Borne, is_word, labels_in, labels_of_gloss, parts_of_speech
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

_KINDS: Final[tuple[tuple[str, Label], ...]] = (
    (" name", "proper"),
    ("combining form", "affix"),
    (" mark", "trademark"),
)
"""What is not a part of speech: "geographical name", "noun combining form"."""

_OF_A_FORM: Final = re.compile(r"\b(?:past|present|plural|participle|tense|comparative|superlative)\b")
_OUTDATED: Final[frozenset[Label]] = frozenset({"obsolete", "archaic"})
_UNWANTED: Final[frozenset[Label]] = frozenset({"offensive", "vulgar"})
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


class _Defined(NamedTuple):
    """One meaning: the labels it bears, its gloss, and the forms that it alone has."""

    said: Borne
    gloss: str = ""
    ins: tuple[_Inflection, ...] = ()


def files(path: Path) -> tuple[Path, ...]:
    """The file that is named, or all JSON files under a folder."""
    if not path.is_dir():
        return (existing(path, "a Collegiate dictionary"),)
    found = tuple(sorted(file for file in path.rglob("*.json*") if file.is_file()))
    if not found:
        raise Missing(f'a Collegiate dictionary is missing: expected files "*.json" in "{path}"')
    return found


def read(files: tuple[Path, ...], report: Report) -> Iterator[Entry]:
    """Entries in the order of the files, each followed by its variants and run-ons."""
    yield from entries_of(sense for file in files for sense in _read_file(file, report))


def _read_file(file: Path, report: Report) -> Iterator[Sense]:
    for line, text in _documents(contents(file).removeprefix(codecs.BOM_UTF8)):
        yield from _read_value(text, file, f"line {line}", report)


def _documents(data: bytes) -> Iterator[tuple[int, bytes]]:
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


def _read_value(text: bytes | msgspec.Raw, file: Path, place: str, report: Report) -> Iterator[Sense]:
    """The senses of an entry, or of all entries of an array; none of a suggestion."""
    first = bytes(text).lstrip()[:1]
    try:
        if first == b"[":
            for number, value in enumerate(msgspec.json.decode(text, type=list[msgspec.Raw]), 1):
                yield from _read_value(value, file, f"{place}, item {number}", report)
        elif first != b'"':
            yield from _senses(msgspec.json.decode(text, type=_Entry))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        report(BadSource(str(file), place, f"expected an array of entries or an entry, {error}"))


def _senses(entry: _Entry) -> Iterator[Sense]:
    word = _unmarked(entry.hwi.hw) or entry.meta.id.partition(":")[0]
    shared = _labels(entry).with_(_kind(entry.fl))
    meanings = _meanings(entry)
    if entry.meta.offensive and not _says_what_offends(entry, shared, meanings):
        shared = shared.with_(Borne(frozenset({"offensive"})))
    heads = [(word, Borne()), *_variants(word, entry.vrs), *[(_unmarked(head.hw), Borne()) for head in entry.ahws]]
    for head, said in heads:
        for pos in parts_of_speech(entry.fl) or ("other",):
            for meaning in meanings:
                stated = tuple(_stated(word, pos, [*entry.ins, *meaning.ins])) if head == word else ()
                yield from _sense(head, pos, shared.with_(said).with_(meaning.said), meaning.gloss, stated)
    by_all = frozenset.intersection(*[meaning.said.labels for meaning in meanings]) & _UNWANTED
    for run_on in entry.uros:
        yield from _run_on(run_on, shared.with_(Borne(by_all)))


def _sense(
    word: str, pos: Pos, said: Borne, gloss: str, forms: tuple[Stated, ...], run_on: bool = False
) -> Iterator[Sense]:
    if is_word(word):
        yield Sense(word, pos, said.labels | labels_of_case(word), said.some, gloss, forms, run_on)


def _run_on(run_on: _RunOn, shared: Borne) -> Iterator[Sense]:
    own = _unmarked(run_on.ure)
    shared = shared.with_(_labels(run_on)).with_(_kind(run_on.fl))
    for head, said in [(own, Borne()), *_variants(own, run_on.vrs)]:
        for pos in parts_of_speech(run_on.fl) or ("other",):
            stated = tuple(_stated(own, pos, run_on.ins)) if head == own else ()
            yield from _sense(head, pos, shared.with_(said), "", stated, run_on=True)


def _variants(word: str, variants: Iterable[_Variant]) -> Iterator[tuple[str, Borne]]:
    for variant in variants:
        if whole := completed(word, _unmarked(variant.va)):
            yield whole, _borne([variant.vl])


def _stated(word: str, pos: Pos, inflections: Iterable[_Inflection]) -> Iterator[Stated]:
    """The forms that are words; "or" goes on with what the form before it was."""
    named: Slot | None = None
    for inflection in inflections:
        label = inflection.il
        slot = next((slot for part, slot in _SLOTS if part in label), None)
        named = slot or (named if label.startswith(("or", "also")) else None)
        form = completed(word, _unmarked(inflection.whole or inflection.ending))
        if form and form != word and is_word(form) and not labels_in(label).labels & _OUTDATED:
            yield Stated(form, named or slot_by_shape(pos, form))


def _meanings(entry: _Entry) -> list[_Defined]:
    """What an entry says of its word: whose form it is, and its senses; in short where there is no more."""
    found = [_Defined(_pointer(reference.cxl), reference.cxl) for reference in entry.cxs]
    found += [meaning for definition in entry.definitions for meaning in _defined(definition)]
    found = found or [_Defined(labels_of_gloss(gloss), gloss) for gloss in entry.shortdef]
    return found or [_Defined(Borne())]


def _defined(definition: _Definition) -> Iterator[_Defined]:
    for group in definition.sseq:
        yield from _sequence(group, _labels(definition))


def _sequence(items: Iterable[tuple[str, msgspec.Raw]], above: Borne) -> Iterator[_Defined]:
    """The senses of a numbered group; what a truncated sense or a substitute bears holds for those behind it."""
    for kind, content in items:
        match kind:
            case "sense":
                yield from _parts(msgspec.json.decode(content, type=_Meaning), above)
            case "sen":
                above = above.with_(_labels(msgspec.json.decode(content, type=_Meaning)))
            case "bs":
                substitute = msgspec.json.decode(content, type=_Substitute).sense
                yield from _parts(substitute, above)
                above = above.with_(_labels(substitute))
            case "pseq":
                yield from _sequence(msgspec.json.decode(content, type=list[tuple[str, msgspec.Raw]]), above)


def _parts(meaning: _Meaning, above: Borne) -> Iterator[_Defined]:
    """A sense, and behind it the one that divides it: "also", "broadly"."""
    yield _Defined(above.with_(_labels(meaning)), _text(meaning.dt), tuple(meaning.ins))
    if meaning.sdsense:
        yield from _parts(meaning.sdsense, above)


def _text(parts: Iterable[Any]) -> str:
    texts = [part[1] for part in parts if isinstance(part, list) and part[:1] == ["text"] and len(part) == 2]
    return " ".join(_MARK.sub(" ", _LINK.sub(r"\1", " ".join(map(str, texts)))).split())


def _labels(part: _Labelled) -> Borne:
    return _borne([*part.lbs, *part.sls])


def _borne(texts: Iterable[str]) -> Borne:
    """The labels of label texts. "Usually plural" says how a word is used, "plural in form" that it is one."""
    said = Borne()
    for text in texts:
        labels, some = labels_in(text)
        if "plural in form" not in text:
            labels -= {"plural"}
        if text.startswith("capitalized"):
            labels |= {"proper"}
        said = said.with_(Borne(labels, some))
    return said


def _kind(functional_label: str) -> Borne:
    named: frozenset[Label] = frozenset(label for text, label in _KINDS if text in functional_label)
    return Borne(named | labels_in(functional_label).labels)


def _pointer(label: str) -> Borne:
    """What a cross reference makes of its entry: "past tense of" an inflected form, "variant of" nothing."""
    said = _borne([label])
    return said._replace(labels=said.labels | {"inflection"}) if _OF_A_FORM.search(label) else said


def _says_what_offends(entry: _Entry, shared: Borne, meanings: list[_Defined]) -> bool:
    """Whether the label that made the entry count as offensive stands at a sense, a run-on or a phrase of it."""
    said = [shared, *[meaning.said for meaning in meanings]]
    said += [_labels(part) for part in (*entry.uros, *entry.dros)]
    said += [meaning.said for dro in entry.dros for part in dro.definitions for meaning in _defined(part)]
    return any("offensive" in borne.labels | borne.some for borne in said)


def _unmarked(text: str) -> str:
    """A headword or form without the dots between its syllables."""
    return text.replace("*", "").strip()
