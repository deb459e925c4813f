"""What is written down of a request: one line of JSON, and never a word, a key, a player or an address."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

_log = logging.getLogger("ordws.requests")


class Line(NamedTuple):
    """One request: the route's template in place of its path and a known method, for both could spell anything."""

    id: str
    method: str
    route: str
    status: int
    milliseconds: float
    fault: str | None = None


Log: TypeAlias = Callable[[Line], None]


def log_request(line: Line) -> None:
    """Write one request down."""
    fields = {name: value for name, value in line._asdict().items() if value is not None}
    _log.info("request", extra={"fields": fields})
