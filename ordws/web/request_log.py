"""What is written down of a request: one line of JSON, and never a word, a key, a player or an address."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

_STDOUT: Final = 1


class RequestLogLine(NamedTuple):
    """One request: the route's template in place of its path and a known method, for both could spell anything."""

    id: str
    method: str
    route: str
    status: int
    milliseconds: float
    fault: str | None = None


RequestLogger: TypeAlias = Callable[[RequestLogLine], None]


def log_request(line: RequestLogLine) -> None:
    """Write one request down; where that is not possible, as on a disk that is full, no answer is lost by it.

    As the other lines of the process are, without the logging module, which takes longer than the look-up.
    """
    now = time.time()
    fault = "" if line.fault is None else f', "fault": {json.dumps(line.fault)}'
    text = (
        f'{{"time": "{_utc_second(int(now))}.{int(now * 1000) % 1000:03d}Z", "level": "info", "event": "request", '
        f'"id": "{line.id}", "method": "{line.method}", "route": "{line.route}", "status": {line.status}, '
        f'"milliseconds": {line.milliseconds}{fault}}}\n'
    )
    with suppress(OSError):
        os.write(_STDOUT, text.encode())


@lru_cache(maxsize=2)
def _utc_second(moment: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment))
