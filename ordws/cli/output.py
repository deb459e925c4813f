"""Output of commands: times as text, and the files that the caller names."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ordws.atomic_files import PUBLIC_MODE, write_atomically
from ordws.errors import BadInput


def format_utc(moment: int | None) -> str | None:
    """Return Unix seconds as RFC 3339 in UTC, or None for None."""
    return None if moment is None else f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"


def write_output_file(file: Path, data: bytes) -> None:
    """Write a file that everybody may read: atomically, at the target of a symbolic link; a device or pipe in place.

    Raises BadInput for a folder, and for a file in a folder that does not exist.
    """
    path = file.resolve()
    if path.is_dir():
        raise BadInput(f'"{file}" is a folder, not a file')
    if not path.parent.is_dir():
        raise BadInput(f'there is no folder "{file.parent}" to write "{file.name}" in')
    if path.exists() and not path.is_file():
        # Renaming a temporary file over /dev/stdout or a named pipe would replace it.
        with path.open("wb") as stream:
            stream.write(data)
    else:
        write_atomically(path, data, PUBLIC_MODE)


def printable(text: str) -> str:
    """Return the text with a replacement character for everything that could steer a terminal."""
    return "".join([letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text])
