"""The short form of the weekend: everything that goes wrong at one, with fewer players and rounds."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser as Chromium
from weekend import Weekend

pytestmark = pytest.mark.long


def test_a_weekend_with_all_its_incidents(chromium: Chromium, tmp_path):
    """A late entry, a no-show, a botched draw, a power cut and a late correction end in a verified certificate."""
    with Weekend(chromium.browser_type, tmp_path, players=10, rounds=5) as weekend:
        weekend.run()
    assert weekend.certificate["repeats"] == 0
