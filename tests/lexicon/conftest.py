from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from edition_host import EditionHost

from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import NO_LISTS, SealedLists, seal

CORE, REFERENCE = b"CAT\nCOT\n", b"CAT\nCOT\nTAO\n"
Sealer = Callable[..., bytes]


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring.create(tmp_path / "keys")


@pytest.fixture
def sealer(keyring: Keyring) -> Sealer:
    """Return a function that seals words under the keyring, with the digests of the public lists above."""

    def make(
        *words: str,
        number: int = 1,
        keyring: Keyring = keyring,
        retired: tuple[str, ...] = (),
        lists: SealedLists = NO_LISTS,
    ) -> bytes:
        return seal(
            words,
            retired,
            number=number,
            name="ORDWS 2026",
            created=datetime(2026, 11, 20, 8, 15, tzinfo=UTC),
            core_digest=hashlib.sha256(CORE).hexdigest(),
            reference_digest=hashlib.sha256(REFERENCE).hexdigest(),
            keyring=keyring,
            lists=lists,
        )

    return make


@pytest.fixture
def host(tmp_path: Path, keyring: Keyring) -> EditionHost:
    return EditionHost(tmp_path, keyring)
