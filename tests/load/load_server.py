"""The service under load: the real command in processes of its own, on a core of its own, observed from outside."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.request import urlopen

from service_process import ORDWS_COMMAND

ROOT: Final = Path(__file__).parents[2]
SERVER_CORE: Final = 0
GENERATOR_CORE: Final = 1
PATIENCE_SECONDS: Final = 60.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class ServiceProcess(NamedTuple):
    """A running service: its port, 0 for a Unix socket, and its main process."""

    port: int
    main: int

    def pids(self) -> list[int]:
        """The process ids of the service, the main process first."""
        return [self.main, *_children(self.main)]

    def cpu_seconds(self) -> float:
        """The processor time of all its processes so far."""
        return sum([_stat(pid) for pid in self.pids()])

    def resident(self) -> int:
        """The resident memory of all its processes in bytes, without pages of files, as of the meters' map.

        Those the kernel takes back when it needs them, and the map grows with the callers.
        """
        return sum([_resident(pid) for pid in self.pids()])


def pin(core: int) -> None:
    """Restrict the calling process to one core, where the machine has it."""
    if core in os.sched_getaffinity(0):
        os.sched_setaffinity(0, {core})


@contextmanager
def start_service(instance: Path, folder: Path, *options: str, path: Path | None = None) -> Iterator[ServiceProcess]:
    """Run `ordws serve` with one worker; it is stopped after the block, whatever happens.

    It listens on a free port or, if a path is given, on a Unix socket there. Its log lines are discarded: those of half
    an hour would fill a disk.
    """
    log = folder / "service.err"
    bind = "127.0.0.1:0" if path is None else f"unix:{path}"
    command = [
        sys.executable,
        *ORDWS_COMMAND,
        "serve",
        "--bind",
        bind,
        "--workers",
        "1",
        "--metrics",
        "off",
        "--computer",
        "off",
        "--stream",
        "off",
    ]
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*command, *options, "--instance", str(instance)],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            preexec_fn=lambda: pin(SERVER_CORE),
            start_new_session=True,
        )
    try:
        port = _ready_port(process, log) if path is None else _await_socket(process, log, path)
        yield ServiceProcess(port, process.pid)
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Terminate a process of ours and its children; kill them if they do not end in time."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _ready_port(process: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+),", log.read_text())
        if found is not None and _is_ready(int(found[1])):
            return int(found[1])
        time.sleep(0.05)
    raise SystemExit(f"error: the service does not come up\n{log.read_text()}")


def _await_socket(process: subprocess.Popen[bytes], log: Path, path: Path) -> int:
    """Wait until the service answers on a Unix socket; return 0 for its port."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket(socket.AF_UNIX) as probe:
            if probe.connect_ex(str(path)) == 0:
                probe.settimeout(PATIENCE_SECONDS)
                probe.sendall(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                if probe.recv(100).startswith(b"HTTP/1.1 200 "):
                    return 0
        time.sleep(0.05)
    raise SystemExit(f"error: the service does not come up\n{log.read_text()}")


def _is_ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def _children(pid: int) -> Sequence[int]:
    """Return the children of all threads of a process."""
    try:
        lists = [listed.read_text() for listed in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for child in " ".join(lists).split()]


def _stat(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _resident(pid: int) -> int:
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        return (int(resident) - int(shared)) * _PAGE
    except OSError:
        return 0
