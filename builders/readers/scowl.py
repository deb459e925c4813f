"""SCOWL's word lists: one word a line, in files named region-category.size. (SOURCES 1, 2)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Entry
from builders.readers.letter_case import case_labels
from builders.readers.source_files import FETCH_HINT, FaultHandler, check_unchanged, numbered_lines
from builders.readers.terms import SenseLabels, is_word
from ordws.errors import BadSource, Missing

_FILE_NAME: Final = re.compile(r"(?P<region>[a-z0-9_]+)-(?P<category>[a-z-]+)\.(?P<size>\d\d)")
_UNLABELLED: Final = SenseLabels()
_CATEGORY_LABELS: Final = {
    "upper": SenseLabels(frozenset({"proper"})),
    "proper-names": SenseLabels(frozenset({"proper"})),
    "abbreviations": SenseLabels(frozenset({"abbreviation"})),
    "roman-numerals": SenseLabels(frozenset({"abbreviation"})),
}


class ScowlWord(NamedTuple):
    """A word in one of the lists. The larger the size, the rarer the words that it adds."""

    word: str
    size: int
    category: str
    region: str


def files(path: Path) -> tuple[Path, ...]:
    """Every list in a folder, in the order of their names."""
    found = tuple(sorted(file for file in path.glob("*-*.[0-9][0-9]") if _FILE_NAME.fullmatch(file.name)))
    if not found:
        raise Missing(f'the lists of SCOWL are missing: no file like "english-words.80" in "{path}"', hint=FETCH_HINT)
    return found


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
    """One entry a word, under no part of speech. Each list that a word stands in is a sense of it."""
    borne: dict[str, SenseLabels] = {}
    for word, _, category, _ in _scowl_words(files, report):
        said = _CATEGORY_LABELS.get(category, _UNLABELLED)
        known = borne.setdefault(word, said)
        if known is not said:
            borne[word] = SenseLabels(known.labels & said.labels, known.partial | known.labels | said.labels)
    for word, (labels, some) in borne.items():
        if is_word(word):
            labels |= case_labels(word)
            yield Entry(word, "other", labels, some - labels)


def read_scowl_words(path: Path) -> Iterator[ScowlWord]:
    """Every line of every list, as printed: a word stands in as many lists as name it."""
    found = files(path)
    with check_unchanged(found):
        yield from _scowl_words(found, _raise_fault)


def _raise_fault(fault: BadSource) -> None:
    raise fault


def _scowl_words(files: tuple[Path, ...], report: FaultHandler) -> Iterator[ScowlWord]:
    for file in files:
        named = _FILE_NAME.fullmatch(file.name)
        assert named, "files() gives no others"
        region, category, size = named["region"], named["category"], int(named["size"])
        for number, line in numbered_lines(file, report):
            if line.isspace() or " " in line or "\t" in line:
                report(BadSource(str(file), f"line {number}", f'expected one word, found "{line}"'))
            elif line:
                yield ScowlWord(line, size, category, region)
