"""Fixtures for all tests: a small installation, a service over it, a clock."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest
from browser_windows import chromium, free_windows
from flask import Flask
from hypothesis import HealthCheck, settings
from redis_cluster import LocalCluster
from small_installation import FakeClock, InProcessService, SmallInstallation, build_installation

from ordws import movegen
from ordws.guard.policy import Policy
from ordws.rules import engine

__all__ = ["chromium", "free_windows"]

MEMORY_FOLDER = Path("/dev/shm")
"""A folder in memory for temporary files: on a disk, every commit of every database would wait for it."""
MIN_FREE_BYTES = 3 << 30
YOUNG_OBJECTS = 100_000
"""The new objects after which garbage is looked for: after 700 of them it takes two thirds of parsing our modules."""
MAX_NEW_FILES = 300
"""A collection of garbage is worth its 0.3 s after so many files have been opened and not closed."""
if (
    "TMPDIR" not in os.environ
    and os.access(MEMORY_FOLDER, os.W_OK | os.X_OK)
    and shutil.disk_usage(MEMORY_FOLDER).free >= MIN_FREE_BYTES
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY_FOLDER)


class CompiledTemplates(jinja2.BytecodeCache):
    """The compiled templates of a process, whose tests make many applications with the same pages."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


Flask.jinja_options = {"bytecode_cache": CompiledTemplates()}

for profile, examples in (("suite", 25), ("all", 200)):
    settings.register_profile(
        profile,
        max_examples=examples,
        database=None,
        deadline=None,  # no test is timed
        suppress_health_check=[HealthCheck.too_slow],
        derandomize="ORDWS_NEW_EXAMPLES"
        not in os.environ,  # the same examples each time: what holds today holds tomorrow
    )

LONG = "long"
"""The marker of the tests that `make test-all` alone runs, before a release."""

NAMED = pytest.StashKey[str]()
"""What the command line named, or the folder of all tests."""

FIRST_MODULES = (
    "test_end_to_end",
    "test_secrecy",
    "test_readme",
    "test_noninterference",
    "test_play_journeys",
    "test_attackers",
    "test_finished_games",
    "test_ballot_secrecy",
    "test_store_contract",
    "test_judge_page",
    "test_judge_table_mode",
    "test_keep_page",
    "test_fuzz",
    "test_server",
    "test_whole_games",
    "test_move_generator",
    "test_station_page",
    "test_keep_rule_sets",
    "test_score_page",
    "test_home_page",
    "test_director_page",
    "test_game_js",
    "test_passkeys_browser",
    "test_pages",
    "test_reference_page",
    "test_desk_windows",
    "test_review_pages",
    "test_edition_pages",
    "test_process_secrecy",
    "test_nginx",
    "test_reply_sizes",
    "test_word_rule_noninterference",
)
"""Run first by `make test`, so that no process is left with one of them when the others have finished."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also the long trials that make test leaves out")


def pytest_configure(config: pytest.Config) -> None:
    """Load the profile of hypothesis, and refuse to test modules that were compiled from another source.

    Nothing that is collected becomes garbage, and looking for some again and again takes a fifth of the collection.
    """
    gc.disable()
    config.stash[NAMED] = " ".join(config.args)
    settings.load_profile("all" if config.option.all else "suite")
    config.addinivalue_line("markers", f"{LONG}: takes long, and holds whole what others hold in parts")
    for folder in (Path(engine.__file__).parent, Path(str(movegen.__file__)).parent):
        built = max([path.stat().st_mtime for path in folder.glob("*__mypyc.*")], default=0)
        compiled = [folder / f"{path.name.partition('.')[0]}.py" for path in folder.glob("*.so")]
        edited = [path.name for path in compiled if path.exists() and path.stat().st_mtime > built]
        if edited:
            raise pytest.UsageError(f"changed since they were compiled, run make .venv/run: {', '.join(edited)}")


def pytest_collection_finish() -> None:
    """Let no collection of garbage look at the modules and thousands of tests again, which takes a second each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 20, 20)
    gc.enable()


def count_open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - Path.iterdir takes ten times as long


FILES_KEPT = pytest.StashKey[int]()
"""The files that stayed open after the last collection: meters of commands are open until their process ends."""


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Close the files of services that are no longer used, and refer to themselves, before there are too many."""
    stash = item.config.stash
    if count_open_files() > stash.get(FILES_KEPT, 0) + MAX_NEW_FILES:
        gc.collect()
        stash[FILES_KEPT] = count_open_files()


def pytest_report_header() -> str:
    return f"rules engine: {engine.engine_build()}"


def pytest_collection(session: pytest.Session) -> None:
    """Let each of several processes begin with another folder, so that each module is compiled by one of them.

    On a new machine, processes that go the same way would all compile all modules.
    """
    worker, config, tests = os.environ.get("PYTEST_XDIST_WORKER"), session.config, Path(__file__).parent
    if worker and [Path(each).resolve() for each in config.args] == [tests]:
        with_tests = sorted({path.relative_to(tests).parts[0] for path in tests.rglob("test_*.py")})
        first = len(with_tests) * int(worker.removeprefix("gw")) // int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
        config.args = [str(tests / name) for name in (*with_tests[first:], *with_tests[:first])]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the longest files first, and long trials only with `--all` or where their module is named."""
    named = config.stash[NAMED]
    left_out = {
        item
        for item in items
        if item.get_closest_marker(LONG) and not config.option.all and item.path.stem not in named
    }
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])
    # The modules of each process come in another order, and their tests in the order of the module.
    items.sort(key=lambda item: (item.path.stem not in FIRST_MODULES, str(item.path)))


@pytest.fixture(autouse=True)
def _signals_act_as_before() -> Iterator[None]:
    """Fail a test that leaves a handler of its own: processes forked by later tests would not end on SIGTERM."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.getsignal(number) for number in numbers]
    yield
    assert [signal.getsignal(number) for number in numbers] == before


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[SmallInstallation]:
    with build_installation(tmp_path / "instance") as installation:
        yield installation


@pytest.fixture(scope="module")
def shared_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallInstallation]:
    """Build an installation for all tests of a module, where one for each test would take too long."""
    with build_installation(tmp_path_factory.mktemp("shared") / "instance") as installation:
        yield installation


@pytest.fixture(scope="session")
def shared_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    """Start a cluster of three Redis servers for all tests of a process, which takes two seconds."""
    with LocalCluster(tmp_path_factory.mktemp("redis") / "cluster") as cluster:
        yield cluster


@pytest.fixture
def cluster(shared_cluster: LocalCluster) -> LocalCluster:
    """Return a cluster without keys."""
    shared_cluster.empty()
    return shared_cluster


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def serve(installation: SmallInstallation, clock: FakeClock) -> Callable[..., InProcessService]:
    """Return a function that opens the service of the installation with its present files."""

    def serve(policy: Policy | None = None, **settings: Any) -> InProcessService:
        return InProcessService(installation.services(policy), installation.key, clock, **settings)

    return serve


@pytest.fixture
def service(serve: Callable[..., InProcessService]) -> InProcessService:
    return serve()
