"""The common parts of the tests of served editions: a host's files, and a way to deliver editions to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ordws.lexicon.edition_store import EditionStore
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.open_editions import OpenEditions
from ordws.lexicon.sealed_edition import seal

DAMAGED = "the sealed edition does not open: it is damaged, or it was made under other keys"


@dataclass(frozen=True)
class EditionHost:
    """A folder with an installation's files, and the keys that seal for it."""

    root: Path
    keyring: Keyring

    def deliver(self, number: int, *words: str, core: bytes = b"CAT\n", reference: bytes = b"CAT\nCOT\n") -> bytes:
        """Deliver an edition as `publish` does: the public lists first, the sealed file last."""
        data = seal(
            words,
            [],
            number=number,
            name="ORDWS 2026",
            created=datetime(2026, 11, 20, tzinfo=UTC),
            core_digest=hashlib.sha256(core).hexdigest(),
            reference_digest=hashlib.sha256(reference).hexdigest(),
            keyring=self.keyring,
        )
        for name, content in (("core", core), ("reference", reference), ("ordws.sealed", data)):
            self.put(name, content)
        return data

    def put(self, name: str, content: bytes) -> None:
        (self.root / "new").write_bytes(content)
        (self.root / "new").replace(self.root / name)

    def open_editions(self, *, adopting: bool = True) -> OpenEditions:
        return OpenEditions(
            sealed=self.root / "ordws.sealed",
            mark=self.mark,
            editions=self.editions,
            core=self.root / "core",
            reference=self.root / "reference",
            charged=self.root / "dover-charged",
            keys=self.root / "keys",
            adopting=adopting,
        )

    @property
    def editions(self) -> Path:
        return self.root / "editions"

    @property
    def mark(self) -> Path:
        return self.root / "edition.mark"

    @property
    def store(self) -> EditionStore:
        return EditionStore(editions=self.editions, mark=self.mark)

    def folder_names(self) -> list[str]:
        return sorted(path.name for path in self.editions.iterdir())


def served(editions: OpenEditions) -> tuple[int, str | None]:
    """Return the number of the served edition, and the refusal if there is one."""
    return editions.current.number, editions.refusal
