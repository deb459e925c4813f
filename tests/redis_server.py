"""A real server of Redis or Valkey on a socket of its own, as a store of meters needs it."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from processes import await_start
from redis import Redis
from redis.exceptions import RedisError

TIMEOUT_SECONDS = 20
DURABLE = ("--appendonly", "yes", "--appendfsync", "always")


class RedisServer:
    """One server, which can be killed and started again over the same folder."""

    def __init__(self, folder: Path, *settings: str) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        if program is None:
            pytest.fail("neither redis-server nor valkey-server is installed: apt-get install redis-server")
        folder.mkdir(exist_ok=True)
        self.socket = folder / "s"
        self.url = f"unix://{self.socket}"
        self._command = [
            program,
            "--port",
            "0",
            "--unixsocket",
            str(self.socket),
            "--dir",
            str(folder),
            "--save",
            "",
            *settings,
        ]
        self.start()

    def start(self) -> None:
        """Start the server and return when it answers."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        with Redis(unix_socket_path=str(self.socket)) as client:
            await_start(self._process, lambda: self._answers(client))

    def __enter__(self) -> RedisServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """End the server at once, in the middle of whatever it does."""
        self._process.kill()
        self._process.wait()

    def halt(self) -> None:
        """Stop the server without ending it, so that it answers nobody."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Continue a halted server."""
        self._process.send_signal(signal.SIGCONT)

    def _answers(self, client: Redis) -> bool:
        try:
            return bool(client.ping())
        except RedisError:
            return False
