"""Wiktionary as wiktextract prints it and kaikki.org hands it out: one JSON object a line. (SOURCES 7)"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from builders.entry import Entry, Label, Slot, Stated
from builders.readers.letter_case import labels_of_case
from builders.readers.senses import Sense, entries_of
from builders.readers.source_files import Report, only_file
from builders.readers.terms import Borne, is_word, labels_in, pos_of
from ordws.errors import BadSource

_ENGLISH: Final = "en"
_KINDS: Final[dict[str, frozenset[Label]]] = {
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
_AT_TIMES: Final = {"countable", "usually"}
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

_NO_FORM: Final = _MISSPELT | {
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
    return (only_file(path, "*.json*", "a file of kaikki.org"),)


def read(files: tuple[Path, ...], report: Report) -> Iterator[Entry]:
    """English entries in the order of the file."""
    yield from entries_of(_all_senses(files[0], report))


def _all_senses(file: Path, report: Report) -> Iterator[Sense]:
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
    pos = pos_of(line.pos)
    kind = Borne(labels_of_case(line.word) | _KINDS.get(line.pos, frozenset()) | labels_in(line.pos).labels)
    forms = tuple(_stated(line))
    for sense in line.senses or [_Sense()]:
        if not _MISSPELT.intersection(sense.tags):
            labels, some = kind.with_(_borne(sense))
            yield Sense(line.word, pos, labels, some, sense.glosses[-1] if sense.glosses else "", forms)


def _borne(sense: _Sense) -> Borne:
    """The labels that a sense's tags mean.

    Tags of several words are left out, since they mean something else: "no-plural", "in-plural". So is "plural"
    itself, which says how a word is used; a word is a plural where it is "plural-only".
    """
    tags = {tag for tag in sense.tags if "-" not in tag and tag != "plural"}
    if "plural-only" in sense.tags:
        tags.add("plural")
    labels, some = labels_in(" ".join(sorted(tags)))
    if tags & _AT_TIMES:
        labels, some = labels - _UNCOUNTABLE, some | (labels & _UNCOUNTABLE)
    return Borne(labels | _INFLECTION, some) if sense.form_of else Borne(labels, some)


def _stated(line: _Line) -> Iterator[Stated]:
    for form in line.forms:
        tags = frozenset(form.tags)
        if form.form == line.word or tags & _NO_FORM or not is_word(form.form):
            continue
        if slot := next((slot for needed, slot in _FORM_TAGS if needed <= tags), None):
            yield Stated(form.form, slot)
