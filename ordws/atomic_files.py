"""Atomic writes: a reader, or a crash, sees the old file or the new file and nothing in between."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

SECRET_MODE: Final = 0o400
PRIVATE_MODE: Final = 0o600
PUBLIC_MODE: Final = 0o644


def write_atomically(path: Path, data: bytes, mode: int = PRIVATE_MODE) -> None:
    """Write data to path, replacing what is there."""
    temporary = _write_temporary(path, data, mode)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int = PRIVATE_MODE) -> None:
    """Write data to a new file at path; raise FileExistsError where something is there already."""
    temporary = _write_temporary(path, data, mode)
    try:
        # A rename would replace a file that another process made in the meantime; a hard link never does.
        os.link(temporary, path)
    finally:
        temporary.unlink()
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, so that a file created or renamed in it survives a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_temporary(path: Path, data: bytes, mode: int) -> Path:
    # In the same folder, for a rename or a link cannot cross file systems.
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
