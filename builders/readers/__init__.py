"""One reader per format: dictionary files as delivered in, entries out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from builders.entry import Entry
from builders.readers import (
    collegiate,
    csv_tsv,
    dictd,
    gcide,
    kaikki,
    lmf,
    plain,
    scowl,
    stardict,
    wikdict,
    wndb,
)
from builders.readers.senses import Sense, merge_senses
from builders.readers.source_files import FaultHandler, check_unchanged, digest
from ordws.errors import BadRecipe, BadSource

__all__ = ["READERS", "Reader", "digest", "files_of", "read_entries", "reader_of"]


class Reader(Protocol):
    """The functions that the module of a format has."""

    def files(self, path: Path) -> tuple[Path, ...]:
        """Return the files that are read for a recipe's path; raises Missing for a file that does not exist."""

    def read(self, files: tuple[Path, ...], report: FaultHandler) -> Iterator[Sense]:
        """Yield the senses of all headwords.

        Malformed places are reported; BadSource is raised where nothing behind such a place can be read.
        """


READERS: Final[dict[str, Reader]] = {
    "collegiate": collegiate,
    "dictd": dictd,
    "gcide": gcide,
    "kaikki": kaikki,
    "lmf": lmf,
    "plain": plain,
    "scowl": scowl,
    "stardict": stardict,
    "table": csv_tsv,
    "wikdict": wikdict,
    "wndb": wndb,
}


def reader_of(format: str) -> Reader:
    """Return the reader of a format; raises BadRecipe, which names the formats that exist."""
    if format not in READERS:
        raise BadRecipe(f'no format "{format}": expected one of {", ".join(READERS)}')
    return READERS[format]


def files_of(format: str, *paths: Path) -> tuple[Path, ...]:
    """Return the files that the reader of a format reads at paths, each a folder or a file; raises Missing."""
    return tuple(file for path in paths for file in reader_of(format).files(path))


def read_entries(format: str, *paths: Path, faults: list[BadSource] | None = None) -> Iterator[Entry]:
    """Return the entries of a source; raises BadRecipe or Missing at once, BadSource while the source is read.

    Several paths are parts of one source: senses of a word in any of them are one entry.
    The first malformed place raises BadSource, unless there is a list to collect them in: then reading continues behind
    it. SourceChanged is raised at the end where a file is not what it was at the beginning.
    """
    # Not a generator itself, so that a missing file is an error of this call and not of the first entry.
    reader = reader_of(format)
    return _read_checked(reader, [reader.files(path) for path in paths], faults)


def _read_checked(reader: Reader, parts: Sequence[tuple[Path, ...]], faults: list[BadSource] | None) -> Iterator[Entry]:
    def report(fault: BadSource) -> None:
        if faults is None:
            raise fault
        faults.append(fault)

    found, before = 0, len(faults or ())
    files = [file for part in parts for file in part]
    with check_unchanged(files):
        try:
            for entry in merge_senses(chain.from_iterable(reader.read(part, report) for part in parts)):
                found += 1
                yield entry
        except BadSource as fault:
            if faults is None:
                raise
            faults.append(fault)
    # A source of which nothing was read would weaken the quorum unnoticed.
    if not found and len(faults or ()) == before:
        report(BadSource(str(files[-1]), "offset 0", "expected headwords, found none"))
