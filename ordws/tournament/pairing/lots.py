"""Lots: numbers that look drawn by chance and follow from a seed alone, on every machine and in every version."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
"""A column of whole numbers."""

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIXING: Final = (
    (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)),
    (np.uint64(27), np.uint64(0x94D049BB133111EB)),
)
_WORD: Final = (1 << 64) - 1


def draw_lots(bits: int, *parts: int | NDArray[Any]) -> Integers:
    """Return a number below 2^bits for each row of the parts, which are broadcast; `bits` is at most 63.

    Each part is mixed in by splitmix64 (Steele, Lea and Flood, 2014). numpy's own generators may change their streams
    between versions, and a draft must not.
    """
    state = np.zeros((), np.uint64)
    with np.errstate(over="ignore"):
        for part in parts:
            word = np.uint64(part & _WORD) if isinstance(part, int) else np.asarray(part).astype(np.uint64)
            state = (state ^ word) + _STEP
            for shift, factor in _MIXING:
                state = (state ^ (state >> shift)) * factor
            state = state ^ (state >> np.uint64(31))
    return (state >> np.uint64(64 - bits)).astype(np.int64)


def lot_of_round(number: int, redraws: int = 0) -> int:
    """Return the part of the lots of a round that was drawn and voided so many times."""
    return number + (redraws << 32)
