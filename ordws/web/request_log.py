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
_LINES_AT_ONCE: Final = 16
"""Lines of so many requests fit into PIPE_BUF bytes, so that the writes of several workers do not mix in a pipe."""

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
    lines = [_pending.popleft() for _ in range(min(len(_pending), _LINES_AT_ONCE))]
    with suppress(OSError):
        os.write(_STDOUT, b"".join(lines))
