"""Bytes of a file that others may put there: it is never waited for, and never read beyond a bound."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_bounded(path: Path, max_bytes: int) -> tuple[bytes, int]:
    """The bytes of a regular file and its mode; one byte more than `most` where it is larger. Raises OSError."""
    # A pipe put in the place of a file would be waited for without O_NONBLOCK.
    with open(path, "rb", opener=_open_nonblocking) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(min(status.st_size, max_bytes) + 1), stat.S_IMODE(status.st_mode)


def _open_nonblocking(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
