"""A service in a child process, as its users and an intruder see it."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

from http_replies import send, status_of
from processes import ROOT, await_start, stop, workers

PYTHON_PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "web")))
ORDWS_COMMAND = ["-c", "from ordws.cli import main; main()"]
_CAPBSET_DROP, _CAPABILITIES = 24, 64


def serve_command(instance: Path, *options: str) -> list[str]:
    """Return the arguments of python for a service at a free port of this host, with nothing beside it by default."""
    command = [*ORDWS_COMMAND, "--instance", str(instance), "serve", "--bind", "127.0.0.1:0", "--computer", "off"]
    return [*command, "--stream", "off", *options]


def drop_privileges() -> None:
    """Take root's capabilities from a child before it starts, so that it is as any user; fails for other users."""
    libc = ctypes.CDLL(None)
    for capability in range(_CAPABILITIES):
        libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)


class HttpServiceClient:
    """A client of a service on a port of this host."""

    def request(self, method, path, body=None):
        """Return the status and the body of the reply to a request with the client's key."""
        status, _, data = self.send(method, path, {}, body)
        return status, data

    def send(self, method, path, headers, body):
        """Return the whole reply; as a sealed game calls it (`sealed_game.py`)."""
        return send(self.port, method, path, body, **{"Authorization": f"Bearer {self.key}", **headers})

    def judge(self, *words, **fields):
        return self.request("POST", "/v1/judge", {"words": words, **fields})


class ServiceProcess(HttpServiceClient):
    """A service with two workers; its log and its standard error are kept in files."""

    def __init__(self, folder, key, command, **environment):
        self.key, self.log, self.error_log = key, folder / "service.log", folder / "service.err"
        # The program would start with each service, and /play would offer it.
        if "serve" in command and "--computer" not in command:
            command = [*command, "--computer", "off"]
        # An earlier service may have written to the same log.
        begun_before = self.workers_begun() if self.log.exists() else 0
        with self.log.open("a") as log, self.error_log.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *map(str, command)],
                cwd=ROOT,
                stdout=log,
                stderr=errors,
                preexec_fn=drop_privileges,
                env={**os.environ, "PYTHONPATH": PYTHON_PATH, **environment},
            )
        self.port = int(self.await_output(r"http://127\.0\.0\.1:(\d+),"))
        await_start(
            self.process,
            lambda: (
                self.workers_begun() >= begun_before + 2
                and status_of(self.port, "/readyz") == 200
                and len(self.workers()) >= 2
            ),
            self.log,
            self.error_log,
        )

    def workers_begun(self):
        """Return how many workers have begun so far, those that have ended included."""
        return self.log.read_text().count("a worker begins")

    def await_output(self, pattern):
        """Wait until the standard error matches a pattern, and return the first group."""
        return await_start(self.process, lambda: re.search(pattern, self.error_log.read_text()), self.error_log)[1]

    def workers(self):
        """Return the process ids of the workers."""
        return workers(self.process.pid)

    def metrics(self):
        """Return the numbers of the metrics page by name and labels as written there."""
        port = int(self.await_output(r"metrics are at http://127\.0\.0\.1:(\d+)/metrics"))
        status, _, page = send(port, "GET", "/metrics")
        assert status == 200
        lines = [line.rpartition(" ") for line in page.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    def output(self):
        return self.log.read_text() + self.error_log.read_text()

    def stop(self):
        return stop(self.process)
