"""The files inside a Debian package: an `ar` archive that holds a tar archive."""

from __future__ import annotations

import io
import lzma
import subprocess
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO, Final

from ordws.errors import BadSource

_MAGIC: Final = b"!<arch>\n"
_HEADER: Final = 60


def files_in(package: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield path and content of every regular file of a package; nothing is written, and no script of it is run."""
    with package.open("rb") as file:
        name = seek_data(package, file)
        archive_file: IO[bytes] = file
        if name.endswith(".zst"):
            # Python before 3.14 cannot unpack zstd; Ubuntu, whose packages use it, has dpkg-deb.
            try:
                command = ["dpkg-deb", "--fsys-tarfile", str(package)]
                archive_file = io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)
            except (FileNotFoundError, subprocess.CalledProcessError) as error:
                raise BadSource(str(package), "data.tar.zst", "expected dpkg-deb here to unpack it with") from error
        try:
            with tarfile.open(fileobj=archive_file, mode="r|*") as archive:
                for member in archive:
                    if member.isfile() and (content := archive.extractfile(member)) is not None:
                        yield PurePosixPath(member.name.removeprefix("./")), content.read()
        except (tarfile.TarError, EOFError, lzma.LZMAError, zlib.error) as error:
            raise BadSource(str(package), name, "expected a whole tar archive") from error


def seek_data(package: Path, file: BinaryIO) -> str:
    """Seek to the first byte of the member `data.tar.*` and return its name, by the format of deb(5)."""
    if file.read(len(_MAGIC)) != _MAGIC:
        raise BadSource(str(package), "offset 0", "expected a Debian package")
    while len(header := file.read(_HEADER)) == _HEADER:
        name, size = header[:16].decode("ascii", "replace").rstrip(" /"), header[48:58].strip()
        if name.startswith("data.tar"):
            return name
        if not size.isdigit():
            break
        file.seek(int(size) + int(size) % 2, 1)  # members begin at even offsets
    raise BadSource(str(package), f"offset {file.tell()}", "expected the member data.tar")
