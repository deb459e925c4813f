"""The edition being served: replaced when a newer one is delivered, never by an older one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from ordws.errors import EditionRefused, OrdwsError
from ordws.lexicon.edition import Edition
from ordws.lexicon.edition_store import EditionFiles, EditionStore, restore_hint
from ordws.lexicon.keyring import Keyring

_MAX_OLDER_OPEN: Final = 4
_CHECKS_BEFORE_RETRY: Final = 60
"""Calls of `refresh` after which a fault of this host, such as a full disk, is tried again."""
_FileStamp: TypeAlias = tuple[int, int, int, int] | None
"""Inode, size, and times of content and inode; None for a file that is not there."""


class _Served(NamedTuple):
    edition: Edition
    digest: bytes
    """The digest of all its files."""


class OpenEditions:
    """The newest adopted edition and recent older ones, opened; one object a process, several may share the files.

    The constructor adopts the file `sealed`; if it cannot, it reopens the edition that the mark names; if that fails
    too, it raises the error of `sealed`, since an older edition never answers (docs/guard.md Decision 12). With
    `adopting=False` nothing on disk is changed.

    The keys are read again with each delivery, so that a rotation of keys needs no restart.
    """

    def __init__(
        self,
        *,
        sealed: Path,
        mark: Path,
        editions: Path,
        core: Path,
        reference: Path,
        charged: Path,
        keys: Path,
        adopting: bool = True,
    ) -> None:
        self._files, self._mark, self._keys = (sealed, core, reference, charged), mark, keys
        self._store = EditionStore(editions=editions, mark=mark)
        self._adopt = self._store.adopt if adopting else self._store.check_adoptable
        self._lock = threading.Lock()
        self._older: OrderedDict[int, Edition] = OrderedDict()
        self.refusal: str | None = None
        """The reason why the delivered file is not the edition being served; None if it is."""
        self.hint: str | None = None
        """Advice on the refusal; None if there is none."""
        self._is_transient, self._checks = False, 0
        self.fault: Final = self._store.fault()
        """What was lost of the mark or of the newest adopted edition when this began; None if nothing was."""
        self._seen_stamps = self._stamps(None)
        self._served = self._load_newest(None)

    @property
    def current(self) -> Edition:
        """The edition that answers new questions; a question is answered by one edition from start to end."""
        return self._served.edition

    def find(self, number: int) -> Edition | None:
        """Return the edition of this number, opened; None if it is not kept here (docs/rules.md A-42)."""
        if number > self.current.number:
            self.refresh()  # another process may have noticed the edition a moment ago
        current = self.current
        if current.number == number:
            return current
        with self._lock:
            edition = self._older.pop(number, None) or self._find_kept(number)
            if edition is None:
                return None
            # Editions usually share their public lists: one copy in memory is enough.
            if edition.core_digest == current.core_digest:
                edition = replace(edition, core=current.core)
            if edition.charged_digest == current.charged_digest:
                edition = replace(edition, dover_charged=current.dover_charged)
            if edition.reference_digest == current.reference_digest:
                open_list = current.open_reference
                reference = edition.reference if edition.has_own_reference else open_list
                edition = replace(edition, reference=reference, open_reference=open_list)
            self._keep_open(edition)
        return edition

    def refresh(self) -> None:
        """Serve a newer edition if one was delivered; an error in it becomes the `refusal` and is not raised.

        Costs a few calls of stat if neither the files nor the keys changed. A key that arrives after its edition is a
        change too. A delivery refused because of this host and not because of its content, such as a full disk, is
        tried again after 60 calls.
        """
        self._checks += self._is_transient
        if self._stamps(self._served) == self._seen_stamps and self._checks < _CHECKS_BEFORE_RETRY:
            return
        with self._lock:
            # The stamps are taken before anything is read, so that a change during the reading is seen next time.
            stamps = self._stamps(self._served)
            if stamps == self._seen_stamps and self._checks < _CHECKS_BEFORE_RETRY:
                return
            self._checks = 0
            before = self._served.edition
            try:
                self._served = self._load_newest(self._served)
            finally:
                self._seen_stamps = stamps
            if self._served.edition is not before:
                self._keep_open(before)  # repeats of what it answered are asked at once

    def _keep_open(self, edition: Edition) -> None:
        self._older[edition.number] = edition
        if len(self._older) > _MAX_OLDER_OPEN:
            self._older.popitem(last=False)

    def _load_newest(self, served: _Served | None) -> _Served:
        """Return the delivered edition, adopted; if it is refused, the newest that was adopted here, opened."""
        try:
            loaded = self._load(served)
        except OrdwsError as fault:
            # Only texts are kept: the traceback of the error would keep decrypted bytes in memory.
            self.refusal, self.hint = str(fault), fault.hint
            self._is_transient = isinstance(fault.__cause__, OSError)
            newest = self._reopen_newest(served)
            if newest is None:
                raise
            return newest
        self.refusal, self.hint, self._is_transient = None, None, False
        return loaded

    def _reopen_newest(self, served: _Served | None) -> _Served | None:
        """Return the edition that the mark names, or the one served; None without either.

        Another process may have adopted a newer edition than this one has seen. Reopening an adopted edition is not
        adoption: its number needs no check.
        """
        try:
            number = self._store.read_mark()
        except OrdwsError:
            return served
        if served is not None and number <= served.edition.number:
            return served
        files, edition = self._store.find(number), self._find_kept(number)
        return served if files is None or edition is None else _Served(edition, files.digest)

    def _load(self, served: _Served | None) -> _Served:
        files = EditionFiles.read(*self._files)
        keyring = Keyring.open(self._keys)
        if served is not None and files.digest == served.digest:
            # Its copy may be gone from the store, or another process may have adopted a newer edition.
            self._adopt(files, served.edition.number, keyring)
            return served
        edition = files.open(keyring)
        if served is not None and edition.number <= served.edition.number:
            raise EditionRefused(
                f"edition {edition.number} does not follow edition {served.edition.number}",
                hint=restore_hint(served.edition.number),
            )
        # An edition is served only once it is stored, or a restart could serve an older one.
        self._adopt(files, edition.number, keyring)
        return _Served(edition, files.digest)

    def _find_kept(self, number: int) -> Edition | None:
        """Return a stored edition, opened; None if it is missing, does not open, or has another number."""
        files = self._store.find(number)
        if files is None:
            return None
        try:
            edition = files.open(Keyring.open(self._keys))
        except OrdwsError:
            return None
        return edition if edition.number == number else None

    def _stamps(self, served: _Served | None) -> list[_FileStamp]:
        """Return what shows that a delivery, a key or the mark is new, or that the mark or the served copy is gone."""
        try:
            keys = sorted(self._keys.iterdir())
        except OSError:
            keys = []
        stamps: list[_FileStamp] = []
        copy = [self._store.folder(served.edition.number)] if served else []
        for path in (*self._files, self._mark, *copy, self._keys, *keys):
            try:
                stat = path.stat()
            except OSError:
                stamps.append(None)
            else:
                stamps.append((stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))
        return stamps
