"""A real server of Redis or Valkey on a socket of its own, as a store of meters needs it."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError
from service_process import has_ended

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
        deadline = time.monotonic() + TIMEOUT_SECONDS
        with Redis(unix_socket_path=str(self.socket)) as client:
            while not self._answers(client):
                assert not has_ended(self._process), "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"

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
