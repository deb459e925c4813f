"""A WikDict dictionary of English over dictd: Wiktionary's senses without translations (docs/dictionaries.md 1d).

    cache //keɪʃ// //kæʃ// <n>
    1. välimuisti
    computing: fast temporary storage for data
    2. kätkö, geokätkö 3.
    geocaching: hidden container
     4.
    store that is out of sight

Behind the head, translations and English glosses alternate. A line of translations is the first one, or it begins with
the number of a sense; where several senses share them, the next number stands at its end or alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from builders.entry import Label
from builders.readers.dictd import files as files
from builders.readers.dictd import read_definitions
from builders.readers.senses import NO_LABELS, Sense, is_hint
from builders.readers.source_files import FaultHandler
from builders.readers.terms import case_labels, is_phrase, is_word, parse_gloss_labels, parse_labels, parse_pos
from ordws.errors import BadSource

_HEAD: Final = re.compile(r"(?P<word>\S.*?)(?: /.*/| <(?P<kind>[A-Za-z ]+)>| /.*/ <(?P<pos>[A-Za-z ]+)>)")
_NUMBERED: Final = re.compile(r" ?\d+\.(?: |$)")
_NAME: Final[frozenset[Label]] = frozenset({"proper"})


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield the senses in the order of the texts. Headwords have their real case and accents."""
    for definition in read_definitions(files, "utf-8", report):
        head, *lines = definition.text.rstrip("\n").split("\n")
        match = _HEAD.fullmatch(head)
        if not match:
            expected = "expected a headword, its sounds between slashes and <part of speech>"
            report(BadSource(str(files[1]), f"offset {definition.offset}", expected))
        elif is_phrase(word := match["word"]):
            yield Sense(word, "other")
        elif is_word(word):
            kind = match["pos"] or match["kind"] or ""
            labels = case_labels(word) | parse_labels(kind).labels | (_NAME if kind == "pn" else NO_LABELS)
            # An entry without a gloss is an entry all the same.
            for gloss in [line.strip() for line in lines[1:] if not _NUMBERED.match(line)] or [""]:
                own = parse_gloss_labels(gloss)
                shown = "" if is_hint(gloss) else gloss
                yield Sense(word, parse_pos(kind), labels | own.labels, own.partial, shown)
