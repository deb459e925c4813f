"""Fixtures for the tests of paired devices: a club for each test, of one service for all tests of a module."""

from __future__ import annotations

import pytest
from paired_devices import CLUB_NUMBERS, DAY, Director, make_director
from small_installation import NOON, FakeClock, InProcessService


@pytest.fixture(scope="module")
def installation(shared_installation):
    return shared_installation


@pytest.fixture(scope="module")
def running():
    return FakeClock()


@pytest.fixture
def clock(running):
    running.now = NOON
    return running


@pytest.fixture(scope="module")
def served(installation, running):
    """The service that all tests of a module use, each with a club of its own."""
    return InProcessService(installation.services(), installation.key, running)


@pytest.fixture
def service(served, clock):
    served.lines.clear()
    return served


@pytest.fixture
def name():
    return f"club {next(CLUB_NUMBERS)}"


@pytest.fixture
def club(service, installation, name):
    return make_director(service, installation, name)


@pytest.fixture
def home(service, installation, name):
    return Director(service, installation.register.add(f"home of {name}", "home", NOON - 40 * DAY))


@pytest.fixture
def tablet(club):
    return club.pairs("Table 3")
