"""Tests of the baselines' limits, on a virtual clock."""

from __future__ import annotations

from tests.mining.baselines import BaselineLimiter


def test_the_61st_request_waits_for_the_end_of_the_window():
    """The 61st request within a minute of the first waits for the rest of that minute."""
    limiter = BaselineLimiter("60/minute")
    assert [limiter.retry_after("a", 1_000 + n // 2) for n in range(60)] == [0] * 60
    assert limiter.retry_after("a", 1_030) == 30
    assert limiter.retry_after("a", 1_060) == 0


def test_addresses_are_counted_apart():
    """Another address has limits of its own."""
    limiter = BaselineLimiter("1/minute")
    assert [limiter.retry_after(address, 5) for address in "aab"] == [0, 60, 0]


def test_the_finest_limit_is_checked_first():
    """A request that breaks the hour's limit does not count against the day's, as in Flask-Limiter."""
    limiter = BaselineLimiter("50/hour;200/day")
    admitted = [limiter.retry_after("a", second) == 0 for second in range(0, 86_400, 60)]
    assert sum(admitted) == 200


def test_no_limits_admit_everything():
    """The row without a guard refuses nothing."""
    limiter = BaselineLimiter("")
    assert not any(limiter.retry_after("a", 0) for _ in range(10_000))
