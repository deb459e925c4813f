"""Files that the caller of a command names."""

from __future__ import annotations

from pathlib import Path


def write_output_file(file: Path, data: bytes) -> None:
    """Write what everybody may read: a file whole and where a link leads, a device or pipe as it is."""
    from ordws.atomic_files import PUBLIC_MODE, write_atomically
    from ordws.errors import BadInput

    path = file.resolve()
    if path.is_dir():
        raise BadInput(f'"{file}" is a folder, and a file is to be written')
    if not path.parent.is_dir():
        raise BadInput(f'there is no folder "{file.parent}" to write "{file.name}" in')
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            stream.write(data)
    else:
        write_atomically(path, data, PUBLIC_MODE)
