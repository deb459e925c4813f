"""A service in a child process, as its users and those who would look into it see it."""

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
PYTHON_PATH = os.pathsep.join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "service")))
ORDWS_COMMAND = ["-c", "from ordws.cli import main; main()"]
TIMEOUT_SECONDS = 30
_CAPBSET_DROP, _CAPABILITIES = 24, 64


def drop_privileges() -> None:
    """For a child that is about to begin: root is a user as others then. It fails where it is one already."""
    libc = ctypes.CDLL(None)
    for capability in range(_CAPABILITIES):
        libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)


class HttpServiceClient:
    """A service on a port of this host, asked with the key of a client."""

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
    """A service with two workers; its log and what it said are kept in files."""

    def __init__(self, folder, key, command, **environment):
        self.key, self.log, self.said = key, folder / "service.log", folder / "service.err"
        with self.log.open("a") as log, self.said.open("w") as said:
            self.process = subprocess.Popen(
                [sys.executable, *map(str, command)],
                cwd=ROOT,
                stdout=log,
                stderr=said,
                preexec_fn=drop_privileges,
                env={**os.environ, "PYTHONPATH": PYTHON_PATH, **environment},
            )
        self.port = int(self._await(r"http://127\.0\.0\.1:(\d+),"))
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not self._is_ready() or len(self.workers()) < 2:
            assert not has_ended(self.process), self.said.read_text()
            assert time.monotonic() < deadline, self.log.read_text() + self.said.read_text()

    def _await(self, pattern):
        """What is found in what the process says, as soon as it is said."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not (found := re.search(pattern, self.said.read_text())):
            assert not has_ended(self.process), self.said.read_text()
            assert time.monotonic() < deadline, self.said.read_text()
        return found[1]

    def _is_ready(self):
        try:
            return self.log.read_text().count("a worker begins") >= 2 and self.request("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def workers(self):
        """The processes that answer."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in found if b"spawn_main" in command_line(pid)]

    def metrics(self):
        """Numbers by name and labels, as they are written."""
        port = int(self._await(r"metrics are at http://127\.0\.0\.1:(\d+)/metrics"))
        status, page = self.request("GET", "/metrics", port=port)
        assert status == 200
        lines = [line.rpartition(" ") for line in page.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    def everything_said(self):
        return self.log.read_text() + self.said.read_text()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(TIMEOUT_SECONDS)


def has_ended(process):
    """Whether a process ends within a moment: who waits for what it says or does looks no more often than that."""
    try:
        process.wait(0.02)
    except subprocess.TimeoutExpired:
        return False
    return True


def command_line(pid):
    """The command line of a process, empty where it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
