"""Whatever is killed, nothing is lost that was acknowledged. `make faults` does the same fifty times each."""

from __future__ import annotations

from random import Random

from kill_runs import kill_redis, kill_under_load, open_house
from supervised_host import SupervisedHost


def test_killed_processes_forget_nothing(tmp_path):
    """A worker, then all at once over SQLite: turns stand, none answers two moves, budgets are spent, all is back."""
    log = tmp_path / "service.log"
    with open_house(tmp_path / "house") as installation, SupervisedHost(installation.instance.root, log) as host:
        done = kill_under_load("processes", installation, host, [lambda: host.kill_worker(Random(1)), host.kill])
        assert log.read_text().count("a worker begins") > 3
    assert host.restarts >= 1
    assert done.turns > 3


def test_a_killed_store_forgets_nothing(tmp_path):
    """The same of Redis, killed and started again beside a service that goes on."""
    done = kill_redis(tmp_path / "house", 3)
    assert done.restarts == 0
    assert done.turns > 3
