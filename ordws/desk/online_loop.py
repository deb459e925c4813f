"""The thread of the desk in which on-line rounds go on: a step of every event, again and again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from ordws.client import Client
from ordws.desk.events import Events
from ordws.desk.online import OnlineRounds

STEP_SECONDS: Final = 5.0
_log = logging.getLogger("ordws.desk")
# It would write a line for each request, with the ids of games.
logging.getLogger("httpx").setLevel(logging.WARNING)


class OnlineLoop:
    """The on-line rounds of all events of a desk, by the key of one operator of the service.

    Under `players_key` entrants with a member number have their pseudonyms; without it there are those of events alone.
    """

    def __init__(
        self, events: Events, client: Client, site: str, clock: Callable[[], int], players_key: bytes | None = None
    ) -> None:
        self._events, self._client, self._site, self._clock = events, client, site, clock
        self._players_key = players_key
        self._rounds: dict[str, OnlineRounds] = {}
        self._ended = threading.Event()
        self._failed = frozenset[str]()
        self._over = set[str]()
        self.stepped_at = 0
        """The end of the last step of all events, in Unix seconds; 0 before that."""

    @property
    def behind(self) -> int:
        """The number of events whose last step failed, or left something to tell directors."""
        return len(self._failed | {id for id, rounds in [*self._rounds.items()] if rounds.remarks})

    def find(self, event: str) -> OnlineRounds | None:
        """Return the on-line rounds of an event; None before its first step."""
        return self._rounds.get(event)

    def step(self) -> None:
        """Do in every event what can be done now; a fault in one holds up no other."""
        failed = set[str]()
        for event in self._events.all():
            try:
                if event.id in self._over and event.snapshot().state.is_finished:
                    continue
                self._over.discard(event.id)
                if event.id not in self._rounds:
                    self._rounds[event.id] = OnlineRounds(event, self._client, self._site, self._players_key)
                rounds = self._rounds[event.id]
                if rounds.is_told_over(self._clock()):
                    self._rounds.pop(event.id)
                    self._over.add(event.id)
                else:
                    rounds.step(self._clock())
            except Exception as err:  # noqa: BLE001 - a thread that ended would leave every event waiting
                failed.add(event.id)
                # The text of an error may name players.
                _log.error("a step of an on-line round failed: %s", type(err).__name__)
        self._failed, self.stepped_at = frozenset(failed), self._clock()

    def start(self) -> None:
        """Step in a thread of its own until the process ends."""
        threading.Thread(target=self._run, name="on-line rounds", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()

    def _run(self) -> None:
        while True:
            try:
                self.step()
            except Exception as err:  # noqa: BLE001 - the next step may find the folder readable again
                _log.error("the events cannot be listed: %s", type(err).__name__)
            if self._ended.wait(STEP_SECONDS):
                return
