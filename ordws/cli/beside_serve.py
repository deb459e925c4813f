"""The beginning of a process beside `ordws serve`, its one key, and its metrics."""

from __future__ import annotations

import logging.config
import os
import signal
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from ordws.errors import BadInput, Missing
from ordws.logs import LOGGING_CONFIG
from ordws.metrics_server import serve_metrics
from ordws.server import harden


def begin_process() -> None:
    """Harden the process and set up its log; a closed terminal ends it no more than it ends `ordws serve`."""
    harden()
    logging.config.dictConfig(LOGGING_CONFIG)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def read_key(path: Path) -> bytes:
    """Return the key of a process, from the credentials that systemd passes or from the installation."""
    if folder := os.environ.get("CREDENTIALS_DIRECTORY"):
        path = Path(folder) / path.name
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="ordws serve makes it as it starts") from err


def start_metrics(
    stack: ExitStack, address: tuple[str, int] | None, render: Callable[[], bytes], *, is_given: bool
) -> str:
    """Serve metrics until the stack ends, and return a notice for the keeper; raise BadInput as `ordws serve` does."""
    if address is None:
        return "metrics are off"
    try:
        server = stack.enter_context(serve_metrics(*address, render))
    except BadInput as err:
        if is_given:
            raise
        return f"metrics are off: {err}"
    return f"metrics are at {server.url}"
