"""The figures of a case, in five bands, as reviewers and the player see them. Pure.

They are all that a case file has of what a program worked out: no best play, no score of a word that was not played.
"""

from __future__ import annotations

from typing import Final

import msgspec

from ordws.cases.facts import Exhibit
from ordws.public_register import Offence

BAND_TEXTS: Final = ("none", "slight", "marked", "strong", "overwhelming")
"""The five bands of a gain, the weakest first."""

CATEGORY_TEXTS: Final = {
    "choices": "choosing what scores most, beyond what any mixture of honest players explains",
    # Nothing is flagged by these any more; cases that were opened before still show them.
    "word-checks": "playing doubtful words without the misses that go with them",
    "times": "time for a turn that does not follow its difficulty (this alone proves nothing)",
    "quitting": "leaving games while behind and with time left, oftener than players do",
}
OFFENCE_OF_KIND: Final[dict[str, Offence]] = {
    "choices": "cheating",
    "word-checks": "cheating",
    "quitting": "quitting",
}
"""The class of offence of each kind of flag."""


class PeriodFigures(msgspec.Struct, frozen=True):
    """A part of the player's own turns: the bands between two milestones."""

    first_turn: int
    last_turn: int
    bands: dict[str, int]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a player: bands by category, over the turns of the last look and period by period."""

    kind: str
    """The kind of flag that the case was opened on."""

    milestone: int
    """The number of the first turns that `bands` are about: those of the last look."""

    turns: int
    games: int
    is_calibrated: bool
    bands: dict[str, int]
    periods: tuple[PeriodFigures, ...] = ()


def figures_exhibit(figures: Figures) -> Exhibit:
    """Return the figures as an exhibit."""
    return Exhibit("figures", msgspec.json.encode(figures))


def read_figures(content: bytes) -> Figures:
    """Return the figures of an exhibit."""
    return msgspec.json.decode(content, type=Figures)


def band_text(bands: dict[str, int], category: str) -> str:
    """Return the band of a category in words; "not measured" where there is none."""
    band = bands.get(category)
    return "not measured" if band is None else BAND_TEXTS[band]


def figures_in_words(figures: Figures) -> list[str]:
    """Return the figures as lines of plain text."""
    lines = [f"Of {figures.turns} turns in {figures.games} games the first {figures.milestone} were looked at:"]
    lines += [
        f"- {about}: {band_text(figures.bands, name)}"
        for name, about in CATEGORY_TEXTS.items()
        if name in figures.bands
    ]
    for period in figures.periods:
        bands = ", ".join(
            [f"{name} {band_text(period.bands, name)}" for name in CATEGORY_TEXTS if name in period.bands]
        )
        lines.append(f"- turns {period.first_turn} to {period.last_turn}: {bands}")
    return lines
