"""The fixtures of the desk's tests: a desk without a browser, and one that Chromium windows reach."""

from __future__ import annotations

import pytest
from desk_client import DeskClient
from desk_events import TestDesk
from desk_windows import desk_server, windows

__all__ = ["desk_server", "windows"]


@pytest.fixture
def desk(tmp_path) -> TestDesk:
    """Return a desk over an empty folder."""
    return TestDesk(tmp_path / "events")


@pytest.fixture
def director(desk: TestDesk) -> DeskClient:
    """Return the requests of a director who is signed in."""
    client = DeskClient(desk)
    client.sign_in()
    return client
