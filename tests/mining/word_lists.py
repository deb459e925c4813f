"""The word lists of the mining tests."""

from pathlib import Path

LISTS = Path(__file__).parent.parent / "vectors" / "mining"


def read_word_list(name: str) -> list[str]:
    return (LISTS / f"{name}.txt").read_text("ascii").split()
