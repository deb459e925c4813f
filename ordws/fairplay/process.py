"""The process of fair play: finished games are taken, numbers kept, players looked at (docs/fairplay.md 4).

It has no listener and writes numbers alone. Steps can be repeated: a game is taken, a milestone looked at, only once.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom
from threading import Event
from typing import Final, NamedTuple

from ordws.errors import Broken, EditionRefused, Missing, StoreDown
from ordws.fairplay.forms import HonestForms
from ordws.fairplay.lexicons import Lexicons
from ordws.fairplay.looks import look_at_all
from ordws.fairplay.milestones import EVENT_MILESTONES
from ordws.fairplay.store import FairPlayStore, SeatNumbers
from ordws.fairplay.turns import read_game
from ordws.instance import Instance
from ordws.referee.games import GameStore, SealedGames
from ordws.referee.results import Results, ResultStore


class FinishedGames(NamedTuple):
    """The results of finished games, and the games themselves."""

    results: Results
    games: SealedGames


def open_queue(instance: Instance, redis: str | None) -> FinishedGames:
    """Open the finished games of an installation, in its files or on its Redis; raises Missing where there are none."""
    try:
        key = instance.games_key.read_bytes()
    except OSError as err:
        hint = "ordws serve makes it as it starts"
        raise Missing(f'no key at "{instance.games_key}": {err.strerror}', hint=hint) from err
    rows: GameStore
    results: ResultStore
    if redis is None:
        from ordws.referee.stores.sqlite import SqliteGameStore, SqliteResultStore

        if not instance.results.exists():
            raise Missing(f'no results of games in "{instance.root}"', hint="ordws serve makes them as it starts")
        rows, results = SqliteGameStore(instance.games), SqliteResultStore(instance.results)
    else:
        # An installation on one host need not have the redis package.
        from ordws.referee.stores.redis import RedisGameStore, RedisResultStore

        rows, results = RedisGameStore(redis), RedisResultStore(redis)
    return FinishedGames(Results(results, key), SealedGames(rows, key, SystemRandom()))


QUEUE_SECONDS: Final = 3 * 86_400
"""The time for which finished games are looked for; their rows are kept for a day after they were opened."""

_WITHOUT_WORDS: Final = (Broken, EditionRefused, Missing, StoreDown)
"""The errors of keys, editions and stores, whose texts hold nothing of a game."""

_log = logging.getLogger("ordws.fairplay")


class Taken(NamedTuple):
    """The counts of a pass."""

    games: int
    gone: int
    """The games of these whose rows or edition are not kept any more."""

    flags: int
    aside: int
    """The games that could not be read; the next pass tries again."""

    def __str__(self) -> str:
        aside = f", {self.aside} games put aside" if self.aside else ""
        return f"{self.games} games taken, {self.gone} of them gone, {self.flags} flags raised{aside}"


class GameNumbers(NamedTuple):
    """A finished game: the second since 1970 at which it ended, and its numbers by seat."""

    ended: int
    seats: list[SeatNumbers] | None
    """None where its rows or its edition are not kept any more."""


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
        # The first pass makes up for looks that a process which was ended did not come to.
        self._are_looks_due = True
        self._aside: dict[str, str] = {}

    def take_games(self, now: int) -> Taken:
        """Take the games that have finished, look at their players, and forget what is too old.

        A game that cannot be read, or whose edition cannot, is put aside: the log names it, and the next pass tries it
        again, as long as games are looked for. Raises StoreDown where the results or the own numbers do not answer.
        """
        taken = gone = 0
        aside: dict[str, str] = {}
        for game in reversed(self._queue.results.ended_since(now - QUEUE_SECONDS)):
            if self._store.has_game(game):
                continue
            try:
                read = self._read(game)
            except Exception as error:  # noqa: BLE001 - whatever is wrong with one game must not stop all the others
                # Any other text may be of a move, and spell its words.
                aside[game] = str(error) if isinstance(error, _WITHOUT_WORDS) else type(error).__name__
                if self._aside.get(game) != aside[game]:
                    _log.warning("game %s is put aside until it can be read: %s", game, aside[game])
                continue
            if read is None:
                continue
            ended, seats = read
            self._store.keep_game(game, ended, seats or ())
            self._are_looks_due = True
            taken += 1
            gone += seats is None
        self._aside = aside
        flags = 0
        if self._are_looks_due:
            flags = look_at_all(self._store, self._forms, self._threshold, now, self._milestones)
        self._are_looks_due = False
        self._store.sweep(now)
        return Taken(taken, gone, flags, len(aside))

    def _read(self, game: str) -> GameNumbers | None:
        """Return a finished game; None for one without a result, which was swept a moment ago."""
        if (result := self._queue.results.find(game)) is None:
            return None
        ended = result.ended_ms // 1_000
        # Rows are there until the sweep, also of games that have expired.
        sealed_game = self._queue.games.find_by_id(game, 0)
        if sealed_game is None:
            return GameNumbers(ended, None)
        reader = self._lexicons.reader(sealed_game.header.edition, sealed_game.state.rules, self._forms)
        return GameNumbers(ended, None if reader is None else read_game(sealed_game, reader))

    def run(self, clock: Callable[[], float], stop: Event, every: int) -> None:
        """Take games now and every so many seconds, until told to stop; log counts alone."""
        while True:
            try:
                taken = self.take_games(int(clock()))
                if taken.games or taken.flags:
                    _log.info("%s", taken)
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
