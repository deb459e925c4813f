"""Readers of the files of tests/vectors/homeplay."""

from __future__ import annotations

from pathlib import Path

VECTORS = Path(__file__).parent.parent / "vectors" / "homeplay"


def lines(name: str) -> list[str]:
    text = (VECTORS / name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in lines(name)]


def words(name: str) -> frozenset[str]:
    return frozenset(" ".join(lines(name)).split())
