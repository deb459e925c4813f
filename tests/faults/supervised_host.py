"""The service under a supervisor that restarts it as systemd does."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from free_ports import free_port
from http_replies import status_of
from processes import ROOT, TIMEOUT_SECONDS, kill_process, kill_tree, stop, workers
from service_process import serve_command


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
        stream = f"127.0.0.1:{self.port + 1}" if has_stream else "off"
        options = ("--bind", f"127.0.0.1:{self.port}", "--workers", f"{workers}", "--metrics", "off")
        self._command = [*inside, sys.executable, *serve_command(instance, *options, "--stream", stream)]
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
        return workers(self._process.pid)

    def kill_worker(self, chance: Any) -> None:
        """Kill a worker, if there is one yet."""
        if found := self.workers():
            kill_process(chance.choice(found))

    def kill(self) -> None:
        """Kill the main process and all workers at once."""
        kill_tree(self._process.pid)

    def wait_until_ready(self) -> SupervisedHost:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while status_of(self.port, "/readyz") != 200:
            assert time.monotonic() < deadline, f"not ready after {TIMEOUT_SECONDS} s:\n{self.log.read_text()}"
            self._is_over.wait(0.02)
        return self

    def stop(self) -> None:
        """End the service as systemd does, and keep its exit status as `status`."""
        self._is_over.set()
        self.status = stop(self._process)
        self._keeper.join(TIMEOUT_SECONDS)
        self._file.close()

    def __enter__(self) -> SupervisedHost:
        return self.wait_until_ready()

    def __exit__(self, *_: object) -> None:
        self.stop()
