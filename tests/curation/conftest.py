from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from ledger_samples import AT, BASH, ZORIL, LedgerFiles, ballot, by_line

from ordws.curation.ledger import Ledger


@pytest.fixture
def place(tmp_path: Path) -> LedgerFiles:
    return LedgerFiles(tmp_path)


@pytest.fixture(scope="session")
def queued(tmp_path_factory: pytest.TempPathFactory) -> LedgerFiles:
    """To copy: a ledger that has BASH, BASHED and BASHINGS, and ZORIL, in its queue."""
    place = LedgerFiles(tmp_path_factory.mktemp("queued"))
    with place.create() as ledger:
        ledger.set_queue([BASH, ZORIL], AT)
    return place


@pytest.fixture(scope="session")
def used(tmp_path_factory: pytest.TempPathFactory, queued: LedgerFiles) -> LedgerFiles:
    """To copy: four links, namely that queue, two ballots that decide BASH, an override, a ballot on ZORIL."""
    place = LedgerFiles(tmp_path_factory.mktemp("used"))
    copy(queued, place)
    with place.open() as ledger:
        ledger.cast(by_line(ballot("a1", "ann", "in"), ballot("b1", "ben", "in")), AT)
        ledger.override("exclude", "BASHED", reason="a misprint", keeper="Kay", at=AT)
        ledger.cast(by_line(ballot("a2", "ann", "out", "ZORIL", reason="foreign")), AT)
    return place


@pytest.fixture
def ledger(place: LedgerFiles, queued: LedgerFiles) -> Iterator[Ledger]:
    """A ledger that has BASH, BASHED and BASHINGS, and ZORIL, in its queue."""
    copy(queued, place)
    with place.open() as ledger:
        yield ledger


@pytest.fixture
def closed(place: LedgerFiles, used: LedgerFiles) -> LedgerFiles:
    """A ledger of four links that nobody has open."""
    copy(used, place)
    return place


def copy(place: LedgerFiles, to: LedgerFiles) -> None:
    shutil.copy(place.path, to.path)
    shutil.copy(place.head, to.head)
