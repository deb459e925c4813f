"""The editions adopted here, and the mark: the number of the newest of them, which only grows. (GUARD decision 12)"""

from __future__ import annotations

import fcntl
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ordws.atomic_files import PRIVATE_MODE, sync_folder, write_atomically, write_new
from ordws.errors import Broken, EditionRefused, Missing, SealBroken
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import read_header

KEEP_NEWEST: Final = 8
MIN_RETENTION_SECONDS: Final = 25 * 3_600
"""A sealed game lasts a day, by the edition that it began with."""

_MARK: Final = re.compile(rb"[0-9]{1,9}\n")
_NUMBER: Final = re.compile(r"[0-9]{4,9}")


class EditionStore:
    """A folder of adopted editions, one folder each, shared by every process that serves them."""

    def __init__(self, *, editions: Path, mark: Path) -> None:
        self._editions, self._mark = editions, mark

    def read_mark(self) -> int:
        """The number of the newest edition ever adopted here, 0 before the first.

        A whole edition that is kept above the mark was adopted too: without its file the mark does not fall.
        """
        try:
            return max(
                self._read_mark_file(),
                *(int(path.name) for path in _edition_folders(self._editions) if _is_complete(path)),
                0,
            )
        except OSError as error:
            raise Missing(f'"{self._editions}" cannot be read: {error.strerror}') from error

    def lacks_mark(self) -> bool:
        """Whether editions were adopted here and the mark is gone."""
        return not self._mark.exists() and bool(_edition_folders(self._editions))

    def _read_mark_file(self) -> int:
        try:
            text = self._mark.read_bytes()
        except FileNotFoundError:
            return 0
        if not _MARK.fullmatch(text):
            raise Broken(f'the version mark "{self._mark}" is not a number', hint="restore it from a backup")
        return int(text)

    def find(self, number: int) -> EditionFiles | None:
        """The adopted edition of that number, unopened, where it is still kept."""
        try:
            return EditionFiles.read(*_file_paths(self.folder(number)))
        except Missing:
            return None

    def all_files(self) -> Iterator[EditionFiles]:
        """Every adopted edition that is still kept, unopened, the newest first."""
        for path in reversed(_edition_folders(self._editions)):
            if delivery := self.find(int(path.name)):
                yield delivery

    def next_number(self, sealed: bytes | None, keyring: Keyring) -> int:
        """The number for the edition that follows the sealed one and everything adopted here."""
        return max(self.read_mark(), read_header(sealed, keyring).number if sealed else 0) + 1

    def check_adoptable(self, files: EditionFiles, number: int, keyring: Keyring) -> None:
        """Raises EditionRefused where an opened delivery of that number would take back what was adopted."""
        mark = self.read_mark()
        if number < mark:
            raise EditionRefused(
                f"edition {number} is older than edition {mark}, which was adopted here",
                hint=restore_hint(mark),
            )
        kept = self.find(number)
        if kept and kept.sealed != files.sealed and _has_number(kept, number, keyring):
            raise EditionRefused(f"another edition {number} was adopted here", hint=restore_hint(number))

    def adopt(self, files: EditionFiles, number: int, keyring: Keyring) -> None:
        """Keep an opened delivery and raise the mark to its number; the same delivery again changes nothing."""
        try:
            self._editions.mkdir(mode=0o700, exist_ok=True)
            with self._locked():
                self.check_adoptable(files, number, keyring)
                if self.find(number) != files:
                    self._store(files, number)
                self._raise_mark(number)
                self._prune()
        except OSError as error:
            raise EditionRefused(f'edition {number} cannot be kept in "{self._editions}": {error.strerror}') from error

    def raise_mark(self, number: int) -> None:
        """Adopt nothing below that number any more."""
        self._editions.mkdir(mode=0o700, exist_ok=True)
        with self._locked():
            self._raise_mark(number)

    def _raise_mark(self, number: int) -> None:
        mark = max(number, self.read_mark())
        if mark > self._read_mark_file():
            write_atomically(self._mark, f"{mark}\n".encode(), PRIVATE_MODE)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self._editions / ".lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _store(self, files: EditionFiles, number: int) -> None:
        new = Path(tempfile.mkdtemp(dir=self._editions, prefix=".new-"))
        try:
            for path, data in zip(_file_paths(new), (files.sealed, files.core, files.reference), strict=True):
                write_new(path, data, PRIVATE_MODE)
        except OSError:
            shutil.rmtree(new)  # or a disk that is full stays so
            raise
        folder = self.folder(number)
        if folder.exists():
            folder.rename(Path(tempfile.mkdtemp(dir=self._editions, prefix=".old-")))
        new.rename(folder)
        sync_folder(self._editions)

    def _prune(self) -> None:
        """Remove what is neither among the newest nor was the newest within a day before the last adoption."""
        folders = [path for path in self._editions.iterdir() if path.is_dir()]
        numbered = _edition_folders(self._editions)
        adopted = [path.stat().st_mtime for path in numbered]
        latest = max(adopted, default=0)
        old = [
            path
            for path, followed in zip(numbered[:-KEEP_NEWEST], adopted[1:], strict=False)
            if followed < latest - MIN_RETENTION_SECONDS
        ]
        # Under the lock, a folder with another name was left by a process that was killed.
        for path in [*old, *(path for path in folders if path not in numbered)]:
            shutil.rmtree(path)

    def folder(self, number: int) -> Path:
        """Where the adopted edition of that number is kept, or would be."""
        return self._editions / f"{number:04d}"


def restore_hint(number: int) -> str:
    """What a keeper does where an edition of that number, or a newer one, was adopted already."""
    return f"where editions are built, ordws restore --above {number} seals the words under a higher number"


def _edition_folders(editions: Path) -> list[Path]:
    found = [path for path in editions.iterdir() if _NUMBER.fullmatch(path.name)] if editions.is_dir() else []
    return sorted(found, key=lambda path: int(path.name))


def _file_paths(folder: Path) -> tuple[Path, Path, Path]:
    return folder / "ordws.sealed", folder / "core", folder / "reference"


def _is_complete(folder: Path) -> bool:
    return all(path.is_file() for path in _file_paths(folder))


def _has_number(files: EditionFiles, number: int, keyring: Keyring) -> bool:
    try:
        return read_header(files.sealed, keyring).number == number
    except SealBroken:
        return False
