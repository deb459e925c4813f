"""The gate left open, for what is measured beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ordws.guard.detector_buffer import DetectorSum
from ordws.guard.gate import Admitted, MeterReading, StoredMeter
from ordws.guard.price import Charge, Meter


class NullMeterStore:
    """A store of our gate's that admits everything and keeps nothing."""

    def admit(self, charge: Charge, now: int) -> Admitted:
        return Admitted(frozenset([mark.key for mark in charge.marks]))

    def settle(self, meter: str, amount: int, now: int) -> None:
        pass

    def update_detectors(self, changes: Sequence[tuple[DetectorSum, int]], now: int) -> tuple[str, ...]:
        return ()

    def read(self, meters: Sequence[Meter], now: int) -> list[MeterReading]:
        return [MeterReading(0, meter.ends) for meter in meters]

    def active_alarms(self, now: int) -> frozenset[str]:
        return frozenset()

    def reset_detectors(self, names: Sequence[str], now: int) -> None:
        pass

    def find_mark_end(self, key: bytes, now: int) -> int | None:
        return None

    def stored_meters(self, prefix: str) -> Iterator[StoredMeter]:
        return iter(())

    def refuse_until(self, moment: int) -> None:
        pass

    def sweep(self, now: int) -> int:
        return 0

    def close(self) -> None:
        pass
