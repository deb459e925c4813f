"""The public register of decided cases, as its file has it: `ordws cases` writes it, and the service shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

Offence: TypeAlias = Literal["cheating", "quitting"]
REGISTER_VERSION: Final = 1


class RegisterEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry of the register; dates are in the form 2026-11-23."""

    pseudonym: str
    offence: Offence
    first_game: str
    last_game: str
    decided: str
    published: str
    looked_at: str
    note: str = ""


class YearCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The number of steps that were taken in a year; a case counts as opened when its player has notice, or it ends.

    Counted on the day itself, it would tell a suspect that somebody is looked at.
    """

    year: int
    opened: int = 0
    dismissed: int = 0
    dropped: int = 0
    notices: int = 0
    answers: int = 0
    established: int = 0
    not_established: int = 0
    appeals: int = 0
    overturned: int = 0
    published: int = 0
    struck: int = 0


class PublicRegister(msgspec.Struct, frozen=True, kw_only=True):
    """The public document: the entries that stand, the counts, and the link of the last fact that changed them."""

    made: str
    entries: tuple[RegisterEntry, ...]
    years: tuple[YearCounts, ...]
    head: str
    version: int = REGISTER_VERSION


class HallFile:
    """The file of the register, read anew when it has changed."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._read: tuple[tuple[int, int, int], PublicRegister | None] | None = None

    def has_no_case(self) -> bool:
        """Return whether the register counts no case: before the first file of it, and in an empty one alike.

        The file is made with the first case, before its player has notice, and nobody shall read that from the page.
        """
        register = self.read()
        if register is None:
            return self._path is not None and not self._path.exists()
        return not (register.entries or register.years)

    def read(self) -> PublicRegister | None:
        """Return the register; None where there is no file, or none that this version can read."""
        if self._path is None:
            return None
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._read is None or self._read[0] != stamp:
                self._read = (stamp, None)
                hall = msgspec.json.decode(self._path.read_bytes(), type=PublicRegister)
                self._read = (stamp, hall if hall.version == REGISTER_VERSION else None)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError):
            return None
        return self._read[1]
