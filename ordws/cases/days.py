"""Deadlines in whole days, UTC: the day on which something happened does not count, and the last day counts whole."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from ordws.retention import DAY

ANSWER_DAYS: Final = 14
APPEAL_DAYS: Final = 30
ENTRY_YEARS: Final = 3


def end_of_days(at: int, days: int) -> int:
    """Return the second since 1970 at which the last of so many whole days after `at` is over."""
    return at - at % DAY + (days + 1) * DAY


def years_after(at: int, years: int) -> int:
    """Return the beginning of the same day of the year, so many years later; of 29 February, of 1 March."""
    day = datetime.fromtimestamp(at, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        later = day.replace(year=day.year + years)
    except ValueError:
        later = day.replace(year=day.year + years, month=3, day=1)
    return int(later.timestamp())


def date_text(at: int) -> str:
    """Return the UTC date of a second since 1970, as 2026-11-23."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def last_day(deadline: int) -> str:
    """Return the date of the last day before a deadline."""
    return date_text(deadline - 1)
