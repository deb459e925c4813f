"""Counts in sentences. Pure."""

from __future__ import annotations


def count_of(number: int, one: str, many: str) -> str:
    """Return a number with what is counted, in the singular for one: "1 round is", "2 rounds are"."""
    return f"{number:,} {one if number == 1 else many}"
