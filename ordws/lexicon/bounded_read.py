"""A bounded, never blocking read of a file that other users may have put there."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_bounded(path: Path, max_bytes: int) -> tuple[bytes, int]:
    """Return the bytes of a regular file and its permission bits; raise OSError if it cannot be read.

    Of a file larger than `max_bytes`, `max_bytes` + 1 bytes are returned, so that the caller can tell.
    """
    with open(path, "rb", opener=_open_nonblocking) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return file.read(min(status.st_size, max_bytes) + 1), stat.S_IMODE(status.st_mode)


def _open_nonblocking(path: str, flags: int) -> int:
    # Without O_NONBLOCK, opening a named pipe in the place of the file would wait for a writer for ever.
    return os.open(path, flags | os.O_NONBLOCK)
