"""Commands in forked processes that have everything loaded, so that tests that run many of them are faster."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from coverage import Coverage

ROOT = Path(__file__).parents[1]
MEASURES_COVERAGE = "ORDWS_COVERAGE" in os.environ
TIMEOUT_SECONDS = 60
PRELOADED_MODULES = (
    "builders.cli",
    "builders.recipe",
    "builders.build_report",
    "lemminflect",
    "ordws.cli",
    "ordws.cli.accounts",
    "ordws.cli.backup",
    "ordws.cli.curation",
    "ordws.cli.guard",
    "ordws.cli.init",
    "ordws.cli.judge",
    "ordws.cli.restore",
    "ordws.cli.status",
    "ordws.curation.ledger",
    "ordws.api.services",
    "ordws.lexicon.sealed_edition",
    "ordws.server",
)
PROGRAMS = {"ordws": "ordws.cli", "ordws-build": "builders.cli"}


def run_preloaded(command: list[str], environment: dict[str, str], stdin: str) -> subprocess.CompletedProcess[str]:
    """Return what `subprocess.run` of one of our programs would return."""
    with tempfile.TemporaryFile() as standard_input, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        standard_input.write(stdin.encode())
        standard_input.seek(0)
        request = json.dumps([command, environment]).encode()
        socket.send_fds(
            _preloaded_process(), [len(request).to_bytes(4)], [standard_input.fileno(), out.fileno(), err.fileno()]
        )
        _preloaded_process().sendall(request)
        status = int.from_bytes(_preloaded_process().recv(4, socket.MSG_WAITALL), signed=True)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(command, status, out.read().decode(), err.read().decode())


@cache
def _preloaded_process() -> socket.socket:
    """Start the process that waits with everything loaded, one for each process of tests, and return its socket."""
    ours, theirs = socket.socketpair()
    ours.settimeout(TIMEOUT_SECONDS)
    process = subprocess.Popen(
        [sys.executable, "-c", f"from preloaded_commands import serve_commands; serve_commands({theirs.fileno()})"],
        cwd=ROOT,
        pass_fds=[theirs.fileno()],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
    )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait(TIMEOUT_SECONDS)

    atexit.register(end)
    return ours


def serve_commands(descriptor: int) -> None:
    """Fork a process for each command that is requested, until the other end of the socket closes."""
    for name in PRELOADED_MODULES:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=descriptor) as requests:
        while True:
            size, files, _, _ = socket.recv_fds(requests, 4, 3)
            if not size:
                return
            command, environment = json.loads(requests.recv(int.from_bytes(size), socket.MSG_WAITALL))
            if command[0] == "ordws-build":
                _read_what_builds_read()
            child = os.fork()
            if not child:
                requests.close()
                _run_program(command, environment, files)
            _, status = os.waitpid(child, 0)
            for file in files:
                os.close(file)
            requests.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, signed=True))


@cache
def _read_what_builds_read() -> None:
    """Read the table of inflections and the frequencies, which take a build longer than all of its own work here."""
    from wordfreq import zipf_frequency

    from builders.inflect import find_inflection_table, read_inflection_table

    read_inflection_table(find_inflection_table())
    zipf_frequency("word", "en")
    gc.freeze()


def _start_coverage() -> Coverage | None:
    """Measure this process where `make coverage` measures the tests; a server would refuse to run under its tracer."""
    if not MEASURES_COVERAGE:
        return None
    from coverage import Coverage

    measured = Coverage(config_file=str(ROOT / "pyproject.toml"), data_file=str(ROOT / ".coverage"), data_suffix=True)
    measured.start()
    return measured


def _run_program(command: list[str], environment: dict[str, str], files: list[int]) -> None:
    """Run a program in this process, which then exits."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(environment)
    tempfile.tempdir = None
    sys.argv = command
    program = sys.modules[PROGRAMS[Path(command[0]).name]]
    measured = _start_coverage()
    try:
        program.main()
    except SystemExit as end:
        atexit._run_exitfuncs()
        if measured is not None:
            measured.stop()
            measured.save()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 0)
