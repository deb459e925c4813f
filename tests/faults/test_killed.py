"""Tests that no acknowledgement is lost, whatever is killed. `make faults` does the same fifty times each."""

from __future__ import annotations

from random import Random

import pytest
from kill_runs import await_true, kill_redis, kill_under_load, open_installation
from supervised_host import SupervisedHost

pytestmark = pytest.mark.long


def test_killed_processes_forget_nothing(tmp_path):
    """After kills over SQLite turns stand, no turn has two moves, budgets are spent, and the service is back."""
    log = tmp_path / "service.log"
    with (
        open_installation(tmp_path / "installation") as installation,
        SupervisedHost(installation.instance.root, log) as host,
    ):
        done = kill_under_load("processes", installation, host, [lambda: host.kill_worker(Random(1)), host.kill])
        await_true(lambda: log.read_text().count("a worker begins") > 3)
    assert host.restarts >= 1
    assert done.turns > 3


def test_a_killed_store_forgets_nothing(tmp_path):
    """The same holds for Redis, killed and restarted beside a service that goes on."""
    done = kill_redis(tmp_path / "installation", 3)
    assert done.restarts == 0
    assert done.turns > 3
