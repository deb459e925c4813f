"""The files of an edition: the sealed bytes, and the public lists that its header names by digest."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ordws.errors import EditionRefused, Missing
from ordws.fold import MAX_WORD_LENGTH, MIN_WORD_LENGTH
from ordws.lexicon.bounded_read import read_bounded
from ordws.lexicon.edition import Edition
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import MAX_EDITION_BYTES, build_word_set, open_sealed

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
