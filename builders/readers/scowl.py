"""SCOWL's word lists: one word a line, in files named region-category.size (docs/dictionaries.md 1, 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from builders.entry import Label
from builders.readers.senses import NO_LABELS, Sense
from builders.readers.source_files import FETCH_HINT, FaultHandler, check_unchanged, numbered_lines, require_file
from builders.readers.terms import case_labels, is_word
from ordws.errors import BadSource, Missing

_FILE_NAME: Final = re.compile(r"(?P<region>[a-z0-9_]+)-(?P<category>[a-z-]+)\.(?P<size>\d\d)")
_CATEGORY_LABELS: Final[dict[str, frozenset[Label]]] = {
    "upper": frozenset({"proper"}),
    "proper-names": frozenset({"proper"}),
    "abbreviations": frozenset({"abbreviation"}),
    "roman-numerals": frozenset({"abbreviation"}),
}


SIZES: Final = (10, 20, 35, 40, 50, 55, 60, 70, 80, 95)
"""The sizes at which SCOWL has a list of ordinary words for every region."""


class ScowlWord(NamedTuple):
    """A word in one of the lists. The larger the size, the rarer the words that a list adds."""

    word: str
    size: int
    category: str
    region: str


def files(path: Path) -> tuple[Path, ...]:
    """Return every list in a folder, or the list at a path with all smaller ones of its region and category.

    Raises Missing for a folder without a list, and for a list of words that is not there, which it names.
    """
    if match := None if path.is_dir() else _FILE_NAME.fullmatch(path.name):
        size, is_complete = int(match["size"]), match["category"] == "words"
        smaller = [path.with_suffix(f".{each}") for each in SIZES if each < size]
        lists = [*(file for file in smaller if is_complete or file.exists()), path]
        return tuple([require_file(file, "a list of SCOWL") for file in lists])
    found = tuple(sorted(file for file in path.glob("*-*.[0-9][0-9]") if _FILE_NAME.fullmatch(file.name)))
    if not found:
        raise Missing(f'the lists of SCOWL are missing: no file like "english-words.80" in "{path}"', hint=FETCH_HINT)
    return found


def read(files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
    """Yield one sense, under no part of speech, for each list that a word stands in."""
    for word, _, category, _ in _scowl_words(files, report):
        if is_word(word):
            yield Sense(word, "other", case_labels(word) | _CATEGORY_LABELS.get(category, NO_LABELS))


def read_scowl_words(path: Path) -> Iterator[ScowlWord]:
    """Yield every line of every list, as printed: a word in as many lists as hold it; raises BadSource."""

    def raise_fault(fault: BadSource) -> None:
        raise fault

    lists = files(path)
    with check_unchanged(lists):
        yield from _scowl_words(lists, raise_fault)


def _scowl_words(files: tuple[Path, ...], report: FaultHandler) -> Iterator[ScowlWord]:
    for file in files:
        name = _FILE_NAME.fullmatch(file.name)
        assert name, "files() gives no others"
        region, category, size = name["region"], name["category"], int(name["size"])
        for number, line in numbered_lines(file, report):
            if line.isspace() or " " in line or "\t" in line:
                report(BadSource(str(file), f"line {number}", f'expected one word, found "{line}"'))
            elif line:
                yield ScowlWord(line, size, category, region)
