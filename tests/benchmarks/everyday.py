"""The words that people meet most often, and those of them that the open recipe does not settle.

`everyday_words.txt` was frozen before SCOWL became a source of the recipe, `subtitle_words.txt` before forms followed
their base; their heads tell what they were made from and what was struck. No build reads them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Final, NamedTuple

from tests.benchmarks.figure import Figure

WORD_FILE: Final = Path(__file__).parent / "everyday_words.txt"
SUBTITLE_FILE: Final = Path(__file__).parent / "subtitle_words.txt"
GOALS: Final = {1_000: 100, 5_000: 99.8, 20_000: 99.3}
"""The share in per cent of the first so many lines that should be settled."""
CONTESTED: Final = ("British spelling", "contraction")
"""Reasons for a strike that not every dictionary shares: what is settled of these words is told beside the shares."""


class EverydayWord(NamedTuple):
    """A line of a list; `struck` is the reason why it counts in no figure, or empty."""

    word: str
    struck: str = ""


def read_everyday_words(file: Path = WORD_FILE) -> list[EverydayWord]:
    """Return a list in its order, the commonest word first."""
    lines = file.read_text("utf-8").splitlines()
    return [EverydayWord(*line.split("\t")) for line in lines if not line.startswith("#")]


def measure(settled: Set[str]) -> Iterator[Figure]:
    """Yield the shares that are settled by quorum alone; the words that are missing go to standard error."""
    everyday = read_everyday_words()
    for most, goal in GOALS.items():
        counted, share = settled_share(everyday[:most], settled)
        caption = f"of the {most:,} words met most often, {counted:,} after the strikes: settled"
        yield Figure(f"everyday-{most}", caption, share, "%", f">= {goal:g}")
    counted, share = settled_share(subtitles := read_everyday_words(SUBTITLE_FILE), settled)
    caption = f"of the {len(subtitles):,} words met most often in films, {counted:,} after the strikes: settled"
    yield Figure("subtitles-20000", caption, share, "%")
    for reason in CONTESTED:
        struck = [each.word for each in everyday if each.struck == reason]
        share = percentage(len(settled.intersection(struck)), len(struck))
        yield Figure(
            f"everyday-{reason.split()[0].lower()}", f"struck from them as {reason}, {len(struck)}: settled", share, "%"
        )


def settled_share(words: list[EverydayWord], settled: Set[str]) -> tuple[int, float]:
    """Return how many words count, and the share of them that is settled; print the words that are missing."""
    counted = [each.word for each in words if not each.struck]
    missing = [word for word in counted if word not in settled]
    print(f"  missing of {len(words):,}, the commonest first: {' '.join(missing) or 'none'}", file=sys.stderr)
    return len(counted), percentage(len(counted) - len(missing), len(counted))


def percentage(part: int, whole: int) -> float:
    """Return a share in per cent, rounded down to two decimals: 100 means all."""
    return 10_000 * part // whole / 100
