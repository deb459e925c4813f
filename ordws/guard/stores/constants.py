"""What every store holds to."""

from __future__ import annotations

from typing import Final

from ordws.guard.policy import DAY

CLOSED_METER: Final = "closed"
"""A meter that no question feeds. While it runs, everything is refused; what is spent of it is the latest hour seen."""

CLOCK_WENT_BACK: Final = "the clock stands more than a day before a time at which questions were admitted"
"""Said where budgets of that day may have been forgotten already."""

HOUR: Final = 3_600
LATCHED: Final = 1 << 40
"""Where a sign stands from the next write on when it has reached its alarm, so that it is told once."""

RETENTION_SECONDS: Final = 2 * DAY
"""How long what ended is kept. A question that comes late, or from a host whose clock is behind, finds its budgets."""

LONG_RETENTION_SECONDS: Final = 400 * DAY
"""The same of what the report and the trace need: the meters of the world, and those with trails."""
