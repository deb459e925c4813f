"""A folder that comes into being whole: whoever looks, and whenever the process is killed, it is there or it is not."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ordws.atomic_files import sync_folder
from ordws.errors import BadInput


def is_occupied(folder: Path) -> bool:
    """Whether something stands there that must not be lost."""
    return folder.exists() and not (folder.is_dir() and next(folder.iterdir(), None) is None)


@contextmanager
def create_atomically(folder: Path, aside: Path | None = None) -> Iterator[Path]:
    """A folder to fill, which then takes the place of one that is missing or empty; on an error it is removed.

    What stands there otherwise is moved aside. The folder above is locked meanwhile, so that what lies beside under
    such a name was left by a killed process.
    """
    folder = folder.resolve()
    above, prefix = folder.parent, f".{folder.name}.making-"
    above.mkdir(parents=True, exist_ok=True)
    handle = os.open(above, os.O_RDONLY)
    try:
        _lock_parent(handle, above)
        for left in [path for path in above.iterdir() if path.name.startswith(prefix)]:
            shutil.rmtree(left)
        new = Path(tempfile.mkdtemp(dir=above, prefix=prefix))
        try:
            yield new
            _move_into_place(new, folder, aside)
        except BaseException:
            shutil.rmtree(new)
            raise
    finally:
        os.close(handle)


def _lock_parent(handle: int, parent: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInput(f'another ordws is making a folder in "{parent}"', hint="wait until it is done") from None


def _move_into_place(new: Path, folder: Path, aside: Path | None) -> None:
    moved = folder.rename(aside) if aside else None
    try:
        new.rename(folder)
    except OSError as error:
        if moved:
            moved.rename(folder)
        raise BadInput(f'"{folder}" cannot be made: {error.strerror}', hint="name one that is not there") from error
    sync_folder(folder.parent)
