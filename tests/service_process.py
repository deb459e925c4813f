"""A service in a child process, as its users and an intruder see it."""

from __future__ import annotations

import ctypes
import http.client
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHON_PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "web")))
ORDWS_COMMAND = ["-c", "from ordws.cli import main; main()"]
TIMEOUT_SECONDS = 60
"""A deadline for a machine that has much else to do: services have to start and end by it."""
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

    def request(self, method, path, body=None, port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=TIMEOUT_SECONDS)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, body, headers)
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()

    def judge(self, *words, **fields):
        return self.request("POST", "/v1/judge", json.dumps({"words": words, **fields}))


class ServiceProcess(HttpServiceClient):
    """A service with two workers; its log and its standard error are kept in files."""

    def __init__(self, folder, key, command, **environment):
        self.key, self.log, self.error_log = key, folder / "service.log", folder / "service.err"
        # The program would start with each service, and /play would offer it.
        if "serve" in command and "--computer" not in command:
            command = [*command, "--computer", "off"]
        # An earlier service may have written to the same log.
        self._begun_before = self._workers_begun() if self.log.exists() else 0
        with self.log.open("a") as log, self.error_log.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *map(str, command)],
                cwd=ROOT,
                stdout=log,
                stderr=errors,
                preexec_fn=drop_privileges,
                env={**os.environ, "PYTHONPATH": PYTHON_PATH, **environment},
            )
        self.port = int(self._await(r"http://127\.0\.0\.1:(\d+),"))
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._is_ready() or len(self.workers()) < 2:
            assert not has_ended(self.process), self.error_log.read_text()
            assert time.monotonic() < deadline, self.log.read_text() + self.error_log.read_text()

    def _workers_begun(self):
        return self.log.read_text().count("a worker begins")

    def _await(self, pattern):
        """Wait until the standard error matches a pattern, and return the first group."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (found := re.search(pattern, self.error_log.read_text())):
            assert not has_ended(self.process), self.error_log.read_text()
            assert time.monotonic() < deadline, self.error_log.read_text()
        return found[1]

    def _is_ready(self):
        try:
            return self._workers_begun() >= self._begun_before + 2 and self.request("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def workers(self):
        """Return the process ids of the workers."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in children if b"spawn_main" in command_line(pid)]

    def metrics(self):
        """Return the numbers of the metrics page by name and labels as written there."""
        port = int(self._await(r"metrics are at http://127\.0\.0\.1:(\d+)/metrics"))
        status, page = self.request("GET", "/metrics", port=port)
        assert status == 200
        lines = [line.rpartition(" ") for line in page.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    def output(self):
        return self.log.read_text() + self.error_log.read_text()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(TIMEOUT_SECONDS)


def has_ended(process):
    """Tell whether a process ends within 20 ms; a loop that waits for a process looks no more often than that."""
    try:
        process.wait(0.02)
    except subprocess.TimeoutExpired:
        return False
    return True


def command_line(pid):
    """Return the command line of a process, empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
