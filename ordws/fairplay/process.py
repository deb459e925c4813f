"""The process of fair play: finished games are taken, numbers kept, players looked at (docs/fairplay.md 4).

It has no listener and writes numbers alone. Steps can be repeated: a game is taken, a milestone looked at, only once.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

from ordws.errors import Broken, StoreDown
from ordws.fairplay.finished_games import FinishedGames
from ordws.fairplay.forms import HonestForms
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.looks import look_at_all
from ordws.fairplay.milestones import EVENT_MILESTONES
from ordws.fairplay.store import FairPlayStore, SeatNumbers
from ordws.fairplay.turns import read_game
from ordws.referee.results import GameResult

QUEUE_SECONDS: Final = 3 * 86_400
"""The time for which finished games are looked for; their rows are kept for a day after they were opened."""

_log = logging.getLogger("ordws.fairplay")


class Taken(NamedTuple):
    """The counts of a pass: games taken, games whose rows or edition are gone, flags raised."""

    games: int
    gone: int
    flags: int


class FairPlay:
    """Fair play over the games of one installation."""

    def __init__(
        self,
        queue: FinishedGames,
        lexicons: Lexicons,
        store: FairPlayStore,
        forms: HonestForms,
        threshold: float,
        milestones: int = EVENT_MILESTONES,
    ) -> None:
        self._queue, self._lexicons, self._store = queue, lexicons, store
        self._forms, self._threshold, self._milestones = forms, threshold, milestones
        self._is_first_pass = True

    def take_games(self, now: int) -> Taken:
        """Take the games that have finished, look at their players, and forget what is too old."""
        taken = gone = 0
        for result in reversed(self._queue.results.ended_since(now - QUEUE_SECONDS)):
            if self._store.has_game(result.game):
                continue
            seats = self._read(result)
            self._store.keep_game(result.game, result.ended_ms // 1_000, seats or ())
            taken += 1
            gone += seats is None
        # The first pass makes up for looks that a process which was ended did not come to.
        flags = 0
        if taken or self._is_first_pass:
            flags = look_at_all(self._store, self._forms, self._threshold, now, self._milestones)
        self._is_first_pass = False
        self._store.sweep(now)
        return Taken(taken, gone, flags)

    def _read(self, result: GameResult) -> list[SeatNumbers] | None:
        """Return the numbers of a finished game; None where its rows or its edition are gone."""
        try:
            # Rows are there until the sweep, also of games that have expired.
            sealed_game = self._queue.games.find_by_id(result.game, 0)
        except Broken:
            return None
        if sealed_game is None:
            return None
        reader = self._lexicons.reader(sealed_game.header.edition, sealed_game.state.rules, self._forms)
        return None if reader is None else read_game(sealed_game, reader)

    def run(self, clock: Callable[[], float], stop: Event, every: int) -> None:
        """Take games now and every so many seconds, until told to stop; log counts alone."""
        while True:
            try:
                taken = self.take_games(int(clock()))
                if taken.games or taken.flags:
                    _log.info("%d games taken, %d of them gone, %d flags raised", *taken)
            except StoreDown as err:
                _log.warning("the games cannot be read: %s", err)
            if stop.wait(every):
                return


def become_idle() -> None:
    """Give this process only the time that nobody else wants."""
    if hasattr(os, "SCHED_IDLE"):
        # Numpy starts threads as it is imported, and each thread has a priority of its own; later ones inherit it.
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))
    else:
        os.nice(19)
