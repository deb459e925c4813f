"""The request log: one line of JSON a request, and never a word, a key, a player or an address."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple, TypeAlias

from ordws.logs import format_utc_second

_STDOUT: Final = 1


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
    # A single write, so that the lines of threads and workers do not mix.
    with suppress(OSError):
        os.write(_STDOUT, text.encode())
