"""One curator's way through a list of families, without ever going through it twice. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

Availability: TypeAlias = Literal["free", "later", "never"]
"""Whether a curator can have a family now, perhaps another time, or not unless something happens to it."""


class FamilyCursor:
    """How far a curator is in a list that may grow at its end, and which places before are worth another look.

    Those are few: the families that are in somebody's hand at this moment, and what `again` has named.
    """

    def __init__(self) -> None:
        self._position = 0
        self._revisitable: list[int] = []

    def next_free(self, bases: Sequence[str], availability: Callable[[str], Availability]) -> str | None:
        """The first family that is free; it stays worth a look until it fits no more."""
        at = 0
        while at < len(self._revisitable):
            base = bases[self._revisitable[at]]
            match availability(base):
                case "free":
                    return base
                case "later":
                    at += 1
                case "never":
                    del self._revisitable[at]
        while self._position < len(bases):
            base, place = bases[self._position], self._position
            self._position += 1
            fits = availability(base)
            if fits != "never":
                self._revisitable.append(place)
            if fits == "free":
                return base
        return None

    def revisit(self, position: int) -> None:
        """Something has happened to the family at a place: it is worth another look."""
        at = bisect_left(self._revisitable, position)
        if position < self._position and self._revisitable[at : at + 1] != [position]:
            self._revisitable.insert(at, position)
