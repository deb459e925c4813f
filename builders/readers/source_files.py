"""Reading the files of a source: decompression, lines, digests, and faults with their places."""

from __future__ import annotations

import codecs
import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from ordws.errors import BadSource, Missing, SourceChanged

FaultHandler: TypeAlias = Callable[[BadSource], None]
"""The function that a reader calls at a malformed place. If the call returns, the reader continues behind it."""

FETCH_HINT: Final = "ordws-build fetch gets the open dictionaries; licensed ones go where the recipe says"
_COMPRESSED_SUFFIXES: Final = {".gz", ".dz"}  # a .dz is ordinary gzip with an index for random access


def require_file(path: Path, what: str) -> Path:
    """Return the path if a file is there; raises Missing, which names what the file should have held."""
    if not path.is_file():
        raise Missing(f'{what} is missing: no file "{path}"', hint=FETCH_HINT)
    return path


def find_single_file(path: Path, pattern: str, what: str) -> Path:
    """Return the file at a path, or the only file of a folder that matches a pattern; raises Missing."""
    if not path.is_dir():
        return require_file(path, what)
    found = sorted(path.glob(pattern))
    if len(found) != 1:
        raise Missing(
            f'{what} is missing: expected one file "{pattern}" in "{path}", found {len(found)}', hint=FETCH_HINT
        )
    return found[0]


def read_decompressed(file: Path) -> bytes:
    """Return a file's bytes, decompressed if its name ends in .gz or .dz; raises BadSource."""
    data = file.read_bytes()
    if file.suffix not in _COMPRESSED_SUFFIXES:
        return data
    parts: list[bytes] = []
    rest = data
    # Gzip members are unpacked by hand, since the module gzip does not tell the offset of a fault.
    while rest or not parts:
        member = zlib.decompressobj(wbits=31)
        try:
            parts.append(member.decompress(rest))
        except zlib.error as error:
            raise BadSource(str(file), f"offset {len(data) - len(rest)}", f"expected gzip data, {error}") from error
        if not member.eof:
            raise BadSource(str(file), f"offset {len(data)}", "expected more gzip data, the file ends here")
        rest = member.unused_data
    return b"".join(parts)


def numbered_lines(file: Path, report: FaultHandler) -> Iterator[tuple[int, str]]:
    """Yield number and text of each line of a UTF-8 file, with or without a byte order mark."""
    for number, line in enumerate(read_decompressed(file).removeprefix(codecs.BOM_UTF8).split(b"\n"), 1):
        try:
            yield number, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            report(encoding_fault(file, f"line {number}", error))


def encoding_fault(file: Path, place: str, error: UnicodeDecodeError) -> BadSource:
    """Return the fault of bytes that are not in the encoding of their format."""
    found = f"0x{error.object[error.start]:02x} at byte {error.start + 1}"
    return BadSource(str(file), place, f"expected text in {error.encoding.upper()}, found {found} of it")


def hash_files(files: Iterable[Path]) -> dict[Path, bytes]:
    """Return the SHA-256 of each file's contents; raises Missing for a file that cannot be read."""
    hashes = {}
    for file in files:
        try:
            with file.open("rb") as opened:
                hashes[file] = hashlib.file_digest(opened, "sha256").digest()
        except OSError as error:
            raise Missing(f'cannot read "{file}": {error.strerror}') from error
    return hashes


def digest(files: Iterable[Path]) -> str:
    """Return one SHA-256 over the names and contents of files; the folder they lie in makes no difference."""
    whole = hashlib.sha256()
    for file, contents_hash in hash_files(files).items():
        whole.update(file.name.encode() + b"\0" + contents_hash)
    return whole.hexdigest()


@contextmanager
def check_unchanged(files: Iterable[Path]) -> Iterator[None]:
    """Raise SourceChanged if a file is not at the end of the block what it was at the beginning.

    A fault inside the block is reported as the change if such a change may have caused it.
    """
    before = hash_files(files)
    try:
        yield
    except BadSource:
        _check(before)
        raise
    except OSError as error:
        _check(before)
        raise Missing(f'cannot read "{error.filename}": {error.strerror}') from error
    _check(before)


def _check(before: dict[Path, bytes]) -> None:
    for file, contents_hash in before.items():
        if not file.is_file() or hash_files([file])[file] != contents_hash:
            raise SourceChanged(f'"{file}" changed while it was read', hint="read it again when nothing writes to it")
