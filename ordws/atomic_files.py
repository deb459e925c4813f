"""Bytes put on disk all at once: a reader, or a crash, sees the old file or the new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

SECRET_MODE: Final = 0o400
PRIVATE_MODE: Final = 0o600
PUBLIC_MODE: Final = 0o644


def write_atomically(path: Path, data: bytes, mode: int = PRIVATE_MODE) -> None:
    """Put data at path, in the place of what is there."""
    temporary = _write_temporary(path, data, mode)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int = PRIVATE_MODE) -> None:
    """Put data at path; raises FileExistsError where something is there already."""
    temporary = _write_temporary(path, data, mode)
    try:
        os.link(temporary, path)
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make what was renamed in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_temporary(path: Path, data: bytes, mode: int) -> Path:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        Path(name).unlink()
        raise
    return Path(name)
