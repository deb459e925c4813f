"""The protocol of a store: it applies charges, and keeps what lasts longer than a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from ordws.guard.charge import Admitted, Charge, MeterOwner, MeterRecord, Refused

CLOCK_WENT_BACK: Final = "the clock stands more than a day before a time at which questions were admitted"
"""The error where budgets of the clock's day may have been deleted already."""


class Lasting(NamedTuple):
    """The facts about a subject that outlast its days."""

    first_seen: int | None = None
    alarm: str = ""
    """The detector that came to an alarm last."""
    alarm_until: int = 0
    calmed: int = 0
    """The load of a day up to which a keeper has ended an alarm."""
    calmed_until: int = 0


class DayHistory(NamedTuple):
    """The charges of a subject on a UTC day, or of a game of guests on the day on which it was opened."""

    subject: MeterOwner
    day: int
    units: int
    core: int
    fingerprints: bytes
    """Four bytes for each word outside the core list."""


class MeterStore(Protocol):
    """A store of records and marks.

    Each method is atomic and exact across threads, processes and hosts, or raises StoreDown.
    """

    def apply(self, charge: Charge, now: int) -> Admitted | Refused:
        """Write a charge whole, or write nothing where a count would pass its limit."""

    def read(self, keys: Sequence[bytes]) -> list[MeterRecord | None]:
        """Return records as they stand, running or ended; None for one that is not there."""

    def day_records(self, client: bytes, day: int) -> dict[MeterOwner, MeterRecord]:
        """Return the records of a client's UTC day: of the client as a whole, and of its players."""

    def guest_games(self) -> dict[bytes, MeterRecord]:
        """Return the records of guests' games by the games' keyed hashes."""

    def find_lasting(self, subject: MeterOwner) -> Lasting:
        """Return what is kept of a subject."""

    def update_lasting(self, subject: MeterOwner, **changes: int | str) -> None:
        """Change fields of what is kept of a subject; on disk when it returns."""

    def active_alarms(self, now: int) -> Mapping[MeterOwner, Lasting]:
        """Return all subjects in alarm."""

    def collect(self, now: int) -> None:
        """Bring the history up to date from the days at hand, and delete what is older than 400 days."""

    def history(self, client: bytes) -> Iterator[DayHistory]:
        """Yield what a client and its players were charged, by subject and day, as it was collected last."""

    def address_key(self, now: int) -> bytes:
        """Return the random key of this UTC day for hashes of addresses, and erase that of the day before."""

    def halvings(self, now: int) -> int:
        """Return how often the limits of this UTC day were halved, because the machine lost its power."""

    def closed_until(self) -> int:
        """Return the moment until which everything is refused; 0 where nothing is."""

    def refuse_until(self, moment: int) -> None:
        """Refuse everything before that moment. A restore uses it to count today's budgets as spent."""

    def check_writable(self, now: int) -> None:
        """Raise StoreDown if nothing can be written."""

    def close(self) -> None:
        """Close the files or the connection; the next call opens them again."""

    def sweep(self, now: int) -> int:
        """Delete the records that ended 26 hours ago and the marks of older days, and return how many those were."""
