"""A plain list: a word a line, and behind it a definition where there is one (docs/dictionaries.md 7).

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

from builders.entry import Label, StatedForm
from builders.readers.senses import Sense
from builders.readers.source_files import FaultHandler, encoding_fault, read_decompressed, require_file
from builders.readers.terms import complete_form, guess_slot, is_word, label_by_case, parse_gloss_labels, parse_pos
from ordws.errors import BadSource

_BRACKETED_NOTE: Final = re.compile(r"\s*\[([^\[\]]*)\]")  # "[n -S / v -ED, -ING, -S]"
_FORM: Final = re.compile(r"-?[A-Za-z]{2,}|-[A-Za-z]")
_POINTER: Final = re.compile(r"<[a-z]+=[a-z]+>")  # "<aah=v>": a form of "aah"
_INFLECTION_LABELS: Final[frozenset[Label]] = frozenset({"inflection"})
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


def files(path: Path) -> tuple[Path, ...]:
    """Return the list itself; raises Missing."""
    return (require_file(path, "a word list"),)


@label_by_case
def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield a sense for each part of speech of a line, one at least, in the order of the lines."""
    (file,) = files
    data = read_decompressed(file)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif data.startswith(codecs.BOM_UTF8):
        encoding = "utf-8-sig"
    else:
        encoding = "utf-8"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise encoding_fault(file, f"offset {error.start}", error) from error
        # A list without a byte order mark that is not in UTF-8 is an old one, in Latin-1.
        text = data.decode("latin-1")
    for number, line in enumerate(text.split("\n"), 1):
        word, _, definition = line.strip().replace("\t", " ", 1).partition(" ")
        if not word or word.startswith("#"):
            continue
        if control := _CONTROL.search(line):
            expected = f"expected text in UTF-8 or Latin-1, found the character {ord(control[0]):#04x}"
            report(BadSource(str(file), f"line {number}", expected))
            continue
        if not any(map(str.isalpha, word)):
            report(BadSource(str(file), f"line {number}", "expected a word first"))
        if not is_word(word):
            continue
        notes = [note for match in _BRACKETED_NOTE.finditer(definition) for note in match[1].split("/")]
        gloss = _BRACKETED_NOTE.sub("", definition).strip()
        labels, partial = parse_gloss_labels(gloss)
        if _POINTER.fullmatch(gloss):
            labels |= _INFLECTION_LABELS
        for note in notes or [""]:
            kind, _, listed = note.strip().partition(" ")
            pos = parse_pos(kind)
            forms = [complete_form(word, printed) for printed in _FORM.findall(listed) if printed != "or"]
            stated = tuple(StatedForm(form, guess_slot(pos, form.lower())) for form in forms if form)
            yield Sense(word, pos, labels, partial, gloss, stated)
