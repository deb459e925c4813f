"""Helpers for the tests of the keepers' commands: an installation's files, and the keys that it shows."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ordws.api.services import open_register
from ordws.atomic_files import write_atomically
from ordws.cli.editions import open_edition_store
from ordws.curation.ledger import Ledger
from ordws.instance import Instance
from ordws.lexicon.edition_store import EditionFiles
from ordws.lexicon.keyring import Keyring
from ordws.lexicon.sealed_edition import seal

CLIENT_KEY = re.compile(r"^ordws_live_[0-9A-Za-z]{49}$", re.MULTILINE)
RECOVERY_KEY = re.compile(r"^ordws_recovery_[a-z2-7]{58}$", re.MULTILINE)
WORDS, CORE, REFERENCE = ("ZOA", "QUIZZIFY", "TAO"), b"CAT\n", b"CAT\nCOT\n"
Command = Callable[..., tuple[int, str, str]]
"""A function that runs a command line and returns exit status, standard output and standard error."""


class InitResult(NamedTuple):
    """An installation, and the keys that init showed."""

    instance: Instance
    client: str
    recovery: str


def adopt_edition(instance: Instance, number: int, *words: str, retired: tuple[str, ...] = ()) -> None:
    """Seal and adopt an edition as a build does."""
    sealed = seal(
        words,
        retired,
        number=number,
        name="ORDWS 2026",
        created=datetime(2026, 11, 20, 8, 15, tzinfo=UTC),
        core_digest=hashlib.sha256(CORE).hexdigest(),
        reference_digest=hashlib.sha256(REFERENCE).hexdigest(),
        keyring=Keyring.open(instance.keys),
    )
    for path, data in ((instance.core, CORE), (instance.reference, REFERENCE), (instance.sealed_edition, sealed)):
        write_atomically(path, data)
    open_edition_store(instance).adopt(EditionFiles(sealed, CORE, REFERENCE), number, Keyring.open(instance.keys))


def add_override(ledger: Ledger, word: str) -> None:
    ledger.override("add", word, reason="asked for by the club", keeper="Ada", at="2026-11-20T08:15:00Z")


def open_ledger(instance: Instance) -> Ledger:
    return Ledger.open(
        instance.ledger, instance.ledger_head, instance.ledger_key.read_bytes(), Keyring.open(instance.keys)
    )


def accepts_key(instance: Instance, key: str) -> bool:
    register = open_register(instance)
    try:
        return register.identify(f"Bearer {key}", int(time.time())) is not None
    finally:
        register.close()


def read_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_secret_files(instance: Instance) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in instance.keys.iterdir() if path.name != "signing-1.pub"}
