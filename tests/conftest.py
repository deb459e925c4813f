"""One small installation, and the service of it, for whatever test asks for them."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_windows import chromium
from hypothesis import settings
from small_installation import FakeClock, InProcessService, SmallInstallation, build_installation

from ordws.guard.policy import Policy
from ordws.rules import engine

__all__ = ["chromium"]

MEMORY_FOLDER = Path("/dev/shm")
"""Files that nobody keeps need no disk, which would be waited for at every commit of every database."""
MIN_FREE_BYTES = 3 << 30
MAX_OPEN_FILES = 300
if (
    "TMPDIR" not in os.environ
    and os.access(MEMORY_FOLDER, os.W_OK | os.X_OK)
    and shutil.disk_usage(MEMORY_FOLDER).free >= MIN_FREE_BYTES
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY_FOLDER)

settings.register_profile("suite", deadline=None)  # no test is timed
settings.load_profile("suite")

LONG_MODULES = (
    "test_whole",
    "test_secrecy",
    "test_readme",
    "test_console_killed",
    "test_evening",
    "test_twin_lists",
    "test_bench_command",
    "test_kept_evening",
    "test_judge_page",
    "test_judge_table",
    "test_score_page",
    "test_accessible",
    "test_passkeys_browser",
    "test_fuzz",
    "test_server",
    "test_whole_games",
    "test_generator",
    "test_kept_game",
    "test_keep_page",
    "test_rules_js",
    "test_formatives_js",
    "test_director_page",
    "test_pages",
)


def pytest_configure() -> None:
    """No test runs against an engine that was compiled from other source than stands here."""
    rules = Path(engine.__file__).parent
    built = [path.stat().st_mtime for path in rules.glob("engine__mypyc.*")]
    edited = [path.name for path in rules.glob("*.py") if path.stat().st_mtime > max(built, default=0)]
    if edited and engine.engine_build() == "compiled":
        raise pytest.UsageError(f"changed since the engine was compiled, run make .venv/run: {', '.join(edited)}")


def pytest_runtest_teardown() -> None:
    """Files of desks that are no more used, and refer to themselves, are closed before there are too many."""
    if len(os.listdir("/proc/self/fd")) > MAX_OPEN_FILES:  # noqa: PTH208 - Path.iterdir takes ten times as long
        gc.collect()


def pytest_report_header() -> str:
    return f"rules engine: {engine.engine_build()}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first, so that no process is left with one of them while the others have done."""
    items.sort(key=lambda item: item.path.stem not in LONG_MODULES)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[SmallInstallation]:
    with build_installation(tmp_path / "instance") as house:
        yield house


@pytest.fixture(scope="module")
def shared_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """A house for all tests of a module, where building one for each would take too long."""
    with build_installation(tmp_path_factory.mktemp("shared") / "instance") as house:
        yield house


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def serve(house: SmallInstallation, clock: FakeClock) -> Callable[..., InProcessService]:
    """Opens the service of the house as its files are by now."""

    def serve(policy: Policy | None = None, **settings: Any) -> InProcessService:
        return InProcessService(house.desk(policy), house.key, clock, **settings)

    return serve


@pytest.fixture
def service(serve: Callable[..., InProcessService]) -> InProcessService:
    return serve()
