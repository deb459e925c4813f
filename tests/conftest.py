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

LONG = (
    "test_whole", "test_secrecy", "test_readme", "test_console_killed", "test_evening", "test_twin_lists",
    "test_bench_command", "test_kept_evening", "test_judge_page", "test_judge_table", "test_score_page",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no process is left with one of them while the others have done."""
    items.sort(key=lambda item: item.path.stem not in LONG)


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
