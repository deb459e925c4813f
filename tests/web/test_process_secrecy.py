"""Tests that nothing secret shows in the memory, errors and log of a running service."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from failing_services import FAILING_WORD
from processes import ROOT, TIMEOUT_SECONDS, has_ended
from service_process import ORDWS_COMMAND, ServiceProcess, drop_privileges, serve_command

from ordws.guard.charge import Identity
from ordws.guard.gate import DETECTOR_NAMES

LOOK = """
import ctypes, os, sys
pid = int(sys.argv[1])
for name in ("maps", "environ", "mem"):
    try:
        print(name, len(open(f"/proc/{pid}/{name}", "rb").read(1)))
    except OSError as error:
        print(name, error.strerror)
libc = ctypes.CDLL(None, use_errno=True)
print("it is traced" if libc.ptrace(16, pid, 0, 0) == 0 else os.strerror(ctypes.get_errno()))
"""
REFUSED = [
    "maps Permission denied",
    "environ Permission denied",
    "mem Permission denied",
    "Operation not permitted",
]
SMALLEST_PIPE = 4096  # what Linux gives at least: a page


def look_into(pid):
    """Return what another process of the same user can see of the process."""
    done = subprocess.run(
        [sys.executable, "-c", LOOK, str(pid)], capture_output=True, text=True, preexec_fn=drop_privileges, timeout=30
    )
    return done.stdout.splitlines()


def core_limit(pid):
    limits = Path(f"/proc/{pid}/limits").read_text()
    return next(line.split()[4:6] for line in limits.splitlines() if line.startswith("Max core file size"))


@pytest.fixture(scope="module")
def real(shared_installation, tmp_path_factory):
    """`ordws serve`, as a keeper starts it."""
    command = serve_command(shared_installation.instance.root, "--workers", "2", "--metrics", "off")
    running = ServiceProcess(tmp_path_factory.mktemp("real"), shared_installation.key, command)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def worried(shared_installation, tmp_path_factory):
    """The service over failing services, and the notes of its processes."""
    folder = tmp_path_factory.mktemp("worried")
    command = [Path(__file__).parent / "failing_services.py", shared_installation.instance.root, folder / "notes"]
    running = ServiceProcess(folder, shared_installation.key, command)
    yield running, folder / "notes"
    running.stop()


def test_an_ordinary_process_can_be_inspected():
    """A process that is not hardened must show everything, so that the other tests mean something."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, preexec_fn=drop_privileges)
    try:
        assert look_into(child.pid)[:2] == ["maps 1", "environ 1"]
    finally:
        os.kill(child.pid, signal.SIGCONT)  # whoever traced it has stopped it
        child.communicate(b"\n", timeout=30)


def test_the_processes_of_a_service_cannot_be_inspected(real):
    """Neither the main process nor a worker may show its memory, take a debugger or leave a core file."""
    workers = real.workers()
    assert len(workers) == 2
    for pid in (real.process.pid, *workers):
        assert look_into(pid) == REFUSED
        assert core_limit(pid) == ["0", "0"]


def test_an_exception_becomes_a_500_without_its_values(worried, shared_installation):
    """An exception must become a 500 with an id, and the log has type and place, and no word, key or client."""
    running, _ = worried
    status, body = running.judge(FAILING_WORD, "LOVERS", game="club night")
    problem = json.loads(body)
    assert (status, problem["code"]) == (500, "internal-error")
    assert running.judge("LOVERS") == (200, b'{"valid":true }')
    lines = [json.loads(line) for line in running.log.read_text().splitlines()]
    (fault,) = [line for line in lines if line.get("status") == 500]
    assert fault["fault"].startswith(f"KeyError at {Path(__file__).parent / 'failing_services.py'}:")
    assert problem["instance"] == f"urn:ordws:request:{fault['id']}"
    assert set(fault) == {"time", "level", "event", "id", "method", "route", "status", "milliseconds", "fault"}
    said = running.output() + body.decode()
    for secret in (FAILING_WORD, "LOVERS", "club night", shared_installation.key, "Identity(", "Traceback"):
        assert secret not in said


def test_every_process_is_hardened_before_it_reads_its_keys(worried):
    """The main process and the workers must be hardened before they read their keys."""
    running, notes = worried
    kept = {line["pid"]: line for line in map(json.loads, notes.read_text().splitlines())}
    assert set(kept) == {running.process.pid, *running.workers()}
    for line in kept.values():
        assert (line["dumpable"], line["core"], line["hook"]) == (0, [0, 0], True)


