"""A WikDict dictionary of English over dictd: Wiktionary's senses, with translations that are passed over. (SOURCES 1d)

    cache //keɪʃ// //kæʃ// <n>
    1. välimuisti
    computing: fast temporary storage for data
    2. kätkö, geokätkö 3.
    geocaching: hidden container
     4.
    store that is out of sight

Behind the head come translations and English glosses by turns. A line of translations is the first one, or it
begins with the number of a sense; where several senses share them, the next number stands at its end or alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.entry import Entry, Label
from builders.readers.dictd import files, read_definitions
from builders.readers.letter_case import case_labels
from builders.readers.senses import NO_LABELS, Sense, merge_senses
from builders.readers.source_files import FaultHandler
from builders.readers.terms import is_word, parse_gloss_labels, parse_labels, parse_pos
from ordws.errors import BadSource

__all__ = ["files", "read"]

_HEAD: Final = re.compile(r"(?P<word>\S.*?)(?: /.*/| <(?P<kind>[A-Za-z ]+)>| /.*/ <(?P<pos>[A-Za-z ]+)>)")
_NUMBERED: Final = re.compile(r" ?\d+\.(?: |$)")
_NAME: Final[frozenset[Label]] = frozenset({"proper"})


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """Entries in the order of the texts. Headwords have their real case and accents."""
    yield from merge_senses(_senses(files, report))


def _senses(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    for definition in read_definitions(files, "utf-8", report):
        head, *lines = definition.text.rstrip("\n").split("\n")
        found = _HEAD.fullmatch(head)
        if not found:
            expected = "expected a headword, its sounds between slashes and <part of speech>"
            report(BadSource(str(files[1]), f"offset {definition.offset}", expected))
        elif is_word(found["word"]):
            yield from _senses_of(found["word"], found["pos"] or found["kind"] or "", lines)


def _senses_of(word: str, kind: str, lines: list[str]) -> Iterator[Sense]:
    labels = case_labels(word) | parse_labels(kind).labels | (_NAME if kind == "pn" else NO_LABELS)
    for gloss in english_glosses(lines) or [""]:
        said = parse_gloss_labels(gloss)
        yield Sense(word, parse_pos(kind), labels | said.labels, said.partial, gloss)


def english_glosses(lines: list[str]) -> list[str]:
    """The English lines: those behind the first that do not begin with the number of a sense."""
    return [line.strip() for line in lines[1:] if not _NUMBERED.match(line)]
