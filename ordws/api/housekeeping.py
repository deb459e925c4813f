"""Housekeeping beside requests: follow new editions, read the alarms, and sweep the stores."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

from ordws.api.public_editions import ToyEditions
from ordws.errors import StoreDown
from ordws.guard.gate import Gate
from ordws.lexicon.open_editions import OpenEditions

SWEEP_THREAD: Final = "sweep"
MINUTE: Final = 60
HOUR: Final = 3_600
# CLOCK_MONOTONIC stands still while the host is suspended.
_monotonic: Final = partial(time.clock_gettime, getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
_log = logging.getLogger("ordws.api")


class Sweepable(Protocol):
    """A store from which expired entries can be deleted."""

    def sweep(self, now: int) -> int: ...


class Housekeeping:
    """The work beside requests, which one thread of a worker does once a second."""

    def __init__(
        self,
        editions: OpenEditions | ToyEditions,
        gate: Gate,
        stores: Sequence[Sweepable] = (),
        guest_games: Sweepable | None = None,
        monotonic: Callable[[], float] = _monotonic,
    ) -> None:
        self._editions = editions
        self._gate = gate
        self._stores: tuple[Sweepable, ...] = (gate, *stores)
        self._guest_games = guest_games
        self._last_second = self._last_minute = -1
        self._monotonic = monotonic
        self._last_sweep = monotonic()
        self._clock_offset: float | None = None

    def run(self, now: int) -> None:
        """Refresh the editions, read the alarms, start a sweep that is due, unless done in this second."""
        if now == self._last_second:
            return
        self._last_second = now
        editions = self._editions
        number, refusal = editions.current.number, editions.refusal
        editions.refresh()
        if editions.current.number != number:
            _log.info("edition %d is served now", editions.current.number)
        if editions.refusal not in (None, refusal):
            hint = f" ({editions.hint})" if editions.hint else ""
            _log.warning("a delivered edition is refused: %s%s", editions.refusal, hint)
        with suppress(StoreDown):
            self.log_alarms(self._gate.tick(now))
        # What a game holds that nobody began is given back within the hour, so this is not left to the sweep.
        if self._guest_games is not None and now // MINUTE != self._last_minute:
            self._last_minute = now // MINUTE
            with suppress(StoreDown):
                self._guest_games.sweep(now)
        if self._is_sweep_due(now):
            # A sweep may take seconds, for which new editions and alarms should not wait.
            threading.Thread(target=self._sweep, args=(now,), name=SWEEP_THREAD, daemon=True).start()

    def log_alarms(self, alarms: tuple[str, ...]) -> None:
        """Log the detectors that came to an alarm; the log does not say for which identity."""
        for sign in alarms:
            _log.warning('a sign of mining, "%s", has come to an alarm: see ordws guard report', sign)

    def _sweep(self, now: int) -> None:
        for store in self._stores:
            # A store that is down now is swept in an hour.
            with suppress(StoreDown):
                store.sweep(now)

    def _is_sweep_due(self, now: int) -> bool:
        """Return True once an hour, and only after the wall clock has kept pace with the steady clock for an hour.

        A clock that is wrong for less than an hour deletes nothing, such as a game that would seem to have expired.
        """
        steady = self._monotonic()
        last_offset, self._clock_offset = self._clock_offset, now - steady
        if last_offset is not None and abs(jump := round(self._clock_offset - last_offset)) > MINUTE:
            _log.warning("the clock of this host has jumped by %+d seconds", jump)
            self._last_sweep = steady
        if steady < self._last_sweep + HOUR:
            return False
        self._last_sweep = steady
        return True
