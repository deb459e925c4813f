"""Where identity, gate and words meet: a desk, opened from an instance."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordws.errors import Missing, StoreDown
from ordws.guard.gate import Gate
from ordws.guard.policy import Policy
from ordws.guard.stores.sqlite import SqliteStore
from ordws.identity.register import Register
from ordws.instance import Instance
from ordws.lexicon.shelf import Shelf

HOUR: Final = 3_600
_log = logging.getLogger("ordws.desk")


class Rounds:
    """What is done beside questions: a newer edition is followed, and what has ended is forgotten.

    At most once a second, by the one thread that comes first; the others go on with what there is.
    """

    def __init__(self, shelf: Shelf, gate: Gate) -> None:
        self._shelf = shelf
        self._gate = gate
        self._lock = threading.Lock()
        self._second: int | None = None
        self._hour: int | None = None

    def make(self, now: int) -> None:
        if now == self._second or not self._lock.acquire(blocking=False):
            return
        try:
            self._second = now
            self._follow()
            if now // HOUR != self._hour:
                self._hour = now // HOUR
                with suppress(StoreDown):
                    self._gate.sweep(now)
        finally:
            self._lock.release()

    def _follow(self) -> None:
        number, refusal = self._shelf.current.number, self._shelf.refusal
        self._shelf.refresh()
        if self._shelf.current.number != number:
            _log.info("edition %d is served now", self._shelf.current.number)
        if self._shelf.refusal not in (None, refusal):
            hint = f" ({self._shelf.hint})" if self._shelf.hint else ""
            _log.warning("a delivered edition is refused: %s%s", self._shelf.refusal, hint)


@dataclass(frozen=True)
class Desk:
    """All that an answer needs."""

    shelf: Shelf
    register: Register
    gate: Gate
    rounds: Rounds


def open_shelf(instance: Instance, *, adopting: bool) -> Shelf:
    return Shelf(
        sealed=instance.sealed, mark=instance.mark, editions=instance.editions, core=instance.core,
        reference=instance.reference, keys=instance.keys, adopting=adopting,
    )  # fmt: skip


def open_register(instance: Instance) -> Register:
    return Register.open(instance.clients, _read_key(instance.pepper))


def open_desk(instance: Instance, policy: Policy | None = None) -> Desk:
    """The desk of an instance that has its keys, an edition, clients and meters; raises what is missing or broken."""
    shelf = open_shelf(instance, adopting=True)
    register = open_register(instance)
    gate = Gate(policy or Policy(), SqliteStore(instance.meters), _read_key(instance.meter_key))
    return Desk(shelf, register, gate, Rounds(shelf, gate))


def create_meters(instance: Instance) -> None:
    """Make the meters where there are none; an open desk never makes them, so that lost meters are noticed."""
    SqliteStore.create(instance.meters).close()


def _read_key(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as err:
        raise Missing(f'no key at "{path}": {err.strerror}', hint="ordws init") from err
