"""Constants that all meter stores share."""

from __future__ import annotations

from typing import Final

from ordws.guard.policy import DAY

CLOSED_METER: Final = "closed"
"""The name of a meter that no question feeds. While it runs, everything is refused; its amount is the latest hour seen.
"""

CLOCK_WENT_BACK: Final = "the clock stands more than a day before a time at which questions were admitted"
"""The error where budgets of the clock's day may have been deleted already."""

HOUR: Final = 3_600
LATCHED: Final = 1 << 40
"""The sum of a detector in alarm from its next update on, so that each alarm is returned once."""

RETENTION_SECONDS: Final = DAY + 2 * HOUR
"""The time that ended meters and marks are kept, so that a late question, or one from a host whose clock is slow, finds
its budgets. Questions are admitted by clocks that are up to a day behind, and an hour of a fast one counts.
"""

LONG_RETENTION_SECONDS: Final = 400 * DAY
"""The same for what the report, the trace and the cap of unverified callers need (`Charge.long_kept`)."""
