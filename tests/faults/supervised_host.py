"""The service under a supervisor that restarts it as systemd does."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from free_ports import free_port
from service_process import ORDWS_COMMAND

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60


def children(pid: int) -> list[int]:
    """Return the child processes of a process; none if it has ended."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


class SupervisedHost:
    """A host whose service is restarted whenever it ends, as by `Restart=always`."""

    def __init__(
        self,
        instance: Path,
        log: Path,
        *,
        port: int = 0,
        inside: tuple[str, ...] = (),
        workers: int = 2,
        has_stream: bool = False,
    ) -> None:
        self.port, self.log, self.restarts, self.status = port or free_port(), log, 0, -1
        self._command = [
            *inside,
            sys.executable,
            *ORDWS_COMMAND,
            "--instance",
            str(instance),
            "serve",
            "--workers",
            f"{workers}",
            "--bind",
            f"127.0.0.1:{self.port}",
            "--metrics",
            "off",
            "--computer",
            "off",
            "--stream",
            f"127.0.0.1:{self.port + 1}" if has_stream else "off",
        ]
        self._is_over = threading.Event()
        self._file = log.open("ab")
        self._process = self._begin()
        self._keeper = threading.Thread(target=self._keep_up, daemon=True)
        self._keeper.start()

    def _begin(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, cwd=ROOT, stdout=self._file, stderr=self._file)

    def _keep_up(self) -> None:
        while not self._is_over.is_set():
            self._process.wait()
            if not self._is_over.wait(0.05):
                self.restarts += 1
                self._process = self._begin()

    def workers(self) -> list[int]:
        return [pid for pid in children(self._process.pid) if b"spawn_main" in _command_of(pid)]

    def kill_worker(self, chance: Any) -> None:
        """Kill a worker, if there is one yet."""
        if workers := self.workers():
            kill_process(chance.choice(workers))

    def kill(self) -> None:
        """Kill the main process and all workers at once."""
        for pid in (self._process.pid, *children(self._process.pid)):
            kill_process(pid)

    def is_ready(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def wait_until_ready(self) -> SupervisedHost:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.is_ready():
            assert time.monotonic() < deadline, f"not ready after {PATIENCE_SECONDS} s:\n{self.log.read_text()}"
            self._is_over.wait(0.02)
        return self

    def stop(self) -> None:
        """End the service as systemd does, and keep its exit status as `status`."""
        self._is_over.set()
        self._process.terminate()
        self._keeper.join(PATIENCE_SECONDS)
        self.status = self._process.wait(PATIENCE_SECONDS)
        self._file.close()

    def __enter__(self) -> SupervisedHost:
        return self.wait_until_ready()

    def __exit__(self, *_: object) -> None:
        self.stop()


def kill_process(pid: int) -> None:
    """Kill a process, unless it has ended already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
