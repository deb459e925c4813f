"""The edition being served: followed when a newer one is dropped in, never taken back."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ordws.errors import EditionRefused, OrdwsError
from ordws.lexicon.delivery import Delivery
from ordws.lexicon.edition import Edition
from ordws.lexicon.kept import Kept
from ordws.lexicon.keyring import Keyring

_Stamp: TypeAlias = tuple[int, int, int, int] | None


class _Held(NamedTuple):
    edition: Edition
    digest: bytes


class Shelf:
    """The newest adopted edition, one shelf a process; several processes may share the folders.

    At start the file `sealed` is adopted, or else the edition that the mark names goes on being served. Where neither
    opens, the fault of `sealed` is raised. With `adopting=False` nothing on disk is changed.
    """

    def __init__(
        self, *, sealed: Path, mark: Path, editions: Path, core: Path, reference: Path, keyring: Keyring,
        adopting: bool = True,
    ) -> None:  # fmt: skip
        self._files = (sealed, core, reference)
        self._kept = Kept(editions=editions, mark=mark)
        self._keyring = keyring
        self._admits = self._kept.adopt if adopting else self._kept.check
        self._lock = threading.Lock()
        self._refusal: str | None = None
        self._seen = self._stamps()
        try:
            self._held = self._take(None)
        except OrdwsError as fault:
            self._refusal = str(fault)
            reopened = self._find_adopted()
            if reopened is None:
                raise
            self._held = reopened

    @property
    def current(self) -> Edition:
        """The edition that questions are asked of. A question keeps the one it took."""
        return self._held.edition

    @property
    def refusal(self) -> str | None:
        """Why the file that lies there is not the edition being served; None where it is."""
        return self._refusal

    def refresh(self) -> None:
        """Serve a newer edition where one was dropped in; a fault of it becomes the `refusal`, and nothing is raised.

        Three stats where nothing changed. They are taken before the files are read, so that a file which changes
        meanwhile is looked at again.
        """
        if self._stamps() == self._seen:
            return
        with self._lock:
            stamps = self._stamps()
            if stamps == self._seen:
                return
            try:
                self._held = self._take(self._held)
                self._refusal = None
            except OrdwsError as fault:
                self._refusal = str(fault)
            self._seen = stamps

    def _take(self, held: _Held | None) -> _Held:
        delivery = Delivery.read(*self._files)
        edition = delivery.open(self._keyring)
        digest = hashlib.sha256(delivery.sealed).digest()
        if held is not None:
            if digest == held.digest:
                return held
            if edition.number <= held.edition.number:
                raise EditionRefused(f"edition {edition.number} does not follow edition {held.edition.number}")
        self._admits(delivery, edition.number, self._keyring)
        return _Held(edition, digest)

    def _find_adopted(self) -> _Held | None:
        """The edition that the mark names. It was adopted once, so that its number needs no check."""
        mark = self._kept.read_mark()
        delivery = self._kept.find(mark)
        if delivery is None:
            return None
        try:
            edition = delivery.open(self._keyring)
        except OrdwsError:
            return None
        return _Held(edition, hashlib.sha256(delivery.sealed).digest()) if edition.number == mark else None

    def _stamps(self) -> tuple[_Stamp, ...]:
        return tuple([_stamp(path) for path in self._files])


def _stamp(path: Path) -> _Stamp:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
