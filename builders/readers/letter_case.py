"""What capital letters say of a headword."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from builders.entry import Label
from builders.readers.senses import NO_LABELS, Sense

_NAME: Final[frozenset[Label]] = frozenset({"proper"})
_INITIALS: Final[frozenset[Label]] = frozenset({"proper", "abbreviation"})


def case_labels(word: str) -> frozenset[Label]:
    """What capitals say in a source that uses them as running text does. (SOURCES 1a)"""
    if word.islower():
        return NO_LABELS
    return _INITIALS if word.isupper() and len(word) > 1 else _NAME


def add_case_labels(senses: Iterable[Sense]) -> Iterator[Sense]:
    """The senses, labelled by their capitals; but not where the source capitalises every headword."""
    read = list(senses)
    speaks = any(sense.word[:1].islower() for sense in read)
    for sense in read:
        yield sense._replace(labels=sense.labels | case_labels(sense.word)) if speaks else sense
