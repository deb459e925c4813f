"""A limit on the wrong codes that a process checks in a second, counted in memory alone: guessing writes nothing."""

from __future__ import annotations

from typing import Final, NamedTuple

from ordws.rate_limit import RateLimiter

MAX_WRONG_PER_SECOND: Final = 600
"""The number of wrong codes that a process checks in a second, from all callers together."""
MAX_WRONG_PER_ADDRESS: Final = 60
"""The number of wrong codes that a process checks in a second from one address, so that none uses up the total."""


class TooManyGuesses(NamedTuple):
    """The refusal to check a code because too many wrong codes came in this second, from its address or in all."""

    retry_after_seconds: int


def limit_guesses() -> RateLimiter:
    """Return a limiter of codes; one that turns out to be right is forgiven."""
    return RateLimiter(MAX_WRONG_PER_ADDRESS, total_limit=MAX_WRONG_PER_SECOND, window_seconds=1)
