"""The request log: one line of JSON a request, and never a word, a key, a player or an address."""

from __future__ import annotations

import json
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from ordws.logs import format_utc_second

_STDOUT: Final = 1
_BYTES_AT_ONCE: Final = 4_096
"""PIPE_BUF: of so many bytes a pipe keeps a write whole, so that the lines of several workers do not mix."""

_pending: Final[deque[bytes]] = deque()
_writing: Final = threading.Lock()


class RequestLogLine(NamedTuple):
    """A request as it is logged: the route's template and a known method, for a path or a method could spell a word."""

    id: str
    method: str
    route: str
    status: int
    milliseconds: float
    fault: str | None = None


RequestLogger: TypeAlias = Callable[[RequestLogLine], None]


def log_request(line: RequestLogLine) -> None:
    """Write one request to standard output; a failure, as on a full disk, is ignored so that no answer is lost.

    The line has the form of the other log lines, but the logging module is not used: it takes longer than a look-up.
    """
    now = time.time()
    fault = "" if line.fault is None else f', "fault": {json.dumps(line.fault)}'
    text = (
        f'{{"time": "{format_utc_second(int(now))}.{int(now * 1000) % 1000:03d}Z", '
        f'"level": "info", "event": "request", "id": "{line.id}", "method": "{line.method}", "route": "{line.route}", '
        f'"status": {line.status}, "milliseconds": {line.milliseconds}{fault}}}\n'
    )
    _pending.append(text.encode())
    # Whoever writes takes the lines of others along, for each write lets go of the interpreter and waits for it again.
    # A line that comes meanwhile is seen below, after the lock was let go: none stays behind.
    while _pending and _writing.acquire(blocking=False):
        try:
            _write_lines()
        finally:
            _writing.release()


def _write_lines() -> None:
    text = b""
    # A line that is longer by itself goes alone.
    while _pending and (not text or len(text) + len(_pending[0]) <= _BYTES_AT_ONCE):
        text += _pending.popleft()
    with suppress(OSError):
        os.write(_STDOUT, text)
