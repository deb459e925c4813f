"""Labels that the capital letters of a headword imply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Final, TypeAlias

from builders.entry import Label
from builders.readers.senses import NO_LABELS, Sense
from builders.readers.source_files import FaultHandler

SenseReader: TypeAlias = Callable[[tuple[Path, ...], FaultHandler], Iterator[Sense]]
_NAME: Final[frozenset[Label]] = frozenset({"proper"})
_INITIALS: Final[frozenset[Label]] = frozenset({"proper", "abbreviation"})


def case_labels(word: str) -> frozenset[Label]:
    """Return the labels of a headword whose capitals are those of running text (docs/dictionaries.md 1a)."""
    if word.islower():
        return NO_LABELS
    return _INITIALS if word.isupper() and len(word) > 1 else _NAME


def label_by_case(read: SenseReader) -> SenseReader:
    """Decorate a reader whose source may capitalise every headword.

    Its senses get the labels of their capitals, unless no headword of the whole source begins with a small letter: then
    capitals say nothing about names.
    """

    @wraps(read)
    def read_labelled(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
        senses = list(read(files, report))
        is_informative = any(sense.word[:1].islower() for sense in senses)
        for sense in senses:
            yield sense._replace(labels=sense.labels | case_labels(sense.word)) if is_informative else sense

    return read_labelled
