"""A process of its own that troubles the service while a load test measures honest play."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.load.load_server import ROOT

_READY_SECONDS: Final = 60


@contextmanager
def hostile_process(module: str, *arguments: str, first_line: str = "") -> Iterator[dict[str, int]]:
    """Run a module of the load tests that says "ready"; what it was answered, by status, is known after the block."""
    replies: dict[str, int] = {}
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{first_line}\n")
        process.stdin.flush()
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"error: {module} {arguments[0]} did not begin")
        yield replies
        process.send_signal(signal.SIGTERM)
        replies |= json.loads(process.communicate(timeout=_READY_SECONDS)[0])
    finally:
        process.kill()
        process.wait()
