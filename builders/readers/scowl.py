"""SCOWL's word lists: one word a line, in files named region-category.size. (SOURCES 1, 2)"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Entry
from builders.readers.letter_case import labels_of_case
from builders.readers.source_files import FETCH, Report, numbered_lines, unchanging
from builders.readers.terms import Borne, is_word
from ordws.errors import BadSource, Missing

_NAME: Final = re.compile(r"(?P<region>[a-z0-9_]+)-(?P<category>[a-z-]+)\.(?P<size>\d\d)")
_NOTHING: Final = Borne()
_SAID: Final = {
    "upper": Borne(frozenset({"proper"})),
    "proper-names": Borne(frozenset({"proper"})),
    "abbreviations": Borne(frozenset({"abbreviation"})),
    "roman-numerals": Borne(frozenset({"abbreviation"})),
}


class Listed(NamedTuple):
    """A word in one of the lists. The larger the size, the rarer the words that it adds."""

    word: str
    size: int
    category: str
    region: str


def files(path: Path) -> tuple[Path, ...]:
    """Every list in a folder, in the order of their names."""
    found = tuple(sorted(file for file in path.glob("*-*.[0-9][0-9]") if _NAME.fullmatch(file.name)))
    if not found:
        raise Missing(f'the lists of SCOWL are missing: no file like "english-words.80" in "{path}"', hint=FETCH)
    return found


def read(files: tuple[Path, ...], report: Report) -> Iterator[Entry]:
    """One entry a word, under no part of speech. Each list that a word stands in is a sense of it."""
    borne: dict[str, Borne] = {}
    for word, _, category, _ in _listed(files, report):
        said = _SAID.get(category, _NOTHING)
        known = borne.setdefault(word, said)
        if known is not said:
            borne[word] = Borne(known.labels & said.labels, known.some | known.labels | said.labels)
    for word, (labels, some) in borne.items():
        if is_word(word):
            labels |= labels_of_case(word)
            yield Entry(word, "other", labels, some - labels)


def read_listed(path: Path) -> Iterator[Listed]:
    """Every line of every list, as printed: a word stands in as many lists as name it."""
    found = files(path)
    with unchanging(found):
        yield from _listed(found, _refuse)


def _refuse(fault: BadSource) -> None:
    raise fault


def _listed(files: tuple[Path, ...], report: Report) -> Iterator[Listed]:
    for file in files:
        named = _NAME.fullmatch(file.name)
        assert named, "files() gives no others"
        region, category, size = named["region"], named["category"], int(named["size"])
        for number, line in numbered_lines(file, report):
            if line.isspace() or " " in line or "\t" in line:
                report(BadSource(str(file), f"line {number}", f'expected one word, found "{line}"'))
            elif line:
                yield Listed(line, size, category, region)
