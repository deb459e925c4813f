"""The server's time in milliseconds, by a clock that may be set and by one that only goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
# Only Linux names a run of the host.
_BOOT: Final = _BOOT_ID.read_text("ascii")[:13] if _BOOT_ID.exists() else ""
# CLOCK_MONOTONIC stands still while the host is suspended.
_STEADY_CLOCK: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Moment(NamedTuple):
    """A moment: milliseconds since 1970, and the milliseconds that the host had then been running.

    Without `boot`, which names this run of the host, nothing is known of its steady clock.
    """

    milliseconds: int
    steady: int = 0
    boot: str = ""


class Arrival(NamedTuple):
    """The arrival of a submission, and the measured time of a message to its seat and back, in ms."""

    moment: Moment
    round_trip: int = 0


TimeSource: TypeAlias = Callable[[], Moment]


def system_moment() -> Moment:
    """Return the present moment by the clocks of this host."""
    return Moment(time.time_ns() // 1_000_000, time.clock_gettime_ns(_STEADY_CLOCK) // 1_000_000, _BOOT)


def milliseconds_between(earlier: Moment, later: Moment) -> int:
    """Return the time from one moment to another, never negative.

    On one host it does not depend on how the wall clock was set in between.
    """
    if earlier.boot and earlier.boot == later.boot:
        return max(0, later.steady - earlier.steady)
    return max(0, later.milliseconds - earlier.milliseconds)


def not_before(moment: Moment, earlier: Moment) -> Moment:
    """Return the moment, or the earlier one if the clock of another host was ahead, so that no time counts twice."""
    if moment.boot and moment.boot == earlier.boot:
        return moment
    return moment._replace(milliseconds=max(moment.milliseconds, earlier.milliseconds))
