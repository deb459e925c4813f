"""A process of its own that troubles the service while a load test measures honest play, from both of its sides."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.processes import ROOT, TIMEOUT_SECONDS


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
        replies |= json.loads(process.communicate(timeout=TIMEOUT_SECONDS)[0])
    finally:
        process.kill()
        process.wait()


async def trouble(callers: Sequence[asyncio.Task[None]], replies: Counter[str]) -> None:
    """Say that the callers of this process are at work, let them go on until SIGTERM, and tell their replies."""
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await ended.wait()
    for each in callers:
        each.cancel()
    await asyncio.wait(callers)
    sys.stdout.write(json.dumps(replies) + "\n")