def test_an_alarm_is_logged_without_an_identity(real, shared_installation):
    """The log line of an alarm must name the command for the keeper, and neither the identity nor a word."""
    swept = [f"ZZZ{chr(65 + first)}{chr(65 + second)}" for first in range(2) for second in range(26)]
    for word in swept:
        real.judge(word, game="g")
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while "has come to an alarm" not in real.log.read_text():
        assert real.judge("AB")[0] == 200
        assert time.monotonic() < deadline
    lines = [json.loads(line) for line in real.log.read_text().splitlines()]
    alarms = [line for line in lines if line["level"] == "warning"]
    assert {line["event"] for line in alarms} <= {
        f'a sign of mining, "{sign}", has come to an alarm: see ordws guard report' for sign in DETECTOR_NAMES
    }
    assert all(set(line) == {"time", "level", "event"} for line in alarms)
    said = real.output()
    assert not any(secret in said for secret in (*swept, "home", shared_installation.key))


def test_the_service_itself_has_no_metrics(real):
    """The service must have no route for metrics, and with `off` nothing else serves them."""
    assert real.request("GET", "/metrics")[0] == 404
    assert "ordws: metrics are off" in real.error_log.read_text()


def test_a_worker_that_dies_leaves_no_core(real):
    """A worker killed by a memory fault must leave no file, and its successor must be hardened too."""
    first, second = real.workers()
    os.kill(first, signal.SIGSEGV)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while len(others := [pid for pid in real.workers() if pid not in (first, second)]) < 1:
        assert not has_ended(real.process)
        assert time.monotonic() < deadline
    while real.log.read_text().count("a worker begins") < 3:
        assert not has_ended(real.process)
        assert time.monotonic() < deadline
    assert look_into(others[0]) == REFUSED
    assert {path.name for path in real.log.parent.iterdir()} == {"service.log", "service.err"}
    assert not list(ROOT.glob("core*"))
    assert "Fatal Python error" not in real.output()


TRACED = """
import ctypes, sys
assert ctypes.CDLL(None).ptrace(0, 0, 0, 0) == 0
from ordws.errors import BadInput
from ordws.server import harden
try:
    harden()
except BadInput as error:
    sys.exit(str(error))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who traces a process")
def test_a_process_that_is_traced_already_does_not_serve():
    """A service that a debugger has started must refuse to run."""
    child = subprocess.Popen([sys.executable, "-c", TRACED], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    said = child.communicate(timeout=30)[1]
    assert (child.returncode, said) == (1, "the service does not run under a debugger or a tracer\n")


@pytest.mark.parametrize("command", ["trace", "report"])
def test_commands_that_read_secrets_are_hardened(command, installation, tmp_path):
    """Commands that read a leaked list or the meters must be hardened too."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arguments = {"trace": [pipe], "report": ["--svg", pipe]}[command]
    child = subprocess.Popen(
        [sys.executable, *ORDWS_COMMAND, "--instance", installation.instance.root, "guard", command, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=drop_privileges,
    )
    if command == "trace":
        with pipe.open("w") as file:  # which it has opened too by then
            seen, limit = look_into(child.pid), core_limit(child.pid)
            file.write("lovers\n")
    else:
        with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as file:
            fcntl.fcntl(file, fcntl.F_SETPIPE_SZ, SMALLEST_PIPE)  # which the chart overflows: its writer has to wait
            assert select.select([file], [], [], TIMEOUT_SECONDS)[0]
            seen, limit = look_into(child.pid), core_limit(child.pid)
            os.set_blocking(file.fileno(), True)
            chart = file.read()
            assert chart.startswith(b"<svg")
            assert len(chart) > SMALLEST_PIPE
    out, said = child.communicate(timeout=30)
    assert (seen, limit) == (REFUSED, ["0", "0"])
    assert (child.returncode, said) == (0, "")
    assert "lovers" not in out.lower()


def test_an_exception_of_a_command_has_no_values(installation):
    """A damaged alarm must stop the report with type and place, without its value."""
    subject = installation.services().gate.pricing.subject(Identity("1", 0))
    with closing(sqlite3.connect(installation.instance.meters / "lasting.db")) as db, db:
        db.execute("insert into lasting (subject, alarm, alarm_until) values (?, 'run', 'ZZXQV')", (subject,))
    done = subprocess.run(
        [
            sys.executable,
            *ORDWS_COMMAND,
            "--instance",
            installation.instance.root,
            "guard",
            "report",
            "--json",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ordws: error: TypeError at {ROOT}/ordws/")
    assert "ZZXQV" not in done.stderr
    assert "Traceback" not in done.stderr
