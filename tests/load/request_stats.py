"""Statistics of the requests in an interval, counted by when they were due."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.benchmarks.figure import percentile

P50: Final = 50
P99: Final = 99
LAGGING_MILLISECONDS: Final = 5.0


@dataclass
class RequestStats:
    """Counts and times in seconds; a latency counts from when the request was due, not from when it was sent."""

    seconds: float = 0.0
    due: int = 0
    answered: array[float] = field(default_factory=lambda: array("f"))
    refused: array[float] = field(default_factory=lambda: array("f"))
    errors: Counter[str] = field(default_factory=Counter)
    """Errors by kind and cause: a status that honest play does not get, a reset, a lost reply."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Kinds of the answers."""

    lags: array[float] = field(default_factory=lambda: array("f"))
    """The delays of the generator itself in sending each request."""

    cpu_seconds: float = 0.0
    """Processor time of the service."""

    @property
    def goodput(self) -> float:
        """The answers per second."""
        return len(self.answered) / self.seconds if self.seconds else 0.0

    @property
    def p99_of_all(self) -> float:
        """The 99th percentile as callers see it: a refused or lost request has waited for ever."""
        return percentile(self.answered + array("f", [float("inf")]) * self.failed, P99)

    @property
    def failed(self) -> int:
        """The requests that were refused or got no well-formed reply."""
        return len(self.refused) + self.errors.total()

    @property
    def fell_behind(self) -> bool:
        """True if the generator itself was late, so that the figures are worse than the service is."""
        return percentile(self.lags, P99) * 1000 > LAGGING_MILLISECONDS


def slowdown(beside: RequestStats, alone: RequestStats) -> float:
    """Return the 99th percentile of the answers in units of that without what is beside them."""
    return percentile(beside.answered, P99) / (percentile(alone.answered, P99) or 1.0)


def merge_stats(tallies: Sequence[RequestStats]) -> RequestStats:
    """Merge the statistics of several intervals."""
    whole = RequestStats()
    for each in tallies:
        whole.seconds += each.seconds
        whole.due += each.due
        whole.cpu_seconds += each.cpu_seconds
        whole.answered.extend(each.answered)
        whole.refused.extend(each.refused)
        whole.lags.extend(each.lags)
        whole.errors.update(each.errors)
        whole.kinds.update(each.kinds)
    return whole


def as_json(tally: RequestStats) -> dict[str, Any]:
    """Return the statistics as they are stored."""
    return {
        "seconds": round(tally.seconds, 3),
        "due": tally.due,
        "rate": round(tally.due / max(tally.seconds, 1e-9), 1),
        "goodput": round(tally.goodput, 1),
        "p50_ms": _ms(percentile(tally.answered, P50)),
        "p99_ms": _ms(percentile(tally.answered, P99)),
        "refused": len(tally.refused),
        "refused_p99_ms": _ms(percentile(tally.refused, P99)),
        "errors": dict(tally.errors),
        "kinds": dict(tally.kinds),
        "server_cpu": round(tally.cpu_seconds / max(tally.seconds, 1e-9), 3),
        "generator_lag_p99_ms": _ms(percentile(tally.lags, P99)),
        "generator_fell_behind": tally.fell_behind,
    }


HEADINGS: Final = (
    "due/s",
    "good/s",
    "p50 ms",
    "p99 ms",
    "refused",
    "their p99 ms",
    "errors",
    "server CPU",
    "own lag ms",
)


def cells(tally: RequestStats) -> tuple[str, ...]:
    """Return the statistics as cells below the headings."""
    shown = as_json(tally)
    behind = " BEHIND" if tally.fell_behind else ""
    return (
        f"{shown['rate']:,.0f}",
        f"{shown['goodput']:,.0f}",
        f"{shown['p50_ms']:.1f}",
        f"{shown['p99_ms']:.1f}",
        f"{shown['refused']:,}",
        f"{shown['refused_p99_ms']:.1f}",
        f"{tally.errors.total():,}",
        f"{shown['server_cpu']:.0%}",
        f"{shown['generator_lag_p99_ms']:.1f}{behind}",
    )


def line(texts: Sequence[str], first: str = "") -> str:
    """Return a line of the table."""
    return f"{first:<12}" + "".join([f"{text:>14}" for text in texts])


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
