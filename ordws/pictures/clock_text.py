"""Times of a clock in words."""

from __future__ import annotations


def write_minutes(seconds: int) -> str:
    """Return a time of a clock in words: `25 minutes`, `1 minute`, or `1:30`."""
    minutes, rest = divmod(seconds, 60)
    if rest:
        return f"{minutes}:{rest:02}"
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
