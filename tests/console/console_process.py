"""A console in a process of its own, as `ordws curate` runs it, and the requests of curators' browsers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.parse
from typing import Any, Self

from free_ports import free_port
from http_replies import send, status_of
from processes import ROOT, await_start
from service_process import ORDWS_COMMAND

from ordws.atomic_files import SECRET_MODE, write_atomically
from ordws.console.access import Role
from ordws.console.accounts import Accounts
from ordws.console.app import CONSOLE
from ordws.frame.application import CSRF_HEADER
from ordws.instance import Instance
from ordws.server import KILL_SECONDS


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
        await_start(self.process, lambda: status_of(self.port, "/static/icon.svg"), self.stderr_path, self.log)

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
        reply = send(self.console.port, "POST", path, body, host="localhost", **self._headers())
        return reply.status, reply.json()

    def get(self, path: str) -> tuple[int, str]:
        reply = send(self.console.port, "GET", path, host="localhost", **self._headers())
        return reply.status, reply.body.decode()

    def form(self, path: str, **fields: str) -> tuple[int, str]:
        body = urllib.parse.urlencode({"csrf": self.session.csrf, **fields}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        reply = send(self.console.port, "POST", path, body, host="localhost", **self._headers(), **kind)
        return reply.status, reply.body.decode()

    def _headers(self) -> dict[str, str]:
        return {
            "Cookie": f"{CONSOLE.cookie}={self.cookie}",
            CSRF_HEADER: self.session.csrf,
            "Origin": self.console.origin,
        }


def make_console_key(instance: Instance) -> None:
    """Make the key that the console's first start would make, so that members can be added before it."""
    write_atomically(instance.console_key, os.urandom(32), SECRET_MODE)
