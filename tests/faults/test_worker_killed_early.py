"""Tests of workers that end as soon as they begin: the service ends, and its supervisor starts it again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from kill_runs import add_operator, await_true, open_installation
from persistent_clients import ClientLoad
from processes import TIMEOUT_SECONDS, kill_process
from service_process import ServiceProcess, serve_command
from supervised_host import SupervisedHost

KILLS = 3
BACK_SECONDS = 30


def new_workers(host: SupervisedHost, seen: set[int]) -> set[int]:
    """Return the two workers of a host once it has two that were not seen before; add them to `seen`."""
    await_true(lambda: len(set(host.workers()) - seen) == 2)
    new = set(host.workers()) - seen
    seen |= new
    return new


@pytest.mark.long
def test_workers_killed_as_they_begin_lose_nothing(tmp_path: Path) -> None:
    """Workers that are killed three times in their first seconds, under load, lose no acknowledged turn or charge.

    They are replaced, by the same main process or by the one that a supervisor starts in its place.
    """
    seen: set[int] = set()
    with (
        open_installation(tmp_path / "installation") as installation,
        SupervisedHost(installation.instance.root, tmp_path / "service.log") as host,
    ):
        with ClientLoad(host.port, add_operator(installation)) as load:
            load.acknowledged.wait_for(20)
            for _ in range(KILLS):
                for pid in new_workers(host, seen):
                    kill_process(pid)
            assert load.acknowledged.wait_for(20) < BACK_SECONDS
            load.check_latest()
        load.check()
        new_workers(host, seen)
    assert host.status == 0
    assert [pid for pid in seen if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.long
def test_sigterm_ends_a_service_whose_worker_was_just_killed(tmp_path: Path) -> None:
    """A service that is stopped while it replaces a killed worker ends with status 0 and leaves no process behind."""
    seen: set[int] = set()
    with (
        open_installation(tmp_path / "installation") as installation,
        SupervisedHost(installation.instance.root, tmp_path / "service.log") as host,
    ):
        for pid in new_workers(host, seen):
            kill_process(pid)
        for pid in new_workers(host, seen):
            kill_process(pid)
    assert host.status == 0
    assert [pid for pid in seen | set(host.workers()) if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.long
def test_workers_that_cannot_begin_end_the_service(tmp_path: Path) -> None:
    """Where a worker cannot begin, because of settings that were broken meanwhile, the service ends with an error."""
    with open_installation(tmp_path / "installation") as installation:
        command = serve_command(installation.instance.root, "--workers", "2", "--metrics", "off")
        service = ServiceProcess(tmp_path, installation.key, command)
        try:
            workers = service.workers()
            installation.instance.settings.write_text("[policy]\nno_such_budget = 1\n")
            kill_process(workers[0])
            assert service.process.wait(60) == 1
        finally:
            service.stop()
        told = service.error_log.read_text()
    assert told.endswith(
        "ordws: error: a worker ended, and so did its successor, within seconds; the lines above say why\n"
    )
    assert [pid for pid in workers if Path(f"/proc/{pid}").exists()] == []


def test_a_failing_start_ends_at_once(tmp_path: Path) -> None:
    """A configuration that is broken from the start is told by the main process, before any worker begins."""
    with open_installation(tmp_path / "installation") as installation:
        installation.instance.settings.write_text("[policy]\nno_such_budget = 1\n")
        command = [sys.executable, *serve_command(installation.instance.root)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 2
    assert "no_such_budget" in done.stderr
    assert "is served" not in done.stderr
