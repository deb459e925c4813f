"""Tests of the metrics of a running service, whose workers are processes that may be killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack

import pytest
from processes import ROOT, TIMEOUT_SECONDS
from service_process import ServiceProcess, serve_command

from ordws.cli import ordws, run
from ordws.cli.listening import start_metrics


@pytest.fixture
def start(installation, tmp_path):
    """Return a function that starts the service with its metrics on a free port, and a folder for temporary files."""
    started = []
    (tmp_path / "tmp").mkdir()

    def start(*options):
        command = serve_command(installation.instance.root, "--workers", "2", *options)
        started.append(ServiceProcess(tmp_path, installation.key, command, TMPDIR=str(tmp_path / "tmp")))
        return started[-1]

    yield start
    for running in started:
        running.stop()


def judged(numbers):
    return numbers.get('ordws_requests_total{route="/v1/judge",status="200"}', 0)


@pytest.mark.long
def test_counts_of_killed_workers_are_kept(start, installation, tmp_path):
    """Two workers must make one page, a killed worker keeps its counts, and a killed service leaves nothing behind."""
    running = start("--metrics", "127.0.0.1:0")
    for _ in range(30):
        assert running.judge("CAT")[0] == 200
    assert running.judge("LOVERS", "QUIZ", game="club night")[0] == 200
    assert running.judge("C4T")[0] == 400
    before = running.metrics()
    assert judged(before) == 31
    assert before['ordws_refusals_total{budget="",code="bad-word"}'] == 1
    assert (before["ordws_edition_number"], before["ordws_meters_up"]) == (1, 1)
    assert (before["ordws_world_spent_units"], before["ordws_world_cap_units"]) == (0, 500)
    os.kill(running.workers()[0], signal.SIGKILL)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while running.log.read_text().count("a worker begins") < 3 or len(running.workers()) < 2:
        assert time.monotonic() < deadline
    for _ in range(30):
        assert running.judge("CAT")[0] == 200
    # Each worker notes once a second how many are under way, perhaps in the midst of those above.
    while (after := running.metrics())["ordws_requests_in_flight"]:
        assert time.monotonic() < deadline
    assert judged(after) == 61
    assert not any(word in json.dumps(list(after)) for word in ("LOVERS", "club", "home", installation.key))
    running.process.kill()
    running.process.wait(TIMEOUT_SECONDS)
    assert list((tmp_path / "tmp").iterdir()) == []


def refused(installation, *options):
    """Return the standard error of a service that must not start."""
    done = subprocess.run(
        [sys.executable, *serve_command(installation.instance.root, *options)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr


def test_metrics_are_for_this_host_alone(installation):
    """An address of another host must be an error, and the service must not start without the metrics asked for."""
    assert refused(installation, "--metrics", "0.0.0.0:9464") == (
        'ordws: error: metrics are for this host alone, and "0.0.0.0" is not its loopback\n'
        "ordws: hint: --metrics names another HOST:PORT of this host, or off\n"
    )


def test_an_address_for_metrics_is_host_and_port(monkeypatch, capsys):
    """A value that is not HOST:PORT must be an error of that option."""
    monkeypatch.setattr("sys.argv", ["ordws", "serve", "--metrics", "9464"])
    assert run(ordws, "ordws") == 2
    said = capsys.readouterr().err
    assert 'Invalid value for --metrics: "9464" is not HOST:PORT, as in 127.0.0.1:8000' in said


def test_a_requested_port_in_use_is_an_error(installation):
    """A port in use that was asked for must be an error that names it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f'metrics cannot be served on "127.0.0.1:{port}"' in refused(
            installation, "--metrics", f"127.0.0.1:{port}"
        )


def test_without_the_default_port_the_service_has_no_metrics():
    """Where the default port is in use, the service must start without metrics, and say so."""
    with socket.socket() as taken, ExitStack() as stack:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        usual = taken.getsockname()
        said = start_metrics(stack, usual, lambda: b"", is_given=False)
    assert said == f'metrics are off: metrics cannot be served on "127.0.0.1:{usual[1]}": Address already in use'
