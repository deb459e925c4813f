"""The word lists of these tests."""

from pathlib import Path

LISTS = Path(__file__).parent.parent / "vectors" / "mining"


def list_of(name: str) -> list[str]:
    return (LISTS / f"{name}.txt").read_text("ascii").split()
