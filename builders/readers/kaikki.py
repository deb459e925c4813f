"""Wiktionary as wiktextract prints it and kaikki.org hands it out: one JSON object a line. (SOURCES 7)"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from builders.entry import Entry, Label, Slot, StatedForm
from builders.readers.letter_case import case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, find_single_file
from builders.readers.terms import SenseLabels, is_word, parse_labels, parse_pos
from ordws.errors import BadSource

_ENGLISH: Final = "en"
_POS_LABELS: Final[dict[str, frozenset[Label]]] = {
    "name": frozenset({"proper"}),
    "combining_form": frozenset({"affix"}),
    "interfix": frozenset({"affix"}),
    "circumfix": frozenset({"affix"}),
    "abbrev": frozenset({"abbreviation"}),
    "character": frozenset({"abbreviation"}),
    "punct": frozenset({"abbreviation"}),
}
_INFLECTION: Final[frozenset[Label]] = frozenset({"inflection"})
_UNCOUNTABLE: Final[frozenset[Label]] = frozenset({"uncountable"})
_PARTLY_UNCOUNTABLE_TAGS: Final = {"countable", "usually"}
"""Beside "uncountable" they say that it is not always so."""

_MISSPELT: Final = {"misspelling", "error-misspelling"}
_FORM_TAGS: Final[tuple[tuple[frozenset[str], Slot], ...]] = (
    (frozenset({"plural"}), "plural"),
    (frozenset({"third-person"}), "third"),
    (frozenset({"present", "participle"}), "gerund"),
    (frozenset({"gerund"}), "gerund"),
    (frozenset({"participle"}), "participle"),
    (frozenset({"past"}), "past"),
    (frozenset({"comparative"}), "comparative"),
    (frozenset({"superlative"}), "superlative"),
)
"""What tags make of a form; the first that fits."""

_IGNORED_FORM_TAGS: Final = _MISSPELT | {
    "table-tags",
    "inflection-template",
    "class",
    "romanization",
    "canonical",
    "alternative",
    "obsolete",
    "archaic",
    "nonstandard",
    "proscribed",
    "second-person",
    "error-unrecognized-form",
}


class _Sense(msgspec.Struct):
    glosses: list[str] = []
    tags: list[str] = []
    form_of: list[Any] = []


class _Form(msgspec.Struct):
    form: str = ""
    tags: list[str] = []


class _Line(msgspec.Struct):
    word: str = ""
    pos: str = ""
    lang_code: str = ""
    redirect: str = ""
    senses: list[_Sense] = []
    forms: list[_Form] = []


def files(path: Path) -> tuple[Path, ...]:
    """The file that is named, or the only one in a folder."""
    return (find_single_file(path, "*.json*", "a file of kaikki.org"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """English entries in the order of the file."""
    yield from merge_senses(_all_senses(files[0], report))


def _all_senses(file: Path, report: FaultHandler) -> Iterator[Sense]:
    decoder = msgspec.json.Decoder(_Line)
    for number, text in _lines(file):
        try:
            line = decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            report(BadSource(str(file), f"line {number}", f"expected a JSON object of one word, {error}"))
            continue
        if line.redirect:
            continue
        if not (line.word and line.pos and line.lang_code):
            expected = "expected a JSON object with word, pos and lang_code, found one without"
            report(BadSource(str(file), f"line {number}", expected))
        elif line.lang_code == _ENGLISH and is_word(line.word):
            yield from _senses(line)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line that is not blank. Wiktionary is too large to be held in memory at once."""
    number = 0
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if text := line.removeprefix(codecs.BOM_UTF8).strip():
                    yield number, text
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadSource(str(file), f"line {number + 1}", f"expected gzip data, {error}") from error


def _senses(line: _Line) -> Iterator[Sense]:
    pos = parse_pos(line.pos)
    kind = SenseLabels(case_labels(line.word) | _POS_LABELS.get(line.pos, frozenset()) | parse_labels(line.pos).labels)
    forms = tuple(_stated_forms(line))
    for sense in line.senses or [_Sense()]:
        if not _MISSPELT.intersection(sense.tags):
            labels, some = kind.union(_parse_tags(sense))
            yield Sense(line.word, pos, labels, some, sense.glosses[-1] if sense.glosses else "", forms)


def _parse_tags(sense: _Sense) -> SenseLabels:
    """The labels that a sense's tags mean.

    Tags of several words are left out, since they mean something else: "no-plural", "in-plural". So is "plural"
    itself, which says how a word is used; a word is a plural where it is "plural-only".
    """
    tags = {tag for tag in sense.tags if "-" not in tag and tag != "plural"}
    if "plural-only" in sense.tags:
        tags.add("plural")
    labels, some = parse_labels(" ".join(sorted(tags)))
    if tags & _PARTLY_UNCOUNTABLE_TAGS:
        labels, some = labels - _UNCOUNTABLE, some | (labels & _UNCOUNTABLE)
    return SenseLabels(labels | _INFLECTION, some) if sense.form_of else SenseLabels(labels, some)


def _stated_forms(line: _Line) -> Iterator[StatedForm]:
    for form in line.forms:
        tags = frozenset(form.tags)
        if form.form == line.word or tags & _IGNORED_FORM_TAGS or not is_word(form.form):
            continue
        if slot := next((slot for needed, slot in _FORM_TAGS if needed <= tags), None):
            yield StatedForm(form.form, slot)
