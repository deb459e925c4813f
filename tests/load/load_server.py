"""The service under load: the real command in processes of its own, on a core of its own, observed from outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from free_ports import free_port
from http_replies import status_of
from service_process import serve_command

from tests.processes import RunningServer, server_process

SERVER_CORE: Final = 0
GENERATOR_CORE: Final = 1


@contextmanager
def start_service(instance: Path, folder: Path, *options: str, path: Path | None = None) -> Iterator[RunningServer]:
    """Run `ordws serve` with one worker; it is stopped after the block, whatever happens.

    It listens on a free port or, if a path is given, on a Unix socket there. Its log lines are discarded: those of half
    an hour would fill a disk.
    """
    port, bind = (free_port(), "127.0.0.1:{}") if path is None else (0, f"unix:{path}")
    given = ("--bind", bind.format(port), "--workers", "1", "--metrics", "off", *options)
    with server_process(
        [sys.executable, *serve_command(instance, *given)],
        folder / "service.err",
        lambda: status_of(path or port, "/readyz") == 200,
        core=SERVER_CORE,
        stdout=subprocess.DEVNULL,
    ) as process:
        yield RunningServer(port, process.pid)
