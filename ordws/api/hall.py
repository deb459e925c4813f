"""The public register of decided cases, read from its file in `public/` for the page `/hall`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ordws.public_register import REGISTER_VERSION, PublicRegister


class HallFile:
    """The file of the register, read anew when it has changed."""

    def __init__(self, path: Path | None = None, cases: Path | None = None) -> None:
        """Take the path of the register, and that of the case files of this host."""
        self._path, self._cases = path, cases
        self._read: tuple[tuple[int, int, int], PublicRegister | None] | None = None

    def has_no_case(self) -> bool:
        """Return whether there is neither a register nor a case file, as where no case was ever opened."""
        paths = [path for path in (self._path, self._cases) if path is not None]
        return len(paths) == 2 and not any(path.exists() for path in paths)

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
