"""The journal files of the LMDB store: what every transaction put, in the order of their commits."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import Final, TypeAlias
from zlib import crc32

from ordws.atomic_files import sync_folder

Put: TypeAlias = tuple[bytes, bytes]
"""A key and the value that was put under it."""

_MAGIC: Final = b"OJ1\n"
_FRAME: Final = Struct("<4sII")
_ENTRY: Final = Struct("<HI")
_FILE_MODE: Final = 0o600


class Journal:
    """A journal file that is open for appending.

    Whoever appends holds the write lock of the map, in whatever process; `sync` needs no lock.
    """

    def __init__(self, path: Path) -> None:
        """Open a file that exists; a journal that was removed must not begin anew."""
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        self._folder = path.parent
        self._is_named = False
        """Whether the file's name is on disk for certain: a file that came into use was renamed a moment before."""

        self.is_ahead = False
        """Whether this process appended anything since it last waited for the disk."""

    @classmethod
    def create(cls, path: Path, entries: Iterable[Put]) -> None:
        """Write a new journal with one frame to disk, in the place of one that was never used."""
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _FILE_MODE), "wb") as file:
            file.write(_pack_frame(entries))
            file.flush()
            os.fsync(file.fileno())

    @staticmethod
    def rewrite(path: Path, entries: Iterable[Put]) -> None:
        """Write another frame over the only one of a journal on disk; it has to be as long.

        Neither the file's size nor its name changes, so that the disk is flushed once.
        """
        frame = _pack_frame(entries)
        with path.open("r+b", buffering=0) as file:
            if os.fstat(file.fileno()).st_size != len(frame) or file.write(frame) != len(frame):
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            os.fdatasync(file.fileno())

    def __del__(self) -> None:
        # Closed with the last thread that waits for it, and not when another process has begun the next journal.
        if hasattr(self, "_file"):
            os.close(self._file)

    @property
    def size(self) -> int:
        return os.fstat(self._file).st_size

    def append(self, entries: Iterable[Put]) -> None:
        """Append one frame, which is read again whole or not at all; raise OSError where it does not fit."""
        frame = _pack_frame(entries)
        self.is_ahead = True
        if (written := os.write(self._file, frame)) != len(frame):
            os.ftruncate(self._file, self.size - written)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sync(self) -> None:
        """Wait until everything that was appended before is on disk."""
        # Cleared before, because a frame that is appended meanwhile is not waited for.
        self.is_ahead = False
        try:
            os.fdatasync(self._file)
            if not self._is_named:
                sync_folder(self._folder)
                self._is_named = True
        except OSError:
            self.is_ahead = True
            raise


def read_frames(data: bytes) -> Iterator[Sequence[Put] | None]:
    """Yield the entries of each whole frame, and None where something is missing between two frames.

    A frame that is cut off at the end was never on disk as a whole, so nothing that was promised is missing.
    """
    expected = at = 0
    while (at := data.find(_MAGIC, at)) >= 0:
        frame = _unpack_frame(data, at)
        if frame is None:
            at += 1
            continue
        if at != expected:
            yield None
        entries, at = frame
        yield entries
        expected = at


def _pack_frame(entries: Iterable[Put]) -> bytes:
    parts: list[bytes] = []
    for key, value in entries:
        parts += (_ENTRY.pack(len(key), len(value)), key, value)
    body = b"".join(parts)
    return _FRAME.pack(_MAGIC, len(body), crc32(body)) + body


def _unpack_frame(data: bytes, at: int) -> tuple[Sequence[Put], int] | None:
    """Return the entries of the frame at an offset and the offset behind it, or None if it is not whole."""
    begin = at + _FRAME.size
    if begin > len(data):
        return None
    _, length, checksum = _FRAME.unpack_from(data, at)
    end = begin + length
    if end > len(data) or crc32(data[begin:end]) != checksum:
        return None
    entries = []
    while begin < end:
        key_length, value_length = _ENTRY.unpack_from(data, begin)
        middle = begin + _ENTRY.size + key_length
        entries.append((data[begin + _ENTRY.size : middle], data[middle : middle + value_length]))
        begin = middle + value_length
    return entries, end
