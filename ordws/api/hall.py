"""The public register of decided cases, as its file in `public/` has it; `ordws cases` writes that file."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

REGISTER_VERSION: Final = 1


class HallEntry(Struct, frozen=True):
    """An entry: a name under which somebody played, the class of offence, and dates as 2026-11-23."""

    pseudonym: str
    offence: Literal["cheating", "quitting"]
    first_game: str
    last_game: str
    decided: str
    published: str
    looked_at: str
    note: str = ""


class HallYear(Struct, frozen=True):
    """The number of steps of each kind that were taken in a year."""

    year: int
    opened: int
    dismissed: int
    dropped: int
    notices: int
    answers: int
    established: int
    not_established: int
    appeals: int
    overturned: int
    published: int
    struck: int


class Hall(Struct, frozen=True):
    """The register on the day `made`, and the last link of the chain of steps on that day."""

    made: str
    entries: tuple[HallEntry, ...]
    years: tuple[HallYear, ...]
    head: str
    version: int


class HallFile:
    """The file of the register, read anew when it has changed."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._read: tuple[tuple[int, int, int], Hall | None] | None = None

    def read(self) -> Hall | None:
        """Return the register; None where there is no file, or none that this version can read."""
        if self._path is None:
            return None
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, None)
                hall = msgspec.json.decode(self._path.read_bytes(), type=Hall)
                self._read = (stamp, hall if hall.version == REGISTER_VERSION else None)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return self._read[1]
