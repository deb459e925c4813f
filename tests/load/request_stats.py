"""What became of the requests of one stretch of time, counted by when they were due."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

P50: Final = 0.50
P99: Final = 0.99
LAGGING_MILLISECONDS: Final = 5.0


@dataclass
class RequestStats:
    """Times are in seconds, and of an answer from when its request was due, not from when it could be sent."""

    seconds: float = 0.0
    due: int = 0
    answered: array[float] = field(default_factory=lambda: array("f"))
    refused: array[float] = field(default_factory=lambda: array("f"))
    errors: Counter[str] = field(default_factory=Counter)
    """By kind and what was wrong: a status that honest play does not meet, a reset, an answer that never came."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Of what was answered."""

    lags: array[float] = field(default_factory=lambda: array("f"))
    """How late the generator itself was each time that it sent what was due."""

    cpu_seconds: float = 0.0
    """Of the service."""

    @property
    def goodput(self) -> float:
        """Answers a second."""
        return len(self.answered) / self.seconds if self.seconds else 0.0

    @property
    def p99_of_all(self) -> float:
        """As callers see it: who was refused or lost waits for ever."""
        failed = array("f", [float("inf")]) * (len(self.refused) + self.errors.total())
        return percentile(self.answered + failed, P99)

    @property
    def fell_behind(self) -> bool:
        """Whether the generator was late itself, so that the figures are worse than the service is."""
        return percentile(self.lags, P99) * 1000 > LAGGING_MILLISECONDS


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that so large a part of them does not exceed; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def merge_stats(tallies: Sequence[RequestStats]) -> RequestStats:
    """Several stretches as one."""
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
    """What is kept of it."""
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
    """What a person reads of it, under the headings."""
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
    """A line of the table."""
    return f"{first:<12}" + "".join([f"{text:>14}" for text in texts])


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)
