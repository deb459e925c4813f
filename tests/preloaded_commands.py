"""Commands in forked processes that have everything loaded, so that tests that run many of them are faster."""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

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
    "ordws.cli.console",
    "ordws.cli.backup",
    "ordws.cli.curation",
    "ordws.cli.guard",
    "ordws.cli.init",
    "ordws.cli.judge",
    "ordws.cli.status",
    "ordws.curation.ledger",
    "ordws.api.services",
    "ordws.lexicon.sealed_edition",
    "ordws.server",
)
PROGRAMS = {"ordws": "ordws.cli", "ordws-build": "builders.cli"}
PROGRAM = """\
#!{python} -SE
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect("{address}")
    request = json.dumps([["{name}", *sys.argv[1:]], dict(os.environ), os.getcwd()]).encode()
    socket.send_fds(connection, [len(request).to_bytes(4)], [0, 1, 2])
    connection.sendall(request)
    sys.exit(int.from_bytes(connection.recv(4, socket.MSG_WAITALL), signed=True))
"""
"""A program that is started as any other, and runs in the process that has everything loaded."""


def run_preloaded(command: list[str], environment: dict[str, str], stdin: str) -> subprocess.CompletedProcess[str]:
    """Return what `subprocess.run` of one of our programs would return."""
    with tempfile.TemporaryFile() as standard_input, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        standard_input.write(stdin.encode())
        standard_input.seek(0)
        files = [standard_input.fileno(), out.fileno(), err.fileno()]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(TIMEOUT_SECONDS)
            connection.connect(_preloaded_process())
            request = json.dumps([command, environment, str(Path.cwd())]).encode()
            socket.send_fds(connection, [len(request).to_bytes(4)], files)
            connection.sendall(request)
            status = int.from_bytes(connection.recv(4, socket.MSG_WAITALL), signed=True)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(command, status, out.read().decode(), err.read().decode())


def write_programs(folder: Path) -> Path:
    """Write `ordws` and `ordws-build` into a folder, for shells and for programs that start them, and return it."""
    folder.mkdir()
    for name in PROGRAMS:
        (folder / name).write_text(PROGRAM.format(python=sys.executable, name=name, address=_preloaded_process()))
        (folder / name).chmod(0o700)
    return folder


@cache
def _preloaded_process() -> str:
    """Start the process that waits with everything loaded, one for each process of tests, and return its address."""
    folder = tempfile.TemporaryDirectory()
    address = f"{folder.name}/commands"
    ours, theirs = socket.socketpair()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        numbers = (listener.fileno(), theirs.fileno())
        process = subprocess.Popen(
            [sys.executable, "-c", f"from preloaded_commands import serve_commands; serve_commands{numbers}"],
            cwd=ROOT,
            pass_fds=numbers,
            env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"},
        )
    theirs.close()

    def end() -> None:
        ours.close()
        process.wait(TIMEOUT_SECONDS)
        folder.cleanup()

    atexit.register(end)
    return address


def serve_commands(listening: int, alive: int) -> None:
    """Fork a process for each command that comes to a socket, until the other end of the second one closes."""
    for name in PRELOADED_MODULES:
        importlib.import_module(name)
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=listening) as listener, socket.socket(fileno=alive) as tests:
        while tests not in select.select([listener, tests], [], [])[0]:
            connection, _ = listener.accept()
            with connection:
                size, files, _, _ = socket.recv_fds(connection, 4, 3)
                request = json.loads(connection.recv(int.from_bytes(size), socket.MSG_WAITALL))
                if Path(request[0][0]).name == "ordws-build":
                    _read_what_builds_read()
                if not os.fork():
                    _wait_for_program(request, files, connection)
            for file in files:
                os.close(file)
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _wait_for_program(request: list[Any], files: list[int], connection: socket.socket) -> NoReturn:
    """Run a program in a process of its own, send its exit status, and exit."""
    child = os.fork()
    if not child:
        connection.close()
        _run_program(*request, files)
    _, status = os.waitpid(child, 0)
    connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, signed=True))
    os._exit(0)


@cache
def _read_what_builds_read() -> None:
    """Read the table of inflections and the frequencies, which take a build longer than all of its own work here."""
    from builders.frequency import find_zipf
    from builders.inflect import find_inflection_table, read_inflection_table

    read_inflection_table(find_inflection_table())
    find_zipf("word")
    gc.freeze()


def _start_coverage() -> Coverage | None:
    """Measure this process where `make coverage` measures the tests; a server would refuse to run under its tracer."""
    if not MEASURES_COVERAGE:
        return None
    from coverage import Coverage

    measured = Coverage(config_file=str(ROOT / "pyproject.toml"), data_file=str(ROOT / ".coverage"), data_suffix=True)
    measured.start()
    return measured


def _run_program(command: list[str], environment: dict[str, str], folder: str, files: list[int]) -> None:
    """Run a program in this process, which then exits."""
    os.chdir(folder)
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
