"""A plain list: a word a line, and behind it a definition where there is one.

# as the tools of word judges print it
AAH to exclaim in joy [v AAHED, AAHING, AAHS]
ABAFT
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.entry import Entry, Label, StatedForm
from builders.readers.forms import complete_form, guess_slot
from builders.readers.letter_case import add_case_labels
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, encoding_fault, read_decompressed, require_file
from builders.readers.terms import is_word, parse_gloss_labels, parse_pos
from ordws.errors import BadSource

_BRACKETED_NOTE: Final = re.compile(r"\s*\[([^\[\]]*)\]")  # "[n -S / v -ED, -ING, -S]"
_FORM: Final = re.compile(r"-?[A-Za-z]{2,}|-[A-Za-z]")
_POINTER: Final = re.compile(r"<[a-z]+=[a-z]+>")  # "<aah=v>": a form of "aah"
_INFLECTION_LABELS: Final[frozenset[Label]] = frozenset({"inflection"})
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def files(path: Path) -> tuple[Path, ...]:
    """The list itself."""
    return (require_file(path, "a word list"),)


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the lines."""
    yield from merge_senses(add_case_labels(_senses(files[0], report)))


def _senses(file: Path, report: FaultHandler) -> Iterator[Sense]:
    for number, line in enumerate(_decode_file(file).split("\n"), 1):
        word, _, definition = line.strip().replace("\t", " ", 1).partition(" ")
        if not word or word.startswith("#"):
            continue
        if strange := _CONTROL.search(line):
            expected = f"expected text in UTF-8 or Latin-1, found the character {ord(strange[0]):#04x}"
            report(BadSource(str(file), f"line {number}", expected))
        elif not any(map(str.isalpha, word)):
            report(BadSource(str(file), f"line {number}", "expected a word first"))
        elif is_word(word):
            yield from _senses_of(word, definition.strip())


def _decode_file(file: Path) -> str:
    """The text of a file in UTF-8 or, where it is not in that, in Latin-1; a byte order mark says it for certain."""
    data = read_decompressed(file)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    else:
        encoding = "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8":
            return data.decode("latin-1")
        raise encoding_fault(file, f"offset {error.start}", error) from error


def _senses_of(word: str, definition: str) -> Iterator[Sense]:
    """A sense for each part of speech that the notes in square brackets name, and one where they name none."""
    notes = [note for found in _BRACKETED_NOTE.finditer(definition) for note in found[1].split("/")]
    gloss = _BRACKETED_NOTE.sub("", definition).strip()
    said = parse_gloss_labels(gloss)
    labels = said.labels | _INFLECTION_LABELS if _POINTER.fullmatch(gloss) else said.labels
    for note in notes or [""]:
        kind, _, listed = note.strip().partition(" ")
        pos = parse_pos(kind)
        forms = [
            form for printed in _FORM.findall(listed) if printed != "or" and (form := complete_form(word, printed))
        ]
        stated = tuple(StatedForm(form, guess_slot(pos, form.lower())) for form in forms)
        yield Sense(word, pos, labels, said.partial, gloss, stated)
