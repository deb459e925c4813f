"""Wiktionary as wiktextract writes it and kaikki.org offers it: one JSON object a line (docs/dictionaries.md 7)."""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from builders.entry import Label, Slot, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, find_single_file
from builders.readers.terms import case_labels, is_word, parse_labels, parse_pos
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
"""Tags that, beside "uncountable", say that only some uses of the word are."""

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
"""Inflections by the tags of a form; the first whose tags are all there counts."""

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
    """Return the file at the path, or the only one in a folder; raises Missing."""
    return (find_single_file(path, "*.json*", "a file of kaikki.org"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses of the English headwords, in the order of the file."""
    (file,) = files
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
            continue
        if line.lang_code != _ENGLISH or not is_word(line.word):
            continue
        forms = []
        for form in line.forms:
            tags = frozenset(form.tags)
            slot = next((slot for needed, slot in _FORM_TAGS if needed <= tags), None)
            if slot and form.form != line.word and not tags & _IGNORED_FORM_TAGS and is_word(form.form):
                forms.append(StatedForm(form.form, slot))
        pos = parse_pos(line.pos)
        labels = case_labels(line.word) | _POS_LABELS.get(line.pos, frozenset()) | parse_labels(line.pos).labels
        for sense in line.senses or [_Sense()]:
            if _MISSPELT.intersection(sense.tags):
                continue
            # Tags of several words are left out, since they mean something else: "no-plural", "in-plural". So is
            # "plural" itself, which says how a word is used; a word is a plural if its tag is "plural-only".
            own_tags = {tag for tag in sense.tags if "-" not in tag and tag != "plural"}
            if "plural-only" in sense.tags:
                own_tags.add("plural")
            own, partial = parse_labels(" ".join(sorted(own_tags)))
            if own_tags & _PARTLY_UNCOUNTABLE_TAGS:
                own, partial = own - _UNCOUNTABLE, partial | (own & _UNCOUNTABLE)
            if sense.form_of:
                own |= _INFLECTION
            gloss = sense.glosses[-1] if sense.glosses else ""
            yield Sense(line.word, pos, labels | own, partial, gloss, tuple(forms))


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number and bytes of each line that is not blank; Wiktionary is too large to be read into memory whole."""
    number = 0
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                if text := line.removeprefix(codecs.BOM_UTF8).strip():
                    yield number, text
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadSource(str(file), f"line {number + 1}", f"expected gzip data, {error}") from error
