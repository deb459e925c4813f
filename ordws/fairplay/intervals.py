"""Bounds of a probability from a count, exact (Clopper and Pearson, 1934)."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, lgamma, log


def upper_bound(count: int, trials: int, confidence: float = 0.95) -> float:
    """Return the probability that is not exceeded with this confidence, one-sided."""
    return 1.0 if count >= trials else _bisect(lambda p: _at_most(count, trials, p) > 1 - confidence)


def interval(count: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided interval of a probability."""
    side = (1 + confidence) / 2
    low = 0.0 if count <= 0 else _bisect(lambda p: 1 - _at_most(count - 1, trials, p) < 1 - side)
    return low, upper_bound(count, trials, side)


def _bisect(is_below: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high


def _at_most(count: int, trials: int, p: float) -> float:
    """Return the probability of at most so many successes."""
    if p <= 0 or p >= 1:
        return float(p <= 0)
    every = lgamma(trials + 1)
    return sum(
        exp(every - lgamma(k + 1) - lgamma(trials - k + 1) + k * log(p) + (trials - k) * log(1 - p))
        for k in range(count + 1)
    )
