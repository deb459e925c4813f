"""Creation of a folder as a whole: at any moment, even if the process is killed, it is complete or absent."""

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
    """Return whether a path holds something that must not be lost: a file, or a folder that is not empty."""
    return folder.exists() and not (folder.is_dir() and next(folder.iterdir(), None) is None)


@contextmanager
def create_atomically(folder: Path, aside: Path | None = None) -> Iterator[Path]:
    """Give a temporary folder to fill, then put it in the place of `folder`; on an error remove it.

    `folder` has to be missing or empty, or is renamed to `aside` first. Raises BadInput where another process is
    creating a folder beside it, or where `folder` cannot be created.
    """
    folder = folder.resolve()
    parent, prefix = folder.parent, f".{folder.name}.making-"
    parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(parent, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadInput(f'another ordws is making a folder in "{parent}"', hint="wait until it is done") from None
        # Under the lock no other process is filling a folder of this name, so these were left by killed processes.
        for abandoned in [path for path in parent.iterdir() if path.name.startswith(prefix)]:
            shutil.rmtree(abandoned)
        new = Path(tempfile.mkdtemp(dir=parent, prefix=prefix))
        try:
            yield new
            moved = folder.rename(aside) if aside else None
            try:
                new.rename(folder)
            except OSError as error:
                if moved:
                    moved.rename(folder)
                raise BadInput(f'"{folder}" cannot be made: {error.strerror}', hint="name another folder") from error
            # Without this the rename might be lost when the power fails.
            sync_folder(parent)
        except BaseException:
            shutil.rmtree(new)
            raise
    finally:
        os.close(handle)
