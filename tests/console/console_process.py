"""A console in a process of its own, as `ordws curate` runs it, and the requests of curators' browsers."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any, Self

from free_ports import free_port
from service_process import ORDWS_COMMAND, has_ended

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.console.access import Role
from ordws.console.accounts import Accounts
from ordws.console.app import CONSOLE
from ordws.frame.application import CSRF_HEADER
from ordws.instance import Instance
from ordws.server import KILL_SECONDS

ROOT = Path(__file__).parents[2]
PATIENCE = 60


class ConsoleProcess:
    """`ordws curate` on a port that it keeps when it is started again; its output and its log go to files."""

    def __init__(self, instance: Instance, *options: str, **environment: str) -> None:
        self.instance, self.options, self.environment = instance, options, environment
        self.stderr_path, self.log = instance.root.parent / "console.err", instance.root.parent / "console.log"
        self.port = free_port()
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the console and wait until it answers."""
        command = ["curate", "--instance", str(self.instance.root), "--bind", f"127.0.0.1:{self.port}", *self.options]
        with self.log.open("a") as log, self.stderr_path.open("w") as stderr:
            self.process = subprocess.Popen(
                [sys.executable, *ORDWS_COMMAND, *command],
                cwd=ROOT,
                stdout=log,
                stderr=stderr,
                start_new_session=True,
                env={**os.environ, **self.environment},
            )
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert not has_ended(self.process), self.stderr_path.read_text()
            assert time.monotonic() < deadline, self.stderr_path.read_text() + self.log.read_text()

    def kill(self) -> None:
        """Kill the main process and its worker, whatever they are doing."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Stop the console as `systemctl stop` does; fail where its worker has to be killed."""
        self.process.terminate()
        self.process.wait(timeout=KILL_SECONDS - 1)

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    def _answers(self) -> bool:
        try:
            return request(self.port, "GET", "/static/icon.svg")[0] == 200
        except OSError:
            return False


class SignedInClient:
    """The browser of a signed-in member."""

    def __init__(self, console: ConsoleProcess, name: str, role: Role = "curator") -> None:
        self.console, self.name = console, name
        now, key = int(time.time()), console.instance.console_key.read_bytes()
        accounts = Accounts.open(console.instance.console, key)
        if name not in {member.name for member in accounts.active_members()}:
            accounts.add_member(name, role, now)
            accounts.record_declaration(name, now)
        self.cookie, self.session = accounts.begin_session(name, now)
        accounts.close()

    def api(self, path: str, **body: Any) -> tuple[int, Any]:
        """POST JSON, as the pages' scripts do; raises OSError where the console does not answer."""
        status, data = request(
            self.console.port, "POST", path, json.dumps(body).encode(), **self._headers("application/json")
        )
        return status, json.loads(data)

    def get(self, path: str) -> tuple[int, str]:
        status, data = request(self.console.port, "GET", path, **self._headers())
        return status, data.decode()

    def form(self, path: str, **fields: str) -> tuple[int, str]:
        body = urllib.parse.urlencode({"csrf": self.session.csrf, **fields}).encode()
        headers = self._headers("application/x-www-form-urlencoded")
        status, data = request(self.console.port, "POST", path, body, **headers)
        return status, data.decode()

    def _headers(self, kind: str = "") -> dict[str, str]:
        sent = {
            "Cookie": f"{CONSOLE.cookie}={self.cookie}",
            CSRF_HEADER: self.session.csrf,
            "Origin": self.console.origin,
        }
        return {**sent, "Content-Type": kind} if kind else sent


def request(port: int, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("localhost", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    except http.client.HTTPException as error:
        raise ConnectionError(str(error)) from error
    finally:
        connection.close()


def make_console_key(instance: Instance) -> None:
    """Make the key that the console's first start would make, so that members can be added before it."""
    write_atomically(instance.console_key, os.urandom(32), SECRET_MODE)
