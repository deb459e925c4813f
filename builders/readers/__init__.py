"""One reader per format: a dictionary as delivered in, entries out."""

from __future__ import annotations

from collections.abc import Iterator
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
from builders.readers.source_files import FaultHandler, check_unchanged, digest
from ordws.errors import BadRecipe, BadSource

__all__ = ["READERS", "Reader", "digest", "files_of", "read_entries", "reader_of"]


class Reader(Protocol):
    """What the module of a format gives."""

    def files(self, path: Path) -> tuple[Path, ...]:
        """The files that are read where a path is given; raises Missing for one that is not there."""

    def read(self, files: tuple[Path, ...], report: FaultHandler) -> Iterator[Entry]:
        """The entries. Malformed places are reported; BadSource is raised where nothing behind one can be read."""


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
    """The reader of a format; raises BadRecipe, which names those that exist."""
    if format not in READERS:
        raise BadRecipe(f'no format "{format}": expected one of {", ".join(READERS)}')
    return READERS[format]


def files_of(format: str, path: Path) -> tuple[Path, ...]:
    """The files that the reader of a format reads at a path, a folder or a file; raises Missing."""
    return reader_of(format).files(path)


def read_entries(format: str, path: Path, *, faults: list[BadSource] | None = None) -> Iterator[Entry]:
    """The entries of a source.

    The first malformed place raises BadSource, unless there is a list to collect them in: then reading goes on
    behind it. SourceChanged is raised at the end where a file is not what it was at the beginning.
    """
    files = files_of(format, path)
    return _read_checked(reader_of(format), files, faults)


def _read_checked(reader: Reader, files: tuple[Path, ...], faults: list[BadSource] | None) -> Iterator[Entry]:
    def report(fault: BadSource) -> None:
        if faults is None:
            raise fault
        faults.append(fault)

    found, before = 0, len(faults or ())
    with check_unchanged(files):
        try:
            for entry in reader.read(files, report):
                found += 1
                yield entry
        except BadSource as fault:
            if faults is None:
                raise
            faults.append(fault)
    if not found and len(faults or ()) == before:
        report(BadSource(str(files[-1]), "offset 0", "expected headwords, found none"))
