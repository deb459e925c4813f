"""The counts of a stream process, for its metrics."""

from __future__ import annotations

from collections import Counter
from typing import Final, Literal, TypeAlias, get_args

StreamEvent: TypeAlias = Literal["row", "nonce", "presence", "replaced", "heartbeat"]
WakeSource: TypeAlias = Literal["datagram", "poll", "redis"]
StreamEnding: TypeAlias = Literal["closed", "replaced", "moved", "dropped", "stopped"]
StreamRefusal: TypeAlias = Literal[
    "bad-ticket", "too-busy", "store-down", "not-found", "method-not-allowed", "cross-site"
]

EVENTS: Final[tuple[StreamEvent, ...]] = get_args(StreamEvent)
SOURCES: Final[tuple[WakeSource, ...]] = get_args(WakeSource)
ENDINGS: Final[tuple[StreamEnding, ...]] = get_args(StreamEnding)
"""How streams end: by their reader, by a newer stream of the seat, because the seat is another browser's now, because
the reader did not keep up, and with the process."""
REFUSALS: Final[tuple[StreamRefusal, ...]] = get_args(StreamRefusal)


class StreamCounts:
    """The numbers of what a stream process has done since it began; one thread writes."""

    def __init__(self) -> None:
        self.open = 0
        self.events: Counter[StreamEvent] = Counter()
        self.wakeups: Counter[WakeSource] = Counter()
        self.endings: Counter[StreamEnding] = Counter()
        self.refusals: Counter[StreamRefusal] = Counter()
        self.is_store_up = True
