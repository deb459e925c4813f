"""The edition being served: followed when a newer one is dropped in, never taken back."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import EditionRefused, OrdwsError
from ordws.lexicon.edition import Edition
from ordws.lexicon.edition_files import EditionFiles
from ordws.lexicon.edition_store import EditionStore, restore_hint
from ordws.lexicon.keyring import Keyring

_MAX_OLDER_OPEN: Final = 4
_CHECKS_BEFORE_RETRY: Final = 60
_Stamp: TypeAlias = tuple[int, int, int, int] | None


class _Served(NamedTuple):
    edition: Edition
    digest: bytes


class OpenEditions:
    """The newest adopted edition, one shelf a process; several processes may share the folders.

    At start the file `sealed` is adopted, or else the edition that the mark names goes on being served. Where neither
    opens, the fault of `sealed` is raised. With `adopting=False` nothing on disk is changed.

    The keys are read anew with each delivery, so that a rotation needs no restart.
    """

    def __init__(
        self,
        *,
        sealed: Path,
        mark: Path,
        editions: Path,
        core: Path,
        reference: Path,
        keys: Path,
        adopting: bool = True,
    ) -> None:
        self._files = (sealed, core, reference)
        self._store = EditionStore(editions=editions, mark=mark)
        self._keys = keys
        self._accept = self._store.adopt if adopting else self._store.check_adoptable
        self._lock = threading.Lock()
        self._older: OrderedDict[int, Edition] = OrderedDict()
        self._refusal: str | None = None
        self._is_transient, self._checks = False, 0
        self._hint: str | None = None
        self._seen_stamps = self._stamps()
        try:
            self._served = self._load(None)
        except OrdwsError as fault:
            self._refuse(fault)
            reopened = self._find_adopted()
            if reopened is None:
                raise
            self._served = reopened

    @property
    def current(self) -> Edition:
        """The edition that questions are asked of. A question keeps the one it took."""
        return self._served.edition

    @property
    def refusal(self) -> str | None:
        """Why the file that lies there is not the edition being served; None where it is."""
        return self._refusal

    @property
    def hint(self) -> str | None:
        """What to do about the refusal, where that is known."""
        return self._hint

    def find(self, number: int) -> Edition | None:
        """The edition of that number, which is served or was; None where it is not kept any more. (RULES A-42)"""
        current = self.current
        if current.number == number:
            return current
        with self._lock:
            edition = self._older.pop(number, None) or self._find_kept(number)
            if edition is None:
                return None
            if (edition.core_digest, edition.reference_digest) == (current.core_digest, current.reference_digest):
                edition = replace(edition, core=current.core, reference=current.reference)
            self._older[number] = edition
            if len(self._older) > _MAX_OLDER_OPEN:
                self._older.popitem(last=False)
        return edition

    def refresh(self) -> None:
        """Serve a newer edition where one was dropped in; a fault of it becomes the `refusal`, and nothing is raised.

        A few stats where neither the files nor the keys changed. They are taken before anything is read, so that what
        changes meanwhile is looked at again; a key that comes after its edition leads to another try. What this host
        refused and not the delivery's content, as when the disk was full, is tried again after so many looks.
        """
        self._checks += self._is_transient
        if self._stamps() == self._seen_stamps and self._checks < _CHECKS_BEFORE_RETRY:
            return
        with self._lock:
            stamps = self._stamps()
            if stamps == self._seen_stamps and self._checks < _CHECKS_BEFORE_RETRY:
                return
            self._checks = 0
            try:
                self._served = self._load(self._served)
                self._refusal, self._hint, self._is_transient = None, None, False
            except OrdwsError as fault:
                self._refuse(fault)
            finally:
                self._seen_stamps = stamps

    def _refuse(self, fault: OrdwsError) -> None:
        self._refusal, self._hint = str(fault), fault.hint
        self._is_transient = isinstance(fault.__cause__, OSError)

    def _load(self, served: _Served | None) -> _Served:
        delivery = EditionFiles.read(*self._files)
        keyring = Keyring.open(self._keys)
        edition = delivery.open(keyring)
        digest = hashlib.sha256(delivery.sealed).digest()
        if served is not None:
            if digest == served.digest:
                return served
            if edition.number <= served.edition.number:
                raise EditionRefused(
                    f"edition {edition.number} does not follow edition {served.edition.number}",
                    hint=restore_hint(served.edition.number),
                )
        self._accept(delivery, edition.number, keyring)
        return _Served(edition, digest)

    def _find_adopted(self) -> _Served | None:
        """The edition that the mark names. It was adopted once, so that its number needs no check."""
        mark = self._store.read_mark()
        delivery, edition = self._store.find(mark), self._find_kept(mark)
        if delivery is None or edition is None:
            return None
        return _Served(edition, hashlib.sha256(delivery.sealed).digest())

    def _find_kept(self, number: int) -> Edition | None:
        """A kept edition opened; None where it is not there, does not open, or is not what its folder says."""
        delivery = self._store.find(number)
        if delivery is None:
            return None
        try:
            edition = delivery.open(Keyring.open(self._keys))
        except OrdwsError:
            return None
        return edition if edition.number == number else None

    def _stamps(self) -> tuple[_Stamp, ...]:
        return tuple([_stamp(path) for path in (*self._files, self._keys, *_list_folder(self._keys))])


def _list_folder(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _stamp(path: Path) -> _Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
