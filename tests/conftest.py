"""One small installation, and the service of it, for whatever test asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import chromium
from hypothesis import settings
from small_house import Clock, House, Service, build_house

from ordws.guard.policy import Policy

__all__ = ["chromium"]

settings.register_profile("suite", deadline=None)  # no test is timed
settings.load_profile("suite")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with build_house(tmp_path / "instance") as house:
        yield house


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house for all tests of a module, where building one for each would take too long."""
    with build_house(tmp_path_factory.mktemp("shared") / "instance") as house:
        yield house


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def serve(house: House, clock: Clock) -> Callable[..., Service]:
    """Opens the service of the house as its files are by now."""

    def serve(policy: Policy | None = None, **settings: Any) -> Service:
        return Service(house.desk(policy), house.key, clock, **settings)

    return serve


@pytest.fixture
def service(serve: Callable[..., Service]) -> Service:
    return serve()
