from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_samples import AT, BASH, ZORIL, LedgerFiles, ballot, by_line

from ordws.curation.ledger import Ledger


@pytest.fixture
def ledger_files(tmp_path: Path) -> LedgerFiles:
    return LedgerFiles(tmp_path)


@pytest.fixture(scope="session")
def queued(tmp_path_factory: pytest.TempPathFactory) -> LedgerFiles:
    """The files of a ledger to copy, whose queue has BASH (with BASHED and BASHINGS) and ZORIL."""
    ledger_files = LedgerFiles(tmp_path_factory.mktemp("queued"))
    with ledger_files.create() as ledger:
        ledger.set_queue([BASH, ZORIL], AT)
    return ledger_files


@pytest.fixture(scope="session")
def used(tmp_path_factory: pytest.TempPathFactory, queued: LedgerFiles) -> LedgerFiles:
    """The files of a ledger to copy: that queue, two ballots that decide BASH, an override, a vote on ZORIL."""
    ledger_files = LedgerFiles(tmp_path_factory.mktemp("used"))
    copy(queued, ledger_files)
    with ledger_files.open() as ledger:
        ledger.cast(by_line(ballot("a1", "ann", "in"), ballot("b1", "ben", "in")), AT)
        ledger.override("exclude", "BASHED", reason="a misprint", keeper="Kay", at=AT)
        ledger.cast(by_line(ballot("a2", "ann", "out", "ZORIL", reason="foreign")), AT)
    return ledger_files


@pytest.fixture
def ledger(ledger_files: LedgerFiles, queued: LedgerFiles) -> Iterator[Ledger]:
    """An open ledger whose queue has BASH (with BASHED and BASHINGS) and ZORIL."""
    copy(queued, ledger_files)
    with ledger_files.open() as ledger:
        yield ledger


@pytest.fixture
def closed(ledger_files: LedgerFiles, used: LedgerFiles) -> LedgerFiles:
    """The files of a ledger of four links that no process has open."""
    copy(used, ledger_files)
    return ledger_files


def copy(ledger_files: LedgerFiles, to: LedgerFiles) -> None:
    shutil.copy(ledger_files.path, to.path)
    shutil.copy(ledger_files.head, to.head)
