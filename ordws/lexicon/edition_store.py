"""The files of an edition, and the editions adopted on this host with the mark: their newest number, which never falls.

See docs/guard.md Decision 12.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ordws.atomic_files import PRIVATE_MODE, sync_folder, write_atomically, write_new
from ordws.errors import Broken, EditionRefused, Missing, SealBroken
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.lexicon.bounded_read import read_bounded
from ordws.lexicon.edition import Edition
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import MAX_EDITION_BYTES, build_word_set, open_sealed, read_header
from ordws.retention import EDITIONS

MAX_LIST_BYTES: Final = 64 * 2**20
# The quantifiers are possessive: without backtracking a damaged list of 64 MiB is refused in linear time.
_LIST: Final = re.compile(rb"(?:[A-Z]{%d,%d}+\n)*+" % (MIN_WORD_LENGTH, MAX_WORD_LENGTH))


@dataclass(frozen=True)
class EditionFiles:
    """The bytes of the files that belong together; nothing about them is verified before `open`."""

    sealed: bytes
    core: bytes
    reference: bytes
    charged: bytes = b""
    """The core words that are charged under Dover; empty in editions of format 1, which come without that file."""

    @classmethod
    def read(cls, sealed: Path, core: Path, reference: Path, charged: Path) -> EditionFiles:
        """Read the files; raise Missing if one of them cannot be read, unless `charged` is not there at all."""
        # A file cut off at its bound is refused by `open`: it is too long for an edition, or has another digest.
        return cls(
            _read(sealed, MAX_EDITION_BYTES),
            _read(core, MAX_LIST_BYTES),
            _read(reference, MAX_LIST_BYTES),
            _read(charged, MAX_LIST_BYTES) if charged.exists() else b"",
        )

    @property
    def digest(self) -> bytes:
        """The digest of the files, computed anew each time."""
        files = (self.sealed, self.core, self.reference, self.charged)
        parts = [hashlib.sha256(data).digest() for data in files]
        return hashlib.sha256(b"".join(parts)).digest()

    def open(self, keyring: Keyring) -> Edition:
        """Return the edition with its lists; raise SealBroken, or EditionRefused if a list is not the one it names."""
        edition = open_sealed(self.sealed, keyring)
        lists = [
            ("core list", self.core, edition.core_digest),
            ("reference", self.reference, edition.reference_digest),
        ]
        # A host may still have that file of a later edition beside an edition of format 1.
        charged = self.charged if edition.charged_digest else b""
        if edition.charged_digest:
            lists.append(("list of core words charged under Dover", charged, edition.charged_digest))
        for name, data, digest in lists:
            if hashlib.sha256(data).hexdigest() != digest:
                raise EditionRefused(
                    f"edition {edition.number} was sealed beside another public {name}",
                    hint="hand over the sealed edition and the public lists together",
                )
        # A list with the right digest was sealed so: the fault is the builder's, not the delivery's.
        for name, data, _ in lists:
            if not _LIST.fullmatch(data):
                raise EditionRefused(f"the public {name} of edition {edition.number} is not one word a line")
        open_reference = build_word_set(_words(self.reference))
        return replace(
            edition,
            core=frozenset(_words(self.core)),
            reference=edition.reference if edition.has_own_reference else open_reference,
            open_reference=open_reference,
            dover_charged=frozenset(_words(charged)),
        )


def _words(data: bytes) -> list[str]:
    return data.decode("ascii").split()


def _read(path: Path, max_bytes: int) -> bytes:
    try:
        return read_bounded(path, max_bytes)[0]
    except OSError as error:
        raise Missing(
            f'"{path}" cannot be read: {error.strerror}',
            hint="ordws-build run makes an edition, ordws init --serving --from takes a published one, "
            "and --instance DIR names another installation",
        ) from error


KEEP_NEWEST: Final = 8

_MARK: Final = re.compile(rb"[0-9]{1,9}\n")
_NUMBER: Final = re.compile(r"[0-9]{4,9}")


class EditionStore:
    """A folder of adopted editions, one folder each, shared by all processes that serve them.

    The file of the mark is not in that folder, so that whoever deletes either of them does not lose the mark.
    """

    def __init__(self, *, editions: Path, mark: Path) -> None:
        self._editions, self._mark = editions, mark

    def read_mark(self) -> int:
        """Return the number of the newest edition ever adopted on this host, 0 before the first.

        A complete edition in the store above the mark was adopted too, so that the mark does not fall if its file is
        lost. Raises Broken if a file of the mark does not hold a number.
        """
        try:
            kept = [
                int(path.name)
                for path in _edition_folders(self._editions)
                if all(file.is_file() for file in _file_paths(path)[:3])
            ]
            return max([_read_mark_file(self._mark), *kept])
        except OSError as error:
            raise Missing(f'"{self._editions}" cannot be read: {error.strerror}') from error

    def fault(self) -> str | None:
        """Return what is lost of the mark or of the newest adopted edition, or None where both are there.

        With either of them an older edition is refused; with neither the delivered edition is believed.
        """
        mark, has_file = self.read_mark(), self._mark.exists()
        if mark == 0 and has_file:
            # `ordws init` writes the mark, so that a new installation differs from one that lost it.
            return None
        if mark == 0:
            return f'no edition mark "{self._mark}" and no adopted edition: an older edition would not be noticed'
        if not has_file:
            return f'the edition mark "{self._mark}" is gone beside adopted editions'
        if self.find(mark) is None:
            return f'edition {mark}, which the edition mark names, is gone from "{self._editions}"'
        return None

    def find(self, number: int) -> EditionFiles | None:
        """Return the files of the adopted edition with this number, unopened; None if it is no longer kept."""
        try:
            return EditionFiles.read(*_file_paths(self.folder(number)))
        except Missing:
            return None

    def all_files(self) -> Iterator[EditionFiles]:
        """Yield the files of every edition in the store, unopened, the newest first."""
        for path in reversed(_edition_folders(self._editions)):
            if files := self.find(int(path.name)):
                yield files

    def next_number(self, sealed: bytes | None, keyring: Keyring) -> int:
        """Return the number above the given sealed edition and everything adopted on this host."""
        return max(self.read_mark(), read_header(sealed, keyring).number if sealed else 0) + 1

    def check_adoptable(self, files: EditionFiles, number: int, keyring: Keyring) -> None:
        """Raise EditionRefused if adopting these opened files, of this number, would take back an adopted edition."""
        mark = self.read_mark()
        if number < mark:
            raise EditionRefused(
                f"edition {number} is older than edition {mark}, which was adopted here",
                hint=restore_hint(mark),
            )
        kept = self.find(number)
        if kept is None or kept.sealed == files.sealed:
            return
        try:
            is_another = read_header(kept.sealed, keyring).number == number
        except SealBroken:
            # A damaged copy proves nothing about what was adopted; `adopt` replaces it.
            return
        if is_another:
            raise EditionRefused(f"another edition {number} was adopted here", hint=restore_hint(number))

    def adopt(self, files: EditionFiles, number: int, keyring: Keyring) -> None:
        """Store opened files and raise the mark to their number; the same files again change nothing."""
        try:
            self._editions.mkdir(mode=0o700, exist_ok=True)
            with self._locked():
                # Under the lock, so that no other process raises the mark between the check and the adoption.
                self.check_adoptable(files, number, keyring)
                if self.find(number) != files:
                    self._store(files, number)
                # The files go first: a process killed in between has still adopted the edition, see `read_mark`.
                self._raise_mark(number)
                self._prune()
        except OSError as error:
            raise EditionRefused(f'edition {number} cannot be kept in "{self._editions}": {error.strerror}') from error

    def raise_mark(self, number: int) -> None:
        """Adopt nothing below this number from now on; a lower number changes nothing."""
        self._editions.mkdir(mode=0o700, exist_ok=True)
        with self._locked():
            self._raise_mark(number)

    def _raise_mark(self, number: int) -> None:
        mark = max(number, self.read_mark())
        if mark > _read_mark_file(self._mark):
            write_atomically(self._mark, f"{mark}\n".encode(), PRIVATE_MODE)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with (self._editions / ".lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _store(self, files: EditionFiles, number: int) -> None:
        """Put an edition into its folder, all files at once."""
        new = Path(tempfile.mkdtemp(dir=self._editions, prefix=".new-"))
        try:
            parts = (files.sealed, files.core, files.reference, *([files.charged] if files.charged else []))
            for path, data in zip(_file_paths(new), parts, strict=False):
                write_new(path, data, PRIVATE_MODE)
        except OSError:
            shutil.rmtree(new)  # Half an edition left behind would keep a full disk full.
            raise
        folder = self.folder(number)
        if folder.exists():
            # A folder cannot be renamed over one that has files; `_prune` removes the old one.
            folder.rename(Path(tempfile.mkdtemp(dir=self._editions, prefix=".old-")))
        new.rename(folder)
        sync_folder(self._editions)

    def _prune(self) -> None:
        """Remove editions that are not among the newest and were replaced over a day before the last adoption."""
        folders = [path for path in self._editions.iterdir() if path.is_dir()]
        numbered = _edition_folders(self._editions)
        adopted = [path.stat().st_mtime for path in numbered]
        latest = max(adopted, default=0)
        # An edition was served until the one after it was adopted, hence the shifted times.
        old = [
            path
            for path, replaced in zip(numbered[:-KEEP_NEWEST], adopted[1:], strict=False)
            if replaced < latest - EDITIONS.seconds
        ]
        # Under the lock no other process is storing, so a folder with another name was left by one that was killed.
        for path in [*old, *(path for path in folders if path not in numbered)]:
            shutil.rmtree(path)

    def folder(self, number: int) -> Path:
        """Return the folder in which the adopted edition of this number is kept, or would be."""
        return self._editions / f"{number:04d}"


def restore_hint(number: int) -> str:
    """Return the advice to a keeper whose edition is not newer than this adopted number."""
    return f"where editions are built, ordws restore --above {number} seals the words under a higher number"


def _edition_folders(editions: Path) -> list[Path]:
    found = [path for path in editions.iterdir() if _NUMBER.fullmatch(path.name)] if editions.is_dir() else []
    return sorted(found, key=lambda path: int(path.name))


def _read_mark_file(path: Path) -> int:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        return 0
    if not _MARK.fullmatch(text):
        raise Broken(f'the version mark "{path}" is not a number', hint="restore it from a backup")
    return int(text)


def _file_paths(folder: Path) -> tuple[Path, Path, Path, Path]:
    """Return the paths of the files of an adopted edition; the last is not there in every edition."""
    return folder / "ordws.sealed", folder / "core", folder / "reference", folder / "dover-charged"
