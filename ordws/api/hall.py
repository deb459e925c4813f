"""The public register of decided cases, read from its file in `public/` for the page `/hall`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ordws.public_register import REGISTER_VERSION, PublicRegister


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
