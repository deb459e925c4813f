"""The words that count for the detector `repeats`: of each player and day only the first ones (docs/guard.md 3.5)."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from ordws.guard.detectors import REPEATS_COUNTED_A_DAY
from ordws.guard.pace import read_spent
from ordws.guard.price import ClientMeters

if TYPE_CHECKING:
    from ordws.guard.gate import MeterStore


class _Asked(NamedTuple):
    """The words that were new to a player: how many nobody else of the operator had asked, and how many others had."""

    operator: str
    meters: ClientMeters
    new: int = 0
    repeated: int = 0


class RepeatsWatch:
    """The words that a process has charged players for since it last counted them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[str, _Asked] = {}

    def record(self, operator: str, player: ClientMeters, *, new: int, repeated: int) -> None:
        """Record words of a player of an operator, given the player's own meters of the day."""
        with self._lock:
            before = self._asked.get(player.units.name, _Asked(operator, player))
            self._asked[player.units.name] = before._replace(new=before.new + new, repeated=before.repeated + repeated)

    def take_counted(self, store: MeterStore, now: int) -> list[tuple[str, int, int]]:
        """Return operators, each with numbers of new and of repeated words that count, and forget the words.

        The player's meters tell how many words came before these, in whichever process, so that all processes
        together count no more of a player than one would. Repeats always count, or a long evening would weigh more.
        """
        with self._lock:
            asked, self._asked = [*self._asked.values()], {}
        spent = read_spent(store, [meter for each in asked for meter in (each.meters.units, each.meters.core)], now)
        counted = []
        for each, units, core in zip(asked, spent[::2], spent[1::2], strict=True):
            before = max(0, units + core - each.new - each.repeated)
            new = min(each.new, max(0, REPEATS_COUNTED_A_DAY - before))
            counted.append((each.operator, new, each.repeated))
        return counted
