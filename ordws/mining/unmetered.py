"""The gate left open, for what is measured beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ordws.guard.gate import Admitted, Kept, Standing
from ordws.guard.price import Charge, Meter
from ordws.guard.watch import Sign


class NoMeters:
    """A store of our gate's that admits everything and keeps nothing."""

    def admit(self, charge: Charge, now: int) -> Admitted:
        return Admitted(frozenset([mark.key for mark in charge.marks]))

    def settle(self, meter: str, by: int, now: int) -> None:
        pass

    def watch(self, seen: Sequence[tuple[Sign, int]], now: int) -> tuple[str, ...]:
        return ()

    def read(self, meters: Sequence[Meter], now: int) -> list[Standing]:
        return [Standing(0, meter.ends) for meter in meters]

    def alarming(self, now: int) -> frozenset[str]:
        return frozenset()

    def calm(self, signs: Sequence[str], now: int) -> None:
        pass

    def marked(self, key: bytes, now: int) -> int | None:
        return None

    def kept(self, prefix: str) -> Iterator[Kept]:
        return iter(())

    def close_until(self, moment: int) -> None:
        pass

    def sweep(self, now: int) -> int:
        return 0

    def close(self) -> None:
        pass
