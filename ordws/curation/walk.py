"""One curator's way through a list of families, without ever going through it twice. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

Fit: TypeAlias = Literal["free", "later", "never"]
"""Whether a curator can have a family now, perhaps another time, or not unless something happens to it."""


class Walk:
    """How far a curator is in a list that may grow at its end, and which places before are worth another look.

    Those are few: the families that are in somebody's hand at this moment, and what `again` has named.
    """

    def __init__(self) -> None:
        self._place = 0
        self._passed: list[int] = []

    def find(self, bases: Sequence[str], fit: Callable[[str], Fit]) -> str | None:
        """The first family that is free; it stays worth a look until it fits no more."""
        at = 0
        while at < len(self._passed):
            base = bases[self._passed[at]]
            match fit(base):
                case "free":
                    return base
                case "later":
                    at += 1
                case "never":
                    del self._passed[at]
        while self._place < len(bases):
            base, place = bases[self._place], self._place
            self._place += 1
            fits = fit(base)
            if fits != "never":
                self._passed.append(place)
            if fits == "free":
                return base
        return None

    def again(self, place: int) -> None:
        """Something has happened to the family at a place: it is worth another look."""
        at = bisect_left(self._passed, place)
        if place < self._place and self._passed[at : at + 1] != [place]:
            self._passed.insert(at, place)
