"""The word lists of the tests that play games."""

from pathlib import Path

LISTS = Path(__file__).parent / "vectors" / "mining"


def read_word_list(name: str) -> list[str]:
    return (LISTS / f"{name}.txt").read_text("ascii").split()
