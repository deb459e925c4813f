"""Fixtures: case files in memory's folder."""

from __future__ import annotations

import pytest

from ordws.cases.store import CaseFiles


@pytest.fixture
def case_files(tmp_path):
    files = CaseFiles.create(tmp_path / "cases.db", bytes(32))
    yield files
    files.close()
